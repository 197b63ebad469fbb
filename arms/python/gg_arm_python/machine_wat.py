"""The machine's code as WebAssembly text: clocks, sleep, random numbers, the standard streams, and "no" to the rest.

Time. The run's clock is ``feedback.clock-now`` plus all that was slept. A wait never waits: it moves the clock ahead to
the moment waited for. A pollable is a moment of the monotonic clock, kept in a table; number 0 is always ready.

Streams. Bytes go through the same decoder and line splitter as in the project's preview 1 adapter (``preview1_wat``).
Standard input is at its end.

Nothing else exists: no directory is opened for the guest, no socket can be made, no name looked up, and there are no
arguments and no environment. What would need a descriptor or a socket is ``unreachable``: none is ever handed out.
"""

from __future__ import annotations

from gg_arm_kit import preview1_wat

CLOCK_START = 1_000_000_000
"""Where the monotonic clock starts, in nanoseconds. Not 0, which programs take for "not started"."""

SLOTS, FIRST_SLOT, HEAP = 1024, 1024, 16384
"""The table of moments: how many, its place, and where the heap for strings that cross begins behind it."""

ACCESS_DENIED = 1
"""Case of ``wasi:sockets/network.error-code``."""

STREAM_CLOSED = 1
"""Case of ``wasi:io/streams.stream-error``."""

_F = "cm32p2|gg:sdk/feedback@0.1"

IMPORTS = f"""
  (import "{_F}" "log" (func $log (param i32 i32)))
  (import "{_F}" "stderr" (func $stderr (param i32 i32)))
  (import "{_F}" "exit" (func $exit (param i32)))
  (import "{_F}" "clock-now" (func $clock_now (result i64)))
  (import "{_F}" "random" (func $random (result i64)))
  (import "{_F}" "out-of-memory" (func $out_of_memory))
  (import "cm32p2|_ex_wasi:io/poll@0.2" "pollable_new" (func $pollable (param i32) (result i32)))
  (import "cm32p2|_ex_wasi:io/streams@0.2" "output-stream_new" (func $output (param i32) (result i32)))
  (import "cm32p2|_ex_wasi:io/streams@0.2" "input-stream_new" (func $input (param i32) (result i32)))
  (import "cm32p2|_ex_wasi:sockets/network@0.2" "network_new" (func $network (param i32) (result i32)))
"""

MEMORY = f"""
  (memory (export "cm32p2_memory") 1)
  (global $heap (mut i32) (i32.const {HEAP}))
  (global $heap_start (mut i32) (i32.const {HEAP}))
  (global $heap_end (mut i32) (i32.const 65536))
  (global $free (mut i32) (i32.const 0))   ;; first slot given back, each holding the next; 0 for none
  (global $used (mut i32) (i32.const 0))   ;; slots ever used

  ;; room on the heap, which the next call starts again; a region too small is left for one twice the size
  (func $allocate (param $bytes i32) (result i32)
    (local $at i32) (local $pages i32)
    (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
    (if (i32.gt_u (local.get $bytes) (i32.sub (global.get $heap_end) (local.get $at))) (then
      (local.set $pages (i32.add (i32.shr_u (local.get $bytes) (i32.const 15)) (i32.const 1)))
      (local.set $at (memory.grow (local.get $pages)))
      (if (i32.eq (local.get $at) (i32.const -1)) (then (call $out_of_memory) (unreachable)))
      (local.set $at (i32.shl (local.get $at) (i32.const 16)))
      (global.set $heap_start (local.get $at))
      (global.set $heap_end (i32.add (local.get $at) (i32.shl (local.get $pages) (i32.const 16))))))
    (global.set $heap (i32.add (local.get $at) (local.get $bytes)))
    (local.get $at))

  (func $reset (global.set $heap (global.get $heap_start)))

  (func (export "cm32p2_realloc")
    (param $old i32) (param $old_bytes i32) (param $align i32) (param $bytes i32) (result i32)
    (local $at i32)
    (local.set $at (call $allocate (local.get $bytes)))
    (if (local.get $old_bytes) (then
      (memory.copy (local.get $at) (local.get $old) (select (local.get $old_bytes) (local.get $bytes)
        (i32.lt_u (local.get $old_bytes) (local.get $bytes))))))
    (local.get $at))

  (func (export "cm32p2_initialize"))

  ;; a result of two words, in memory
  (func $words (param $first i32) (param $second i32) (result i32)
    (local $at i32)
    (local.set $at (call $allocate (i32.const 16)))
    (i32.store (local.get $at) (local.get $first))
    (i32.store offset=4 (local.get $at) (local.get $second))
    (i64.store offset=8 (local.get $at) (i64.const 0))
    (local.get $at))
"""

