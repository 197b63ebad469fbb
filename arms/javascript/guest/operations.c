/* The module `gg`: one frozen object of frozen functions for each module of the SDK. */
#include <stdlib.h>
#include <string.h>

#include "gg.h"

#define MAX_MODULES 32
#define MAX_OPERATIONS 512

static JSValue module_objects[MAX_MODULES]; /* as many as `gg_modules`, and `core` after them */
static const gg_operation *by_number[MAX_OPERATIONS];

void gg_throw_failure(JSContext *ctx, const char *operation, size_t operation_length, uint32_t code, const char *message,
                      size_t message_length) {
  JSValue arguments[] = {
      JS_NewStringLen(ctx, operation, operation_length),
      JS_AtomToString(ctx, gg_error_codes.members[code].atom),
      JS_NewStringLen(ctx, message, message_length),
  };
  JSValue failure = JS_CallConstructor(ctx, gg_prelude.api_error, 3, arguments);
  for (int i = 0; i < 3; i++) JS_FreeValue(ctx, arguments[i]);
  if (!JS_IsException(failure)) JS_Throw(ctx, failure); /* otherwise what stopped the constructor is pending */
}

/* Lowers the arguments of a call: required ones by position, the others from one options object behind them. */
static bool lower_arguments(JSContext *ctx, gg_lowering *lowering, int argc, JSValueConst *argv, uint8_t *frame,
                            void **arguments) {
  const gg_operation *operation = lowering->operation;
  bool present[GG_MAX_PARAMS] = {false};
  int position = 0;
  bool has_options = false;
  for (uint32_t i = 0; i < operation->count; i++) {
    const gg_member *param = &operation->params[i];
    arguments[i] = frame + param->offset;
    has_options |= param->optional;
    if (param->optional) continue;
    gg_path place = {NULL, param->text, 0};
    JSValueConst given = position < argc ? argv[position] : JS_UNDEFINED;
    position++;
    if (!gg_lower(ctx, lowering, param->type, given, &place, frame + param->offset)) return false;
  }
  if (!has_options) return true;
  gg_path place = {NULL, "options", 0};
  JSValueConst options = position < argc ? argv[position] : JS_UNDEFINED;
  if (!JS_IsUndefined(options) && (!JS_IsObject(options) || JS_IsArray(options) || JS_IsFunction(ctx, options))) {
    gg_throw_wanted(ctx, lowering, &place, options, "an object");
    return false;
  }
  if (!gg_lower_members(ctx, lowering, operation->params, operation->count, options, &place, frame, present, NULL))
    return false;
  for (uint32_t i = 0; i < operation->count; i++)
    if (operation->params[i].type->kind == GG_OPTION && !present[i]) arguments[i] = NULL;
  return true;
}

static JSValue lift_result(JSContext *ctx, const gg_operation *operation, void *result) {
  if (!operation->result) return JS_UNDEFINED;
  JSValue value = gg_lift(ctx, operation->result, result);
  gg_free_value(operation->result, result);
  return value;
}

static void throw_host_failure(JSContext *ctx, gg_sdk_types_failure_t *failure) {
  gg_throw_failure(ctx, (const char *)failure->operation.ptr, failure->operation.len, failure->code,
                   (const char *)failure->message.ptr, failure->message.len);
  gg_sdk_types_failure_free(failure);
}

static JSValue invoke(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv, int number) {
  (void)self;
  gg_lowering lowering = {.operation = by_number[number]};
  uint64_t frame[gg_frame_bytes / sizeof(uint64_t)], result[gg_result_bytes / sizeof(uint64_t)];
  void *arguments[GG_MAX_PARAMS];
  gg_sdk_types_failure_t failure;
  JSValue value = JS_EXCEPTION;
  if (lower_arguments(ctx, &lowering, argc, argv, (uint8_t *)frame, arguments)) {
    if (lowering.operation->call(arguments, result, &failure)) value = lift_result(ctx, lowering.operation, result);
    else throw_host_failure(ctx, &failure);
  }
  gg_release(ctx, &lowering);
  return value;
}

static int required(const gg_operation *operation) {
  int count = 0;
  for (uint32_t i = 0; i < operation->count; i++) count += !operation->params[i].optional;
  return count;
}

/* Makes the modules' objects once; `core` is the one without operations. Everything is frozen, so that nothing a program
 * does to it changes what another part of the program calls. */
void gg_make_modules(JSContext *ctx, JSValueConst core) {
  int number = 0;
  if (gg_module_count >= MAX_MODULES) abort(); /* at build time, while the snapshot is taken */
  for (uint32_t i = 0; i < gg_module_count; i++) {
    JSValue object = module_objects[i] = JS_NewObject(ctx);
    for (uint32_t j = 0; j < gg_modules[i].count; j++) {
      const gg_operation *operation = &gg_modules[i].operations[j];
      if (number == MAX_OPERATIONS) abort();
      by_number[number] = operation;
      JSValue function =
          JS_NewCFunctionMagic(ctx, invoke, operation->name, required(operation), JS_CFUNC_generic_magic, number++);
      JS_FreezeObject(ctx, function);
      JS_DefinePropertyValueStr(ctx, object, operation->name, function, JS_PROP_ENUMERABLE);
    }
    JS_FreezeObject(ctx, object);
  }
  module_objects[gg_module_count] = JS_DupValue(ctx, core);
}

static const char *module_name(uint32_t index) { return index < gg_module_count ? gg_modules[index].name : "core"; }

static int fill_sdk(JSContext *ctx, JSModuleDef *module) {
  for (uint32_t i = 0; i <= gg_module_count; i++)
    if (JS_SetModuleExport(ctx, module, module_name(i), JS_DupValue(ctx, module_objects[i])) < 0) return -1;
  return 0;
}

bool gg_is_sdk(const char *name) { return !strcmp(name, "gg"); }

JSModuleDef *gg_make_sdk(JSContext *ctx, const char *name) {
  JSModuleDef *module = JS_NewCModule(ctx, name, fill_sdk);
  for (uint32_t i = 0; module && i <= gg_module_count; i++)
    if (JS_AddModuleExport(ctx, module, module_name(i)) < 0) return NULL;
  return module;
}
