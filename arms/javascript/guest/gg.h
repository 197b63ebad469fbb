/* The guest's own header: descriptors of the SDK (generated, in glue.c) and what its hand-written files share. */
#ifndef GG_H
#define GG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "guest.h"
#include "quickjs.h"

/* ---- descriptors: how a value of the membrane looks in C and in JavaScript ---------------------------------- */

typedef enum {
  GG_BOOL, GG_U8, GG_S8, GG_U16, GG_S16, GG_U32, GG_S32, GG_U64, GG_S64, GG_F32, GG_F64, GG_CHAR, GG_STRING,
  GG_LIST,    /* {pointer, length} of `item`; an array */
  GG_OPTION,  /* {bool, `item` at `offset`}; undefined or the value */
  GG_RECORD,  /* members at their offsets; an object */
  GG_ENUM,    /* one byte; a word */
  GG_VARIANT, /* {tag, payload at `offset`}; an object with `kind` */
  GG_PATCH,   /* a variant keep/clear/set; undefined keeps, null clears, a value sets */
} gg_kind;

typedef struct gg_type gg_type;

/* A field of a record, a case of an enum or variant, or a parameter of an operation. */
typedef struct {
  const char *text;    /* its name in JavaScript; for a case, the word */
  const gg_type *type; /* NULL for a case that carries nothing */
  uint32_t offset;     /* of a field in its record, of a parameter in its frame */
  bool optional;       /* may be left out: an option, a list that is then empty, or a patch */
  JSAtom atom;         /* of `text`; made once, before the snapshot is taken */
} gg_member;

struct gg_type {
  gg_kind kind;
  uint32_t size;          /* bytes in C */
  uint32_t offset;        /* of an option's value or a variant's payload */
  const gg_type *item;    /* of a list or option */
  gg_member *members;     /* fields or cases */
  uint32_t count;         /* of members */
};

/* Calls the operation's binding: one pointer for each parameter (NULL: an option that is none), a place for the result and
 * one for the failure. Returns whether it succeeded. */
typedef bool gg_binding(void *const *arguments, void *result, gg_sdk_types_failure_t *failure);

typedef struct {
  const char *id;       /* in the catalogue: "files.read_file" */
  const char *key;      /* as a failure names it: "read_file" */
  const char *name;     /* in JavaScript: "readFile" */
  gg_member *params;    /* in the binding's order; the optional ones are fields of one options object */
  uint32_t count;       /* of params */
  const gg_type *result; /* NULL when it gives nothing */
  gg_binding *call;
} gg_operation;

typedef struct {
  const char *name; /* in JavaScript: "files" */
  const gg_operation *operations;
  uint32_t count;
} gg_module;

extern const gg_module gg_modules[];
extern const uint32_t gg_module_count;
extern const gg_type *const gg_types[]; /* every type that has members */
extern const uint32_t gg_type_count;
extern const gg_type gg_error_codes; /* the enum of failure codes */
extern const uint32_t gg_frame_bytes;  /* the largest frame of any operation */
extern const uint32_t gg_result_bytes; /* the largest result of any operation */

#define GG_MAX_PARAMS 16 /* glue.c refuses to compile with more */

/* ---- values.c: between JavaScript and C, by descriptor ------------------------------------------------------- */

/* The place of a value inside a call's arguments, for the words of an error: `task.blockedBy[2]`. */
typedef struct gg_path {
  const struct gg_path *parent;
  const char *name; /* NULL for an element of a list */
  uint32_t index;
} gg_path;

/* What lowering holds until the call is over. */
typedef struct {
  const gg_operation *operation;
  struct gg_held *held;
} gg_lowering;

void gg_intern_names(JSContext *ctx);
/* Both return false with an exception pending. `out` has room for `type->size` bytes. */
bool gg_lower(JSContext *ctx, gg_lowering *lowering, const gg_type *type, JSValueConst value, const gg_path *path, void *out);
bool gg_lower_members(JSContext *ctx, gg_lowering *lowering, const gg_member *members, uint32_t count, JSValueConst object,
                      const gg_path *path, void *out, bool *present, const char *tag);
void gg_release(JSContext *ctx, gg_lowering *lowering);
JSValue gg_lift(JSContext *ctx, const gg_type *type, const void *value);
void gg_free_value(const gg_type *type, void *value);
/* Throws `invalid-argument`: "`path` must be WANTED, but is WHAT IT IS"; the last part is left out for JS_UNINITIALIZED. */
void gg_throw_wanted(JSContext *ctx, const gg_lowering *lowering, const gg_path *path, JSValueConst value, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* ---- operations.c: the module `gg` ------------------------------------------------------------------------- */

void gg_make_modules(JSContext *ctx, JSValueConst core);
JSModuleDef *gg_make_sdk(JSContext *ctx, const char *name);
bool gg_is_sdk(const char *name);
void gg_throw_failure(JSContext *ctx, const char *operation, size_t operation_length, uint32_t code, const char *message,
                      size_t message_length);

/* ---- text.c: well-formed text for the host ------------------------------------------------------------------ */

/* Whether UTF-8 made by the engine holds half of a surrogate pair, which no string of the membrane can. */
bool gg_has_lone_surrogate(const char *text, size_t length);
/* The text of a string value, each lone surrogate replaced by U+FFFD; NULL with an exception pending. Free it with free(). */
char *gg_well_formed(JSContext *ctx, JSValueConst value, size_t *length);

/* ---- engine.c, runtime.c, report.c, machine.c ---------------------------------------------------------------- */

#define GG_PROGRAM_FILE "program.js"

/* What runtime.js gives: the failure class, and the functions that put a value in words. */
typedef struct {
  JSValue api_error;
  JSValue describe_error; /* of an uncaught value: [message, location or undefined, kind, code or undefined] */
} gg_runtime;

extern gg_runtime gg_prelude;
extern JSContext *gg_context;

void gg_make_engine(void);
void gg_load_runtime(JSContext *ctx);
void gg_run_program(JSContext *ctx, char *source, size_t length);
void *gg_take(size_t bytes); /* malloc that takes note when it is denied */
bool gg_allocation_failed(void); /* whether the guest was ever denied memory */
void gg_prepare_to_report(void); /* gives the report time and memory */

void gg_report_error(JSContext *ctx, JSValueConst error);
void gg_report_deferred(JSContext *ctx, JSValueConst error);
void gg_report_words(const char *message);
void gg_report_lost_job(void);

void gg_start_clock(void);
void gg_install_random(JSContext *ctx);

#endif