TIME = f"""
  (global $began (mut i64) (i64.const -1))  ;; what the wall clock showed at the first reading; -1 before

  (func $wall (result i64)
    (local $now i64)
    (local.set $now (call $clock_now))
    (if (i64.gt_u (local.get $now) (i64.sub (i64.const {preview1_wat.LATEST}) (global.get $slept)))
      (then (return (i64.const {preview1_wat.LATEST}))))
    (i64.add (local.get $now) (global.get $slept)))

  (func $monotonic (result i64)
    (local $now i64)
    (local.set $now (call $wall))
    (if (i64.eq (global.get $began) (i64.const -1)) (then (global.set $began (local.get $now))))
    (i64.add (i64.sub (local.get $now) (global.get $began)) (i64.const {CLOCK_START})))

  ;; move the clock ahead to a moment of the monotonic clock, not beyond the latest time
  (func $wait_until (param $moment i64) (param $now i64)
    (local $wait i64)
    (if (i64.le_u (local.get $moment) (local.get $now)) (then (return)))
    (local.set $wait (i64.sub (local.get $moment) (local.get $now)))
    (if (i64.gt_u (local.get $wait) (i64.sub (i64.const {preview1_wat.LATEST}) (global.get $slept)))
      (then (local.set $wait (i64.sub (i64.const {preview1_wat.LATEST}) (global.get $slept)))))
    (global.set $slept (i64.add (global.get $slept) (local.get $wait))))

  (func $slot (param $number i32) (result i32)
    (i32.add (i32.const {FIRST_SLOT - 8}) (i32.shl (local.get $number) (i32.const 3))))

  ;; the moment of a pollable
  (func $moment (param $number i32) (result i64)
    (if (result i64) (local.get $number)
      (then (i64.load (call $slot (local.get $number))))
      (else (i64.const 0))))

  (func $at_moment (param $moment i64) (result i32)
    (local $number i32)
    (local.set $number (global.get $free))
    (if (local.get $number)
      (then (global.set $free (i32.load (call $slot (local.get $number)))))
      (else
        (if (i32.eq (global.get $used) (i32.const {SLOTS})) (then  ;; so many waits at once: this one is over now
          (call $wait_until (local.get $moment) (call $monotonic))
          (return (call $pollable (i32.const 0)))))
        (global.set $used (i32.add (global.get $used) (i32.const 1)))
        (local.set $number (global.get $used))))
    (i64.store (call $slot (local.get $number)) (local.get $moment))
    (call $pollable (local.get $number)))

  (func $give_back (param $number i32)
    (if (local.get $number) (then
      (i32.store (call $slot (local.get $number)) (global.get $free))
      (global.set $free (local.get $number)))))

  ;; wait for the earliest of some pollables; the places of all that are ready then
  (func $poll (param $list i32) (param $count i32) (result i32)
    (local $at i32) (local $earliest i64) (local $now i64) (local $moment i64) (local $ready i32) (local $out i32)
    (local.set $out (call $allocate (i32.shl (local.get $count) (i32.const 2))))
    (local.set $earliest (i64.const -1))
    (loop $next (if (i32.lt_u (local.get $at) (local.get $count)) (then
      (local.set $moment (call $moment (i32.load (i32.add (local.get $list) (i32.shl (local.get $at) (i32.const 2))))))
      (if (i64.lt_u (local.get $moment) (local.get $earliest)) (then (local.set $earliest (local.get $moment))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))))
    (local.set $now (call $monotonic))
    (call $wait_until (local.get $earliest) (local.get $now))
    (if (i64.lt_u (local.get $now) (local.get $earliest)) (then (local.set $now (local.get $earliest))))
    (local.set $at (i32.const 0))
    (loop $next (if (i32.lt_u (local.get $at) (local.get $count)) (then
      (if (i64.le_u (call $moment (i32.load (i32.add (local.get $list) (i32.shl (local.get $at) (i32.const 2)))))
          (local.get $now))
        (then
          (i32.store (i32.add (local.get $out) (i32.shl (local.get $ready) (i32.const 2))) (local.get $at))
          (local.set $ready (i32.add (local.get $ready) (i32.const 1)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next))))
    (call $words (local.get $out) (local.get $ready)))

  (func $now_as_record (result i32)
    (local $now i64) (local $at i32)
    (local.set $now (call $wall))
    (local.set $at (call $allocate (i32.const 16)))
    (i64.store (local.get $at) (i64.div_u (local.get $now) (i64.const 1000000000)))
    (i64.store offset=8 (local.get $at) (i64.rem_u (local.get $now) (i64.const 1000000000)))
    (local.get $at))

  (func $nanosecond_as_record (result i32)
    (local $at i32)
    (local.set $at (call $allocate (i32.const 16)))
    (i64.store (local.get $at) (i64.const 0))
    (i64.store offset=8 (local.get $at) (i64.const 1))
    (local.get $at))

  (func $random_bytes (param $count i64) (result i32)
    (local $at i32) (local $out i32) (local $bytes i32)
    (if (i64.gt_u (local.get $count) (i64.const 0x40000000)) (then (call $out_of_memory) (unreachable)))
    (local.set $bytes (i32.wrap_i64 (local.get $count)))
    (local.set $out (call $allocate (i32.add (local.get $bytes) (i32.const 8))))
    (loop $next (if (i32.lt_u (local.get $at) (local.get $bytes)) (then
      (i64.store align=1 (i32.add (local.get $out) (local.get $at)) (call $random))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next))))
    (call $words (local.get $out) (local.get $bytes)))

  ;; bytes written to a stream, sent at once: 0 for "done"
  (func $write (param $stream i32) (param $from i32) (param $bytes i32) (result i32)
    (call $switch (local.get $stream))
    (call $take (local.get $from) (i32.add (local.get $from) (local.get $bytes)))
    (call $flush)
    (call $reset)
    (call $words (i32.const 0) (i32.const 0)))

  (func $room_in_stream (result i32)
    (local $at i32)
    (local.set $at (call $words (i32.const 0) (i32.const 0)))
    (i64.store offset=8 (local.get $at) (i64.const 1048576))
    (local.get $at))
"""

