/* Lowers values of JavaScript into C, by descriptor. Everything a program gives is checked here, before the call crosses
 * the membrane, so that a malformed argument ends as a failure the program can catch and the host never hears of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gg.h"

/* Memory a lowered value points into, kept until the call is over: text of the engine, or elements of a list. */
struct gg_held {
  struct gg_held *next;
  const char *text; /* NULL: `elements` follow the header */
  _Alignas(8) uint8_t elements[];
};

#define MAX_SAFE_INTEGER 9007199254740991.0 /* 2^53 - 1: above it neighbouring integers share one number */

typedef struct {
  double low, high;
} range;

static const range ranges[] = {
    [GG_U8] = {0, UINT8_MAX},   [GG_S8] = {INT8_MIN, INT8_MAX},    [GG_U16] = {0, UINT16_MAX},
    [GG_S16] = {INT16_MIN, INT16_MAX}, [GG_U32] = {0, UINT32_MAX}, [GG_S32] = {INT32_MIN, INT32_MAX},
    [GG_U64] = {0, MAX_SAFE_INTEGER},  [GG_S64] = {-MAX_SAFE_INTEGER, MAX_SAFE_INTEGER},
};

static struct gg_held *hold(JSContext *ctx, gg_lowering *lowering, const char *text, size_t bytes) {
  struct gg_held *held = gg_take(sizeof(struct gg_held) + bytes);
  if (!held) {
    JS_ThrowOutOfMemory(ctx);
    return NULL;
  }
  *held = (struct gg_held){.next = lowering->held, .text = text};
  lowering->held = held;
  return held;
}

void gg_release(JSContext *ctx, gg_lowering *lowering) {
  while (lowering->held) {
    struct gg_held *held = lowering->held;
    lowering->held = held->next;
    if (held->text) JS_FreeCString(ctx, held->text);
    free(held);
  }
}

static bool lower_integer(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path,
                          void *out) {
  range allowed = ranges[type->kind];
  double number = 0;
  if (JS_IsNumber(value)) JS_ToFloat64(ctx, &number, value);
  if (!JS_IsNumber(value) || number != trunc(number) || number < allowed.low || number > allowed.high) {
    gg_throw_wanted(ctx, lowering, path, value, "a whole number from %.0f to %.0f", allowed.low, allowed.high);
    return false;
  }
  int64_t integer = (int64_t)number;
  memcpy(out, &integer, type->size); /* WebAssembly is little-endian: the low bytes come first */
  return true;
}

static bool lower_float(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path,
                        void *out) {
  double number;
  if (!JS_IsNumber(value)) {
    gg_throw_wanted(ctx, lowering, path, value, "a number");
    return false;
  }
  JS_ToFloat64(ctx, &number, value);
  if (type->kind == GG_F64) *(double *)out = number;
  else *(float *)out = (float)number;
  return true;
}

static bool lower_string(JSContext *ctx, gg_lowering *lowering, JSValueConst value, const gg_path *path, guest_string_t *out) {
  if (!JS_IsString(value)) {
    gg_throw_wanted(ctx, lowering, path, value, "a string");
    return false;
  }
  size_t length;
  const char *text = JS_ToCStringLen(ctx, &length, value);
  if (!text) return false;
  if (!hold(ctx, lowering, text, 0)) {
    JS_FreeCString(ctx, text);
    return false;
  }
  if (gg_has_lone_surrogate(text, length)) {
    gg_throw_wanted(ctx, lowering, path, JS_UNINITIALIZED, "well-formed text, but holds half of a surrogate pair");
    return false;
  }
  *out = (guest_string_t){(uint8_t *)text, length};
  return true;
}

static bool lower_char(JSContext *ctx, gg_lowering *lowering, JSValueConst value, const gg_path *path, uint32_t *out) {
  static const uint8_t first_bits[] = {0x7F, 0x1F, 0x0F, 0x07};
  guest_string_t text = {0};
  if (JS_IsString(value) && !lower_string(ctx, lowering, value, path, &text)) return false;
  size_t bytes = text.len ? (text.ptr[0] < 0x80 ? 1 : text.ptr[0] < 0xE0 ? 2 : text.ptr[0] < 0xF0 ? 3 : 4) : 0;
  if (!bytes || text.len != bytes) {
    gg_throw_wanted(ctx, lowering, path, value, "a string of one character");
    return false;
  }
  *out = text.ptr[0] & first_bits[bytes - 1];
  for (size_t i = 1; i < bytes; i++) *out = *out << 6 | (text.ptr[i] & 0x3F);
  return true;
}

