/* The engine: one runtime and one context, made before the snapshot is taken; what it may import, and how long it may run. */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "gg.h"

/* Stack of the engine's own count (it counts shadow stack). Half of the linker's, and far inside the 64 MiB of WebAssembly
 * stack that frames of this depth take, so that the engine always notices first. About 1,500 frames of a plain function. */
#define STACK_BYTES (512 * 1024)

/* Memory kept back for a report when there is none left. */
#define RESERVE_BYTES (64 * 1024)

JSContext *gg_context;
static bool stopped, reporting, denied, job_lost;
static void *reserve;

bool gg_allocation_failed(void) { return denied; }

/* Called by the engine (see patches.py) when there is no memory to queue a job: what awaits it would never be told. */
void gg_lose_job(void) { job_lost = true; }

static void *noted(void *memory) {
  if (!memory) denied = true;
  return memory;
}

void *gg_take(size_t bytes) { return noted(malloc(bytes)); }

static void *take_zeroed(void *opaque, size_t count, size_t bytes) { return (void)opaque, noted(calloc(count, bytes)); }
static void *take(void *opaque, size_t bytes) { return (void)opaque, noted(malloc(bytes)); }
static void *resize(void *opaque, void *memory, size_t bytes) { return (void)opaque, noted(realloc(memory, bytes)); }
static void give_back(void *opaque, void *memory) { (void)opaque, free(memory); }

static const JSMallocFunctions allocator = {
    .js_calloc = take_zeroed, .js_malloc = take, .js_free = give_back, .js_realloc = resize,
    .js_malloc_usable_size = (size_t(*)(const void *))malloc_usable_size,
};

/* Asked by the engine every ten thousand jumps and calls. The host answers 0 a moment before it ends the guest itself, which
 * leaves the time to tell where the program was. Once stopped, a program stays stopped: it cannot catch this. */
static int is_time_up(JSRuntime *runtime, void *opaque) {
  (void)runtime, (void)opaque;
  if (!stopped && !reporting) stopped = gg_sdk_feedback_time_left() == 0;
  return stopped && !reporting;
}

void gg_prepare_to_report(void) {
  reporting = true;
  free(reserve);
  reserve = NULL;
}

static char *module_name(JSContext *ctx, const char *base, const char *name, void *opaque) {
  (void)base, (void)opaque;
  return js_strdup(ctx, name);
}

static JSModuleDef *load_module(JSContext *ctx, const char *name, void *opaque) {
  (void)opaque;
  if (gg_is_sdk(name)) return gg_make_sdk(ctx, name);
  JS_ThrowReferenceError(ctx, "no module named '%s'", name);
  return NULL;
}

/* ---- rejected promises that nothing observes ------------------------------------------------------------------ */

typedef struct {
  JSValue promise, reason;
} rejection;

#define FIRST_REJECTIONS 64 /* room that is there also when memory is not */

static rejection *rejections;
static size_t rejection_count, rejection_room = FIRST_REJECTIONS;

static void track_rejection(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool handled, void *opaque) {
  (void)opaque;
  if (!handled) {
    if (rejection_count == rejection_room) {
      size_t room = 2 * rejection_room;
      rejection *larger = realloc(rejections, room * sizeof *larger);
      if (!larger) {
        job_lost = true;
        return;
      }
      rejections = larger;
      rejection_room = room;
    }
    rejections[rejection_count++] = (rejection){JS_DupValue(ctx, promise), JS_DupValue(ctx, reason)};
    return;
  }
  for (size_t i = rejection_count; i-- > 0;) {
    if (JS_VALUE_GET_PTR(rejections[i].promise) != JS_VALUE_GET_PTR(promise)) continue;
    JS_FreeValue(ctx, rejections[i].promise);
    JS_FreeValue(ctx, rejections[i].reason);
    memmove(&rejections[i], &rejections[i + 1], (--rejection_count - i) * sizeof *rejections);
    return;
  }
}

/* The first failure nobody observed ends the program as an uncaught one; further ones are told beside it. */
static void report_rejections(JSContext *ctx, bool failed, JSValueConst main_promise, JSValueConst main_reason) {
  for (size_t i = 0; i < rejection_count; i++) {
    bool is_main = JS_VALUE_GET_PTR(rejections[i].promise) == JS_VALUE_GET_PTR(main_promise) ||
                   (failed && JS_IsObject(main_reason) && JS_IsStrictEqual(ctx, rejections[i].reason, main_reason));
    if (is_main) continue;
    if (failed) gg_report_deferred(ctx, rejections[i].reason);
    else gg_report_error(ctx, rejections[i].reason);
    failed = true;
  }
}

/* ---- making it and running a program --------------------------------------------------------------------------- */

void gg_make_engine(void) {
  JSRuntime *runtime = JS_NewRuntime2(&allocator, NULL);
  if (!runtime) abort();
  JS_SetMaxStackSize(runtime, STACK_BYTES);
  JS_SetModuleLoaderFunc(runtime, module_name, load_module, NULL);
  JS_SetHostPromiseRejectionTracker(runtime, track_rejection, NULL);
  gg_context = JS_NewContext(runtime);
  reserve = malloc(RESERVE_BYTES);
  rejections = malloc(FIRST_REJECTIONS * sizeof *rejections);
  if (!gg_context || !reserve || !rejections) abort();
  gg_intern_names(gg_context);
  gg_load_runtime(gg_context);
  gg_install_random(gg_context);
  JS_SetInterruptHandler(runtime, is_time_up, NULL);
}

/* Runs the jobs that are due. Returns false with an exception pending when one of them failed. */
static bool run_jobs(JSRuntime *runtime) {
  JSContext *ctx;
  int state = 1;
  while (state > 0 && !stopped) state = JS_ExecutePendingJob(runtime, &ctx);
  return state >= 0 && !stopped;
}

/* What ended the program: the pending exception or, where the engine made one of it, the reason of the module's promise. */
static JSValue failure_of(JSContext *ctx, JSValueConst promise) {
  if (JS_HasException(ctx)) return JS_GetException(ctx);
  return JS_PromiseState(ctx, promise) == JS_PROMISE_REJECTED ? JS_PromiseResult(ctx, promise) : JS_UNINITIALIZED;
}

void gg_run_program(JSContext *ctx, char *source, size_t length) {
  JSRuntime *runtime = JS_GetRuntime(ctx);
  JS_UpdateStackTop(runtime);
  JSValue promise = JS_Eval(ctx, source, length, GG_PROGRAM_FILE, JS_EVAL_TYPE_MODULE);
  bool failed = JS_IsException(promise) || !run_jobs(runtime) || JS_PromiseState(ctx, promise) == JS_PROMISE_REJECTED;
  JSValue error = failed ? failure_of(ctx, promise) : JS_UNDEFINED;
  if (stopped && JS_IsUninitialized(error)) gg_report_words("InternalError: interrupted");
  else if (failed) gg_report_error(ctx, error);
  else if (job_lost) {
    gg_report_lost_job();
    failed = true;
  } else if (JS_PromiseState(ctx, promise) == JS_PROMISE_PENDING) {
    gg_report_words("Error: the program waits for a promise that nothing will settle: its `await` never returned");
    failed = true;
  }
  if (!stopped) report_rejections(ctx, failed, promise, error);
  JS_FreeValue(ctx, error);
  JS_FreeValue(ctx, promise);
}
