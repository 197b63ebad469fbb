/* The component's exports, and the point at which the snapshot is taken. */
#include <stdlib.h>
#include <string.h>

#include "gg.h"

__attribute__((export_name("wizer.initialize"))) void gg_initialize(void) { gg_make_engine(); }

void exports_guest_run(guest_string_t *program, guest_list_source_module_t *modules, guest_list_string_t *operations,
                       guest_ending_role_t ending, bool library) {
  (void)operations, (void)ending, (void)library; /* the host decides at each call */
  gg_start_clock();
  for (size_t i = 0; i < modules->len; i++) {
    guest_string_t message = {(uint8_t *)"code modules are not part of this component", 43};
    gg_sdk_feedback_report_module_error(&modules->ptr[i].name, &message);
  }
  /* The engine wants a zero byte behind the source; an empty string came without memory of its own. */
  char *source = realloc(program->len ? program->ptr : NULL, program->len + 1);
  if (!source) {
    gg_sdk_feedback_out_of_memory();
    gg_report_words("InternalError: out of memory");
    return;
  }
  source[program->len] = 0;
  gg_run_program(gg_context, source, program->len);
}

void exports_guest_bound_operations(guest_list_string_t *ids) {
  size_t count = 0;
  for (uint32_t i = 0; i < gg_module_count; i++) count += gg_modules[i].count;
  guest_string_t *names = calloc(count, sizeof *names);
  if (!names) abort();
  *ids = (guest_list_string_t){names, count};
  for (uint32_t i = 0; i < gg_module_count; i++)
    for (uint32_t j = 0; j < gg_modules[i].count; j++) guest_string_dup(names++, gg_modules[i].operations[j].id);
}

/* Memory for what the host gives. No call of the host is allowed in here, so want of memory is told by a place that is none:
 * the host then ends the guest for it, where the generated one would end it by a trap like any other. */
__attribute__((export_name("cabi_realloc"))) void *cabi_realloc(void *memory, size_t old_bytes, size_t align, size_t bytes) {
  (void)old_bytes;
  if (!bytes) return (void *)align;
  void *larger = realloc(memory, bytes);
  return larger ? larger : (void *)(UINTPTR_MAX & -align);
}

/* guest.c refers to this so that an object file with the component's type is linked; the build embeds the type instead. */
void __component_type_object_force_link_guest(void) {}
