/* Lifts C values into JavaScript, by descriptor, and frees what the host allocated for them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gg.h"

#define MAX_SAFE_INTEGER 9007199254740991ULL /* 2^53 - 1 */

void gg_intern_names(JSContext *ctx) {
  for (uint32_t i = 0; i < gg_type_count; i++)
    for (uint32_t j = 0; j < gg_types[i]->count; j++)
      gg_types[i]->members[j].atom = JS_NewAtom(ctx, gg_types[i]->members[j].text);
  for (uint32_t i = 0; i < gg_module_count; i++)
    for (uint32_t j = 0; j < gg_modules[i].count; j++)
      for (uint32_t k = 0; k < gg_modules[i].operations[j].count; k++) {
        gg_member *param = &gg_modules[i].operations[j].params[k];
        param->atom = JS_NewAtom(ctx, param->text);
      }
}

/* A number holds integers exactly up to 2^53 - 1; a larger one would come out as another. */
static JSValue lift_large(JSContext *ctx, uint64_t magnitude, bool negative) {
  if (magnitude > MAX_SAFE_INTEGER)
    return JS_ThrowRangeError(ctx, "the call gave %s%llu, which a number cannot hold exactly", negative ? "-" : "",
                              (unsigned long long)magnitude);
  return JS_NewInt64(ctx, negative ? -(int64_t)magnitude : (int64_t)magnitude);
}

static JSValue lift_char(JSContext *ctx, uint32_t character) {
  uint16_t units[2] = {(uint16_t)character};
  if (character < 0x10000) return JS_NewStringUTF16(ctx, units, 1);
  units[0] = (uint16_t)(0xD7C0 + (character >> 10));
  units[1] = (uint16_t)(0xDC00 + (character & 0x3FF));
  return JS_NewStringUTF16(ctx, units, 2);
}

static JSValue lift_list(JSContext *ctx, const gg_type *type, const guest_list_string_t *list) {
  JSValue array = JS_NewArray(ctx);
  const uint8_t *element = (const uint8_t *)list->ptr;
  for (size_t i = 0; !JS_IsException(array) && i < list->len; i++, element += type->item->size) {
    JSValue value = gg_lift(ctx, type->item, element);
    if (JS_IsException(value) || JS_DefinePropertyValueUint32(ctx, array, (uint32_t)i, value, JS_PROP_C_W_E) < 0) {
      JS_FreeValue(ctx, array);
      array = JS_EXCEPTION;
    }
  }
  return array;
}

/* Properties are defined and not set, so that a setter the program put on Object.prototype is never run. */
static bool define(JSContext *ctx, JSValueConst object, JSAtom atom, JSValue value) {
  return !JS_IsException(value) && JS_DefinePropertyValue(ctx, object, atom, value, JS_PROP_C_W_E) >= 0;
}

static bool lift_fields(JSContext *ctx, const gg_type *type, const uint8_t *record, JSValueConst object) {
  for (uint32_t i = 0; i < type->count; i++) {
    const gg_member *field = &type->members[i];
    if (!define(ctx, object, field->atom, gg_lift(ctx, field->type, record + field->offset))) return false;
  }
  return true;
}

static JSValue checked(JSContext *ctx, JSValue object, bool sound) {
  if (sound) return object;
  JS_FreeValue(ctx, object);
  return JS_EXCEPTION;
}

static JSValue lift_variant(JSContext *ctx, const gg_type *type, const uint8_t *variant) {
  const gg_member *member = &type->members[variant[0]];
  JSValue object = JS_NewObject(ctx);
  if (JS_IsException(object)) return object;
  bool sound = JS_DefinePropertyValueStr(ctx, object, "kind", JS_AtomToString(ctx, member->atom), JS_PROP_C_W_E) >= 0;
  if (sound && member->type && member->type->kind == GG_RECORD)
    sound = lift_fields(ctx, member->type, variant + type->offset, object);
  else if (sound && member->type) {
    JSValue value = gg_lift(ctx, member->type, variant + type->offset);
    sound = !JS_IsException(value) && JS_DefinePropertyValueStr(ctx, object, "value", value, JS_PROP_C_W_E) >= 0;
  }
  return checked(ctx, object, sound);
}

static JSValue lift_patch(JSContext *ctx, const gg_type *type, const uint8_t *patch) {
  if (type->members[patch[0]].type) return gg_lift(ctx, type->members[patch[0]].type, patch + type->offset);
  for (uint32_t i = 0; i < patch[0]; i++)
    if (!type->members[i].type) return JS_NULL; /* a case that carries nothing came before: this one clears */
  return JS_UNDEFINED;
}

JSValue gg_lift(JSContext *ctx, const gg_type *type, const void *value) {
  switch (type->kind) {
    case GG_BOOL: return JS_NewBool(ctx, *(const bool *)value);
    case GG_U8: return JS_NewInt32(ctx, *(const uint8_t *)value);
    case GG_S8: return JS_NewInt32(ctx, *(const int8_t *)value);
    case GG_U16: return JS_NewInt32(ctx, *(const uint16_t *)value);
    case GG_S16: return JS_NewInt32(ctx, *(const int16_t *)value);
    case GG_U32: return JS_NewInt64(ctx, *(const uint32_t *)value);
    case GG_S32: return JS_NewInt32(ctx, *(const int32_t *)value);
    case GG_U64: return lift_large(ctx, *(const uint64_t *)value, false);
    case GG_S64: {
      int64_t integer = *(const int64_t *)value;
      return lift_large(ctx, integer < 0 ? -(uint64_t)integer : (uint64_t)integer, integer < 0);
    }
    case GG_F32: return JS_NewFloat64(ctx, *(const float *)value);
    case GG_F64: return JS_NewFloat64(ctx, *(const double *)value);
    case GG_CHAR: return lift_char(ctx, *(const uint32_t *)value);
    case GG_STRING: {
      const guest_string_t *text = value;
      return JS_NewStringLen(ctx, (const char *)text->ptr, text->len);
    }
    case GG_LIST: return lift_list(ctx, type, value);
    case GG_OPTION:
      return *(const bool *)value ? gg_lift(ctx, type->item, (const uint8_t *)value + type->offset) : JS_UNDEFINED;
    case GG_RECORD: {
      JSValue object = JS_NewObject(ctx);
      return JS_IsException(object) ? object : checked(ctx, object, lift_fields(ctx, type, value, object));
    }
    case GG_ENUM: return JS_AtomToString(ctx, type->members[*(const uint8_t *)value].atom);
    case GG_VARIANT: return lift_variant(ctx, type, value);
    case GG_PATCH: return lift_patch(ctx, type, value);
  }
  return JS_UNDEFINED;
}

void gg_free_value(const gg_type *type, void *value) {
  uint8_t *bytes = value;
  switch (type->kind) {
    case GG_STRING:
      if (((guest_string_t *)value)->len) free(((guest_string_t *)value)->ptr);
      return;
    case GG_LIST: {
      guest_list_string_t *list = value;
      for (size_t i = 0; i < list->len; i++) gg_free_value(type->item, (uint8_t *)list->ptr + i * type->item->size);
      if (list->len) free(list->ptr);
      return;
    }
    case GG_OPTION:
      if (bytes[0]) gg_free_value(type->item, bytes + type->offset);
      return;
    case GG_RECORD:
      for (uint32_t i = 0; i < type->count; i++) gg_free_value(type->members[i].type, bytes + type->members[i].offset);
      return;
    case GG_VARIANT:
    case GG_PATCH:
      if (type->members[bytes[0]].type) gg_free_value(type->members[bytes[0]].type, bytes + type->offset);
      return;
    default: return;
  }
}