/* Elements are stored as they are checked: the length of a sparse array says nothing about what it holds. */
static bool lower_list(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path,
                       guest_list_string_t *out) {
  int64_t length, room = 0;
  if (!JS_IsArray(value)) {
    gg_throw_wanted(ctx, lowering, path, value, "an array");
    return false;
  }
  if (JS_GetLength(ctx, value, &length) < 0) return false;
  uint8_t *elements = NULL;
  for (int64_t i = 0; i < length; i++) {
    if (i == room) {
      room = room ? 2 * room : (length < 64 ? length : 64);
      struct gg_held *held = hold(ctx, lowering, NULL, (size_t)room * type->item->size);
      if (!held) return false;
      if (i) memcpy(held->elements, elements, (size_t)i * type->item->size);
      elements = held->elements;
    }
    JSValue element = JS_GetPropertyInt64(ctx, value, i);
    gg_path place = {path, NULL, (uint32_t)i};
    bool lowered = !JS_IsException(element) &&
                   gg_lower(ctx, lowering, type->item, element, &place, elements + i * type->item->size);
    JS_FreeValue(ctx, element);
    if (!lowered) return false;
  }
  *out = (guest_list_string_t){(guest_string_t *)elements, (size_t)length};
  return true;
}

/* Index of the case whose word `value` is, or -1. */
static int case_of(JSContext *ctx, const gg_type *type, JSValueConst value) {
  size_t length;
  if (!JS_IsString(value)) return -1;
  const char *word = JS_ToCStringLen(ctx, &length, value);
  int found = -1;
  for (uint32_t i = 0; word && i < type->count && found < 0; i++)
    if (strlen(type->members[i].text) == length && !memcmp(type->members[i].text, word, length)) found = (int)i;
  if (word) JS_FreeCString(ctx, word);
  else JS_FreeValue(ctx, JS_GetException(ctx));
  return found;
}

/* "one of "a", "b"" for an enum or the kinds of a variant. */
static void throw_words(JSContext *ctx, const gg_lowering *lowering, const gg_type *type, JSValueConst value,
                        const gg_path *path) {
  char words[512];
  size_t used = 0;
  for (uint32_t i = 0; i < type->count && used < sizeof words; i++)
    used += (size_t)snprintf(words + used, sizeof words - used, "%s\"%s\"", i ? ", " : "", type->members[i].text);
  gg_throw_wanted(ctx, lowering, path, value, "one of %s", words);
}

static bool is_plain(JSContext *ctx, JSValueConst value) {
  return JS_IsObject(value) && !JS_IsArray(value) && !JS_IsFunction(ctx, value);
}

static bool lower_record(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path,
                         void *out) {
  if (!is_plain(ctx, value)) {
    gg_throw_wanted(ctx, lowering, path, value, "an object");
    return false;
  }
  return gg_lower_members(ctx, lowering, type->members, type->count, value, path, out, NULL, NULL);
}

static bool lower_variant(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path,
                          uint8_t *out) {
  if (!is_plain(ctx, value)) {
    gg_throw_wanted(ctx, lowering, path, value, "an object with `kind`");
    return false;
  }
  gg_path kind_place = {path, "kind", 0};
  JSValue kind = JS_GetPropertyStr(ctx, value, "kind");
  if (JS_IsException(kind)) return false;
  int tag = case_of(ctx, type, kind);
  if (tag < 0) throw_words(ctx, lowering, type, kind, &kind_place);
  JS_FreeValue(ctx, kind);
  if (tag < 0) return false;
  const gg_type *payload = type->members[tag].type;
  out[0] = (uint8_t)tag;
  if (payload && payload->kind == GG_RECORD)
    return gg_lower_members(ctx, lowering, payload->members, payload->count, value, path, out + type->offset, NULL, "kind");
  gg_member carried = {"value", payload, type->offset, false, JS_ATOM_NULL};
  return gg_lower_members(ctx, lowering, &carried, payload ? 1 : 0, value, path, out, NULL, "kind");
}

/* The case that carries nothing and comes first keeps, the other one clears; the case that carries something sets. */
static bool lower_patch(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path,
                        uint8_t *out) {
  bool kept = false;
  for (uint32_t i = 0; i < type->count; i++) {
    const gg_type *payload = type->members[i].type;
    out[0] = (uint8_t)i;
    if (payload && !JS_IsUndefined(value) && !JS_IsNull(value))
      return gg_lower(ctx, lowering, payload, value, path, out + type->offset);
    if (!payload && (JS_IsUndefined(value) || (kept && JS_IsNull(value)))) return true;
    if (!payload) kept = true;
  }
  return false; /* never: a patch has its three cases */
}

