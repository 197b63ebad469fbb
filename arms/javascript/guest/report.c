/* Tells the host about the error that ended a program, in the engine's words. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gg.h"

/* Text of one message: above what any trimming shows, below what a program could spend the host's memory with. */
#define MAX_MESSAGE_BYTES (16 * 1024)
#define NOTE_BYTES 64 /* room for the note on what is missing; it takes the place of at least as much */

static guest_string_t words(const char *text) { return (guest_string_t){(uint8_t *)text, strlen(text)}; }

/* Cuts a text that is too long at a whole character, and says how much is missing. `text` came from malloc. */
static char *trimmed(char *text, size_t *length) {
  if (*length <= MAX_MESSAGE_BYTES + NOTE_BYTES) return text;
  size_t end = MAX_MESSAGE_BYTES;
  while (((unsigned char)text[end] & 0xC0) == 0x80) end--;
  *length = end + (size_t)snprintf(text + end, NOTE_BYTES, "\n... (%zu more bytes)", *length - end);
  return text;
}

/* Element `index` of what describeError gave, as text; NULL when it is undefined or cannot be had. */
static char *text_at(JSContext *ctx, JSValueConst described, uint32_t index, size_t *length) {
  JSValue value = JS_GetPropertyUint32(ctx, described, index);
  char *text = JS_IsUndefined(value) || JS_IsException(value) ? NULL : gg_well_formed(ctx, value, length);
  JS_FreeValue(ctx, value);
  return text;
}

/* Whether the engine gave up for want of memory: its own error, or none at all where there was no room for one. */
static bool is_out_of_memory(JSContext *ctx, JSValueConst error) {
  if (!gg_allocation_failed()) return false;
  if (!JS_IsError(error)) return JS_IsUninitialized(error) || JS_IsNull(error);
  JSValue message = JS_GetPropertyStr(ctx, error, "message");
  const char *text = JS_IsString(message) ? JS_ToCString(ctx, message) : NULL;
  /* The second is what the engine says where there was no room for the first. */
  bool found = text && (!strncmp(text, "out of memory", strlen("out of memory")) || !strcmp(text, "Invalid error message"));
  if (text) JS_FreeCString(ctx, text);
  JS_FreeValue(ctx, message);
  return found;
}

static gg_sdk_feedback_error_kind_t kind_of(const char *kind) {
  if (kind && !strcmp(kind, "api-failure")) return GG_SDK_FEEDBACK_ERROR_KIND_API_FAILURE;
  if (kind && !strcmp(kind, "unknown-name")) return GG_SDK_FEEDBACK_ERROR_KIND_UNKNOWN_NAME;
  return GG_SDK_FEEDBACK_ERROR_KIND_OTHER;
}

static JSValue described(JSContext *ctx, JSValueConst error) {
  gg_prepare_to_report();
  JSValue made = JS_Call(ctx, gg_prelude.describe_error, JS_UNDEFINED, 1, &error);
  if (JS_IsException(made)) JS_FreeValue(ctx, JS_GetException(ctx));
  return made;
}

void gg_report_words(const char *message) {
  gg_sdk_feedback_program_error_t error = {.kind = GG_SDK_FEEDBACK_ERROR_KIND_OTHER, .message = words(message)};
  gg_sdk_feedback_report_error(&error);
}

void gg_report_lost_job(void) {
  gg_sdk_feedback_out_of_memory();
  gg_report_words("InternalError: out of memory");
}

void gg_report_error(JSContext *ctx, JSValueConst error) {
  if (is_out_of_memory(ctx, error)) gg_sdk_feedback_out_of_memory();
  JSValue parts = JS_IsUninitialized(error) ? JS_EXCEPTION : described(ctx, error);
  size_t message_length, location_length, kind_length;
  char *message = JS_IsException(parts) ? NULL : text_at(ctx, parts, 0, &message_length);
  if (!message) {
    gg_report_words(gg_allocation_failed() ? "InternalError: out of memory" : "Error: one that cannot be put in words");
    JS_FreeValue(ctx, parts);
    return;
  }
  message = trimmed(message, &message_length);
  char *location = text_at(ctx, parts, 1, &location_length), *kind = text_at(ctx, parts, 2, &kind_length);
  JSValue code = JS_GetPropertyUint32(ctx, parts, 3);
  gg_sdk_feedback_program_error_t told = {
      .kind = kind_of(kind),
      .code = {JS_IsNumber(code), (gg_sdk_types_error_code_t)(JS_IsNumber(code) ? JS_VALUE_GET_INT(code) : 0)},
      .message = {(uint8_t *)message, message_length},
      .location = {location != NULL, {(uint8_t *)location, location ? location_length : 0}},
  };
  gg_sdk_feedback_report_error(&told);
  free(message);
  free(location);
  free(kind);
  JS_FreeValue(ctx, parts);
}

void gg_report_deferred(JSContext *ctx, JSValueConst error) {
  JSValue parts = described(ctx, error);
  size_t length = 0;
  char *message = JS_IsException(parts) ? NULL : text_at(ctx, parts, 0, &length);
  if (message) message = trimmed(message, &length);
  guest_string_t note = message ? (guest_string_t){(uint8_t *)message, length} : words("an error without words");
  gg_sdk_feedback_report_deferred(&note);
  free(message);
  JS_FreeValue(ctx, parts);
}