_AT_END = f"(call $words (i32.const 1) (i32.const {STREAM_CLOSED}))"
_NOTHING = "(call $words (i32.const 0) (i32.const 0))"
_DENIED = f"(call $words (i32.const 1) (i32.const {ACCESS_DENIED}))"

BODIES: dict[str, str] = {
    "wasi:io/poll@0.2|[method]pollable.block": (
        "(call $wait_until (call $moment (local.get 0)) (call $monotonic)) (call $reset)"
    ),
    "wasi:io/poll@0.2|poll": "(call $poll (local.get 0) (local.get 1))",
    "wasi:io/poll@0.2|pollable_dtor": "(call $give_back (local.get 0))",
    "wasi:clocks/monotonic-clock@0.2|now": "(call $monotonic)",
    "wasi:clocks/monotonic-clock@0.2|resolution": "(i64.const 1)",
    "wasi:clocks/monotonic-clock@0.2|subscribe-instant": "(call $at_moment (local.get 0))",
    "wasi:clocks/monotonic-clock@0.2|subscribe-duration": """(local $now i64)
    (local.set $now (call $monotonic))
    (call $at_moment (select (i64.const -1) (i64.add (local.get $now) (local.get 0))
      (i64.gt_u (local.get 0) (i64.sub (i64.const -1) (local.get $now)))))""",
    "wasi:clocks/wall-clock@0.2|now": "(call $now_as_record)",
    "wasi:clocks/wall-clock@0.2|resolution": "(call $nanosecond_as_record)",
    "wasi:random/random@0.2|get-random-bytes": "(call $random_bytes (local.get 0))",
    "wasi:io/streams@0.2|[method]output-stream.check-write": "(call $room_in_stream)",
    "wasi:io/streams@0.2|[method]output-stream.write": "(call $write (local.get 0) (local.get 1) (local.get 2))",
    "wasi:io/streams@0.2|[method]output-stream.blocking-write-and-flush": (
        "(call $write (local.get 0) (local.get 1) (local.get 2))"
    ),
    "wasi:io/streams@0.2|[method]output-stream.flush": f"(call $finish (local.get 0)) {_NOTHING}",
    "wasi:io/streams@0.2|[method]output-stream.blocking-flush": f"(call $finish (local.get 0)) {_NOTHING}",
    "wasi:io/streams@0.2|[method]output-stream.subscribe": "(call $pollable (i32.const 0))",
    "wasi:io/streams@0.2|[method]input-stream.read": _AT_END,
    "wasi:io/streams@0.2|[method]input-stream.blocking-read": _AT_END,
    "wasi:io/streams@0.2|[method]input-stream.subscribe": "(call $pollable (i32.const 0))",
    "wasi:cli/stdin@0.2|get-stdin": "(call $input (i32.const 0))",
    "wasi:cli/stdout@0.2|get-stdout": "(call $output (i32.const 1))",
    "wasi:cli/stderr@0.2|get-stderr": "(call $output (i32.const 2))",
    "wasi:cli/environment@0.2|get-environment": _NOTHING,
    "wasi:cli/environment@0.2|get-arguments": _NOTHING,
    "wasi:cli/exit@0.2|exit": "(call $exit (local.get 0)) (unreachable)",
    "wasi:cli/terminal-stdin@0.2|get-terminal-stdin": _NOTHING,
    "wasi:cli/terminal-stdout@0.2|get-terminal-stdout": _NOTHING,
    "wasi:cli/terminal-stderr@0.2|get-terminal-stderr": _NOTHING,
    "wasi:filesystem/preopens@0.2|get-directories": _NOTHING,
    "wasi:sockets/instance-network@0.2|instance-network": "(call $network (i32.const 0))",
    "wasi:sockets/tcp-create-socket@0.2|create-tcp-socket": _DENIED,
    "wasi:sockets/udp-create-socket@0.2|create-udp-socket": _DENIED,
    "wasi:sockets/ip-name-lookup@0.2|resolve-addresses": f"(call $reset) {_DENIED}",
}
"""What each function does, by its export's name without the prefix; its parameters are numbered."""

MODULE_TEXT = "".join((IMPORTS, MEMORY, preview1_wat.STATE, preview1_wat.OUTPUT, TIME))
"""Everything but the exported functions."""