bool gg_lower(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path, void *out) {
  switch (type->kind) {
    case GG_BOOL:
      if (!JS_IsBool(value)) {
        gg_throw_wanted(ctx, lowering, path, value, "true or false");
        return false;
      }
      *(bool *)out = JS_ToBool(ctx, value);
      return true;
    case GG_F32:
    case GG_F64: return lower_float(ctx, lowering, type, value, path, out);
    case GG_CHAR: return lower_char(ctx, lowering, value, path, out);
    case GG_STRING: return lower_string(ctx, lowering, value, path, out);
    case GG_LIST: return lower_list(ctx, lowering, type, value, path, out);
    case GG_OPTION:
      *(bool *)out = !JS_IsUndefined(value);
      return JS_IsUndefined(value) || gg_lower(ctx, lowering, type->item, value, path, (uint8_t *)out + type->offset);
    case GG_RECORD: return lower_record(ctx, lowering, type, value, path, out);
    case GG_ENUM: {
      int found = case_of(ctx, type, value);
      if (found < 0) {
        throw_words(ctx, lowering, type, value, path);
        return false;
      }
      *(uint8_t *)out = (uint8_t)found;
      return true;
    }
    case GG_VARIANT: return lower_variant(ctx, lowering, type, value, path, out);
    case GG_PATCH: return lower_patch(ctx, lowering, type, value, path, out);
    default: return lower_integer(ctx, lowering, type, value, path, out);
  }
}

static bool known(const gg_member *members, uint32_t count, bool options, const char *tag, const char *name) {
  if (tag && !strcmp(tag, name)) return true;
  for (uint32_t i = 0; i < count; i++)
    if ((!options || members[i].optional) && !strcmp(members[i].text, name)) return true;
  return false;
}

static bool refuse_unknown(JSContext *ctx, const gg_lowering *lowering, const gg_member *members, uint32_t count,
                           bool options, JSValueConst object, const gg_path *path, const char *tag) {
  JSPropertyEnum *names;
  uint32_t length;
  if (JS_GetOwnPropertyNames(ctx, &names, &length, object, JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) < 0) return false;
  bool all_known = true;
  for (uint32_t i = 0; i < length && all_known; i++) {
    const char *name = JS_AtomToCString(ctx, names[i].atom);
    if (!name) all_known = false;
    else if (!known(members, count, options, tag, name)) {
      gg_path place = {path, name, 0};
      gg_throw_wanted(ctx, lowering, &place, JS_UNINITIALIZED, "left out: there is no such property");
      all_known = false;
    }
    if (name) JS_FreeCString(ctx, name);
  }
  JS_FreePropertyEnum(ctx, names, length);
  return all_known;
}

/* Lowers an object's properties to the places of `members`.
 * present  not NULL for the options of a call: only optional members are read, and it tells which of those that are options
 *          were given; their payload then lies at their place. The object may then be undefined.
 * tag      a property that is known and is no member, or NULL. */
bool gg_lower_members(JSContext *ctx, gg_lowering *lowering, const gg_member *members, uint32_t count, JSValueConst object,
                      const gg_path *path, void *out, bool *present, const char *tag) {
  bool given = !JS_IsUndefined(object);
  if (given && !refuse_unknown(ctx, lowering, members, count, present != NULL, object, path, tag)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const gg_member *member = &members[i];
    if (present && !member->optional) continue; /* given by position */
    gg_path place = {path, member->text, 0};
    JSValue value = !given                         ? JS_UNDEFINED
                    : member->atom == JS_ATOM_NULL ? JS_GetPropertyStr(ctx, object, member->text)
                                                   : JS_GetProperty(ctx, object, member->atom);
    if (JS_IsException(value)) return false;
    const gg_type *type = member->type;
    uint8_t *at = (uint8_t *)out + member->offset;
    bool lowered = true;
    if (type->kind == GG_LIST && member->optional && JS_IsUndefined(value)) {
      memset(at, 0, type->size);
    } else if (present && type->kind == GG_OPTION) { /* the binding takes a pointer to the payload, or none */
      present[i] = !JS_IsUndefined(value);
      if (present[i]) lowered = gg_lower(ctx, lowering, type->item, value, &place, at);
    } else {
      lowered = gg_lower(ctx, lowering, type, value, &place, at);
    }
    JS_FreeValue(ctx, value);
    if (!lowered) return false;
  }
  return true;
}
