/* Clock and randomness, so that the snapshot is the same at every build and a run is the run's own. */
#include <stdint.h>

#include "gg.h"

static bool running; /* false while the snapshot is taken */

/* The engine takes a seed, a hash seed and a time origin from the clock when a context is made. While the snapshot is taken
 * this clock stands still, so two builds give the same bytes; at run time it is the run's own, through the adapter. */
__attribute__((import_module("wasi_snapshot_preview1"), import_name("clock_time_get"))) int32_t
preview1_clock_time_get(int32_t id, int64_t precision, int32_t out);

int32_t __imported_wasi_snapshot_preview1_clock_time_get(int32_t id, int64_t precision, int32_t out) {
  if (running) return preview1_clock_time_get(id, precision, out);
  *(int64_t *)out = 1000000000;
  return 0;
}

void gg_start_clock(void) { running = true; }

/* xoshiro256++ by Blackman and Vigna (public domain), seeded by the run's own source at the first number a program draws:
 * a crossing for each number would be a hundred times slower. */
static uint64_t state[4];

static uint64_t rotate(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static uint64_t next_random(void) {
  while (!(state[0] | state[1] | state[2] | state[3]))
    for (int i = 0; i < 4; i++) state[i] = gg_sdk_feedback_random();
  uint64_t result = rotate(state[0] + state[3], 23) + state[0], shifted = state[1] << 17;
  state[2] ^= state[0];
  state[3] ^= state[1];
  state[1] ^= state[2];
  state[0] ^= state[3];
  state[2] ^= shifted;
  state[3] = rotate(state[3], 45);
  return result;
}

static JSValue random_number(JSContext *ctx, JSValueConst self, int argc, JSValueConst *argv) {
  (void)self, (void)argc, (void)argv;
  return JS_NewFloat64(ctx, (double)(next_random() >> 11) * 0x1p-53);
}

void gg_install_random(JSContext *ctx) {
  JSValue global = JS_GetGlobalObject(ctx), math = JS_GetPropertyStr(ctx, global, "Math");
  JS_DefinePropertyValueStr(ctx, math, "random", JS_NewCFunction(ctx, random_number, "random", 0),
                            JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
  JS_FreeValue(ctx, math);
  JS_FreeValue(ctx, global);
}
