/* The words of `invalid-argument`: which argument, what was wanted, what was given. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gg.h"

#define PATH_BYTES 256
#define SHOWN_BYTES 60 /* of a string that is shown in a message */

/* Writes `task.blockedBy[2]`; what does not fit is left out. */
static size_t write_path(char *out, size_t room, const gg_path *path) {
  size_t used = path->parent ? write_path(out, room, path->parent) : 0;
  if (used >= room) return used;
  int more = path->name ? snprintf(out + used, room - used, "%s%s", used ? "." : "", path->name)
                        : snprintf(out + used, room - used, "[%u]", (unsigned)path->index);
  return used + (size_t)more;
}

/* Cuts text at a whole character, at most `limit` bytes in. */
static size_t whole_characters(const char *text, size_t length, size_t limit) {
  if (length <= limit) return length;
  while (limit && ((unsigned char)text[limit] & 0xC0) == 0x80) limit--;
  return limit;
}

static void describe(JSContext *ctx, JSValueConst value, char *out, size_t room) {
  const char *what = JS_IsNull(value)                ? "null"
                     : JS_IsUndefined(value)         ? "undefined"
                     : JS_IsBigInt(value)            ? "a bigint"
                     : JS_IsSymbol(value)            ? "a symbol"
                     : JS_IsFunction(ctx, value)     ? "a function"
                     : JS_IsArray(value)             ? "an array"
                     : JS_IsObject(value)            ? "an object"
                                                     : NULL;
  if (what) {
    snprintf(out, room, "%s", what);
    return;
  }
  size_t length;
  const char *text = JS_ToCStringLen(ctx, &length, value); /* a string, number or boolean: runs no code of the program */
  if (!text) {
    JS_FreeValue(ctx, JS_GetException(ctx));
    snprintf(out, room, "something else");
    return;
  }
  if (!JS_IsString(value)) snprintf(out, room, "%s", text);
  else if (gg_has_lone_surrogate(text, length) || memchr(text, 0, length)) snprintf(out, room, "another string");
  else {
    size_t shown = whole_characters(text, length, SHOWN_BYTES);
    snprintf(out, room, "\"%.*s%s\"", (int)shown, text, shown < length ? "..." : "");
  }
  JS_FreeCString(ctx, text);
}

void gg_throw_wanted(JSContext *ctx, const gg_lowering *lowering, const gg_path *path, JSValueConst value, const char *format,
                     ...) {
  char place[PATH_BYTES], wanted[600], given[SHOWN_BYTES + 16], message[1100];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(wanted, sizeof wanted, format, arguments);
  va_end(arguments);
  size_t length = write_path(place, sizeof place, path);
  /* A name the program made up can be any length and hold anything; only one that is short and is text is shown. */
  if (length >= sizeof place || gg_has_lone_surrogate(place, length)) snprintf(place, sizeof place, "a property");
  bool nothing_given = JS_IsUninitialized(value);
  if (!nothing_given) describe(ctx, value, given, sizeof given);
  if (nothing_given) snprintf(message, sizeof message, "`%s` must be %s", place, wanted);
  else snprintf(message, sizeof message, "`%s` must be %s, but is %s", place, wanted, given);
  gg_throw_failure(ctx, lowering->operation->key, strlen(lowering->operation->key),
                   GG_SDK_TYPES_ERROR_CODE_INVALID_ARGUMENT, message, strlen(message));
}
