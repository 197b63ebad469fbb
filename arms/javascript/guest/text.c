/* Well-formed text for the host: a string of the membrane is Unicode, and a string of JavaScript need not be. */
#include <stdlib.h>
#include <string.h>

#include "gg.h"

/* The engine writes half of a surrogate pair as the three bytes ED A0..BF xx, which UTF-8 has no other use for. */
static const char *find_surrogate(const char *text, const char *end) {
  while ((text = memchr(text, 0xED, (size_t)(end - text)))) {
    if (end - text >= 3 && (unsigned char)text[1] >= 0xA0) return text;
    text++;
  }
  return NULL;
}

bool gg_has_lone_surrogate(const char *text, size_t length) {
  return length && find_surrogate(text, text + length);
}

char *gg_well_formed(JSContext *ctx, JSValueConst value, size_t *length) {
  const char *text = JS_ToCStringLen(ctx, length, value);
  if (!text) return NULL;
  char *copy = gg_take(*length + 1);
  if (!copy) {
    JS_FreeCString(ctx, text);
    JS_ThrowOutOfMemory(ctx);
    return NULL;
  }
  memcpy(copy, text, *length);
  copy[*length] = 0;
  JS_FreeCString(ctx, text);
  for (const char *at = copy, *end = copy + *length; at < end && (at = find_surrogate(at, end)); at += 3)
    memcpy((char *)at, "\xEF\xBF\xBD", 3);
  return copy;
}
