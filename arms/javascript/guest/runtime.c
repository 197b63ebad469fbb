/* Evaluates runtime.js and gives it what it needs of the engine. */
#include <stdlib.h>
#include <string.h>

#include "gg.h"

static const char source[] = {
#embed "runtime.js"
    , 0};

gg_runtime gg_prelude;

/* One call of the host for each line. */
static JSValue log_text(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv) {
  (void)self, (void)argc;
  size_t length;
  char *text = gg_well_formed(ctx, argv[0], &length);
  if (!text) return JS_EXCEPTION;
  for (char *at = text, *end = text + length; at <= end;) {
    char *stop = memchr(at, '\n', (size_t)(end - at));
    guest_string_t line = {(uint8_t *)at, (size_t)((stop ? stop : end) - at)};
    gg_sdk_feedback_log(&line);
    at = stop ? stop + 1 : end + 1;
  }
  free(text);
  return JS_UNDEFINED;
}

static JSValue classify(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv) {
  (void)self, (void)argc;
  JSValueConst value = argv[0];
  const char *kind = !JS_IsObject(value)             ? "primitive"
                     : JS_IsProxy(value)             ? "proxy"
                     : JS_IsFunction(ctx, value)     ? "function"
                     : JS_IsArray(value)             ? "array"
                     : JS_IsError(value)             ? "error"
                     : JS_IsDate(value)              ? "date"
                     : JS_IsRegExp(value)            ? "regexp"
                     : JS_IsMap(value)               ? "map"
                     : JS_IsSet(value)               ? "set"
                     : JS_IsPromise(value)           ? "promise"
                                                     : "object";
  return JS_NewString(ctx, kind);
}

static JSValue promise_state(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv) {
  (void)self, (void)argc;
  int state = JS_PromiseState(ctx, argv[0]);
  return JS_NewString(ctx, state == JS_PROMISE_PENDING ? "pending" : state == JS_PROMISE_FULFILLED ? "fulfilled" : "rejected");
}

static void add(JSContext *ctx, JSValueConst native, const char *name, JSCFunction *function) {
  JS_DefinePropertyValueStr(ctx, native, name, JS_NewCFunction(ctx, function, name, 1), JS_PROP_ENUMERABLE);
}

void gg_load_runtime(JSContext *ctx) {
  JSValue native = JS_NewObject(ctx), codes = JS_NewArray(ctx);
  add(ctx, native, "log", log_text);
  add(ctx, native, "classify", classify);
  add(ctx, native, "promiseState", promise_state);
  for (uint32_t i = 0; i < gg_error_codes.count; i++)
    JS_DefinePropertyValueUint32(ctx, codes, i, JS_AtomToString(ctx, gg_error_codes.members[i].atom), JS_PROP_C_W_E);
  JSValue make = JS_Eval(ctx, source, sizeof source - 1, "gg:runtime", JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_STRICT);
  JSValueConst given[] = {native, codes};
  JSValue made = JS_Call(ctx, make, JS_UNDEFINED, 2, given);
  if (JS_IsException(made)) abort(); /* the snapshot cannot be taken */
  gg_prelude.api_error = JS_GetPropertyStr(ctx, made, "apiError");
  gg_prelude.describe_error = JS_GetPropertyStr(ctx, made, "describeError");
  JSValue core = JS_GetPropertyStr(ctx, made, "core");
  gg_make_modules(ctx, core);
  JS_FreeValue(ctx, core);
  JS_FreeValue(ctx, made);
  JS_FreeValue(ctx, make);
  JS_FreeValue(ctx, codes);
  JS_FreeValue(ctx, native);
}
