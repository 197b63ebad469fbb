"""The preview 1 adapter's code as WebAssembly text: output by whole lines, a clock that sleep advances, and answers.

Output. Bytes written to descriptor 1 leave as ``log(line)``, one call for each whole line, without its line end; bytes
written to descriptor 2 leave as ``stderr(text)`` within the write. A string that is not well-formed UTF-8 traps at the
canonical ABI, so bytes pass a decoder first: a character split over writes is joined, and each maximal subpart of an
ill-formed sequence becomes U+FFFD (Unicode, section 3.9, "Best Practices for Using U+FFFD"; it is what Python's
``decode("utf-8", "replace")`` does). The decoder keeps up to three bytes of an unfinished character in one global for
each descriptor: the bytes in memory order from the lowest, their count in the highest byte.

An adapter has no data memory of its own. The line buffer is taken from the main module's memory with ``memory.grow``
when the first line needs one (a whole ASCII line is sent from where the guest holds it). ``memory.grow`` and not the
guest's ``cabi_realloc``: it cannot trap or enter the guest again, so a guest out of memory can still say so. Where it
is denied, text is sent in pieces as it comes: ASCII from the guest's own bytes, other characters through the four bytes
that every ``fd_write`` owns for its result.

What is held back leaves when the other descriptor is written to, at ``fd_datasync``, and at ``fd_sync``, ``fd_close``
and ``proc_exit``, which end an unfinished character as well. A guest calls ``fd_datasync`` before it crosses the
membrane by itself and ``fd_sync`` before it traps or returns.
"""

from __future__ import annotations

LINE_LIMIT = 4 << 20
"""Bytes of one line held back while its end has not come; a longer line leaves in pieces. A choice, well above any
line that a person reads."""

SUCCESS, BADF, INVAL, NOENT, NOTDIR, NOTSUP, SPIPE = 0, 8, 28, 44, 54, 58, 70
"""Values of preview 1's ``errno`` that the adapter answers with."""

STREAM_RIGHTS = ~(1 << 2 | 1 << 5)
"""Every right but ``fd_seek`` (bit 2) and ``fd_tell`` (bit 5): with one of them a C library takes the descriptor for a
file and holds its output back instead of sending it line by line."""

CHARACTER_DEVICE = 2
"""Value of preview 1's ``filetype``."""

LATEST = 2**63 - 1
"""The latest time the clock shows, in nanoseconds: a sleep without end goes there and no further."""

STATE = """
  (global $buffer (mut i32) (i32.const 0))    ;; the line buffer's place; 0 while there is none
  (global $capacity (mut i32) (i32.const 0))
  (global $length (mut i32) (i32.const 0))    ;; bytes of the buffer in use, always whole characters of $fd
  (global $scratch (mut i32) (i32.const 0))   ;; room for one character where there is no buffer; 0 outside fd_write
  (global $fd (mut i32) (i32.const 1))        ;; the descriptor written to last
  (global $partial1 (mut i32) (i32.const 0))  ;; unfinished character of descriptor 1
  (global $partial2 (mut i32) (i32.const 0))  ;; and of descriptor 2
  (global $slept (mut i64) (i64.const 0))     ;; nanoseconds that sleeping has advanced the clock by
  (global $started (mut i64) (i64.const -1))  ;; where the clocks of processor time began; -1 while unread
"""

OUTPUT = f"""
  (func $send (param $from i32) (param $bytes i32)
    (if (i32.eq (global.get $fd) (i32.const 2))
      (then (call $stderr (local.get $from) (local.get $bytes)))
      (else (call $log (local.get $from) (local.get $bytes)))))

  ;; what the buffer holds, as one line or text, also an empty one
  (func $end_line
    (local $bytes i32)
    (local.set $bytes (global.get $length))
    (global.set $length (i32.const 0))
    (call $send (global.get $buffer) (local.get $bytes)))

  (func $flush
    (if (global.get $length) (then (call $end_line))))

  ;; flush, unless what is held belongs to the same descriptor
  (func $switch (param $to i32)
    (if (i32.ne (global.get $fd) (local.get $to)) (then (call $flush) (global.set $fd (local.get $to)))))

  ;; make room for more bytes in the buffer; 0 where memory is denied
  (func $room (param $more i32) (result i32)
    (local $wanted i32) (local $grown i32) (local $place i32)
    (if (i32.gt_u (i32.add (global.get $length) (local.get $more)) (i32.const {LINE_LIMIT})) (then (call $flush)))
    (local.set $wanted (i32.add (global.get $length) (local.get $more)))
    (if (i32.le_u (local.get $wanted) (global.get $capacity)) (then (return (i32.const 1))))
    ;; double it: what moving leaves behind stays below what is in use
    (local.set $grown (select (global.get $capacity) (local.get $wanted)
      (i32.gt_u (global.get $capacity) (local.get $wanted))))
    (local.set $grown (i32.shr_u (i32.add (local.get $grown) (i32.const 65535)) (i32.const 16)))
    (local.set $place (memory.grow (local.get $grown)))
    (if (i32.eq (local.get $place) (i32.const -1)) (then
      (call $flush)
      (return (i32.le_u (local.get $more) (global.get $capacity)))))
    (local.set $place (i32.shl (local.get $place) (i32.const 16)))
    (local.set $grown (i32.shl (local.get $grown) (i32.const 16)))
    (if (i32.eq (local.get $place) (i32.add (global.get $buffer) (global.get $capacity)))
      (then (global.set $capacity (i32.add (global.get $capacity) (local.get $grown))))
      (else
        (memory.copy (local.get $place) (global.get $buffer) (global.get $length))
        (global.set $buffer (local.get $place))
        (global.set $capacity (local.get $grown))))
    (i32.const 1))

  ;; ASCII from the guest's memory
  (func $append (param $from i32) (param $bytes i32)
    (if (i32.eqz (local.get $bytes)) (then (return)))
    (if (i32.gt_u (local.get $bytes) (i32.const {LINE_LIMIT})) (then
      (call $flush) (call $send (local.get $from) (local.get $bytes)) (return)))
    (if (i32.eqz (call $room (local.get $bytes))) (then
      (call $send (local.get $from) (local.get $bytes)) (return)))
    (memory.copy (i32.add (global.get $buffer) (global.get $length)) (local.get $from) (local.get $bytes))
    (global.set $length (i32.add (global.get $length) (local.get $bytes))))

  ;; one character, its bytes in memory order
  (func $append_character (param $character i32) (param $bytes i32)
    (if (call $room (i32.const 4))
      (then
        (i32.store align=1 (i32.add (global.get $buffer) (global.get $length)) (local.get $character))
        (global.set $length (i32.add (global.get $length) (local.get $bytes))))
      (else (if (global.get $scratch) (then
        (i32.store align=1 (global.get $scratch) (local.get $character))
        (call $send (global.get $scratch) (local.get $bytes)))))))

  (func $append_replacement  ;; U+FFFD
    (call $append_character (i32.const 0xBDBFEF) (i32.const 3)))

  (func $partial (result i32)
    (select (global.get $partial2) (global.get $partial1) (i32.eq (global.get $fd) (i32.const 2))))

  (func $set_partial (param $to i32)
    (if (i32.eq (global.get $fd) (i32.const 2))
      (then (global.set $partial2 (local.get $to)))
      (else (global.set $partial1 (local.get $to)))))

  ;; one byte of a character that is not ASCII; 0 when it does not continue the unfinished one and must be taken again
  (func $decode (param $byte i32) (result i32)
    (local $partial i32) (local $lead i32) (local $seen i32) (local $lowest i32) (local $highest i32)
    (local.set $partial (call $partial))
    (if (i32.eqz (local.get $partial)) (then
      (if (i32.le_u (i32.sub (local.get $byte) (i32.const 0xC2)) (i32.const 0x32))  ;; C2 to F4
        (then (call $set_partial (i32.or (local.get $byte) (i32.const 0x1000000))))
        (else (call $append_replacement)))
      (return (i32.const 1))))
    (local.set $lead (i32.and (local.get $partial) (i32.const 0xFF)))
    (local.set $seen (i32.shr_u (local.get $partial) (i32.const 24)))
    (local.set $lowest (i32.const 0x80))
    (local.set $highest (i32.const 0xBF))
    (if (i32.eq (local.get $seen) (i32.const 1)) (then  ;; overlong forms, surrogates, beyond U+10FFFF
      (if (i32.eq (local.get $lead) (i32.const 0xE0)) (then (local.set $lowest (i32.const 0xA0))))
      (if (i32.eq (local.get $lead) (i32.const 0xED)) (then (local.set $highest (i32.const 0x9F))))
      (if (i32.eq (local.get $lead) (i32.const 0xF0)) (then (local.set $lowest (i32.const 0x90))))
      (if (i32.eq (local.get $lead) (i32.const 0xF4)) (then (local.set $highest (i32.const 0x8F))))))
    (if (i32.or (i32.lt_u (local.get $byte) (local.get $lowest)) (i32.gt_u (local.get $byte) (local.get $highest)))
     (then
      (call $set_partial (i32.const 0))
      (call $append_replacement)
      (return (i32.const 0))))
    (local.set $partial (i32.or
      (i32.and (local.get $partial) (i32.const 0xFFFFFF))
      (i32.shl (local.get $byte) (i32.shl (local.get $seen) (i32.const 3)))))
    (local.set $seen (i32.add (local.get $seen) (i32.const 1)))
    (if (i32.eq (local.get $seen) (i32.add (i32.const 2) (i32.add
          (i32.ge_u (local.get $lead) (i32.const 0xE0)) (i32.ge_u (local.get $lead) (i32.const 0xF0)))))
      (then
        (call $set_partial (i32.const 0))
        (call $append_character (local.get $partial) (local.get $seen)))
      (else (call $set_partial (i32.or (local.get $partial) (i32.shl (local.get $seen) (i32.const 24))))))
    (i32.const 1))

  ;; take the bytes of one piece of a write
  (func $take (param $at i32) (param $end i32)
    (local $run i32) (local $byte i32)
    (loop $next
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return)))
      (if (call $partial)
        (then (local.set $at (i32.add (local.get $at) (call $decode (i32.load8_u (local.get $at))))))
        (else
          (local.set $run (local.get $at))
          (block $stop (loop $scan
            (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $byte (i32.load8_u (local.get $at)))
            (br_if $stop (i32.ge_u (local.get $byte) (i32.const 0x80)))
            (br_if $stop (i32.and (i32.eq (local.get $byte) (i32.const 10)) (i32.eq (global.get $fd) (i32.const 1))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $scan)))
          (if (i32.and (i32.eqz (global.get $length)) (select
                (i32.and (i32.lt_u (local.get $at) (local.get $end)) (i32.eq (local.get $byte) (i32.const 10)))
                (i32.and (i32.eq (local.get $at) (local.get $end)) (i32.ne (local.get $at) (local.get $run)))
                (i32.eq (global.get $fd) (i32.const 1))))
            (then  ;; a whole line, or a whole text for descriptor 2, straight from the guest's memory
              (call $send (local.get $run) (i32.sub (local.get $at) (local.get $run)))
              (local.set $at (i32.add (local.get $at) (i32.const 1))))
            (else
              (call $append (local.get $run) (i32.sub (local.get $at) (local.get $run)))
              (if (i32.lt_u (local.get $at) (local.get $end)) (then
                (if (i32.eq (local.get $byte) (i32.const 10))
                  (then (call $end_line))
                  (else (drop (call $decode (local.get $byte)))))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))))))))
      (br $next)))

  ;; what a descriptor holds back, an unfinished character included
  (func $finish (param $of i32)
    (call $switch (local.get $of))
    (if (call $partial) (then (call $set_partial (i32.const 0)) (call $append_replacement)))
    (call $flush))
"""  # noqa: S608 - WebAssembly's `select`

CLOCK = f"""
  (func $now (result i64) (i64.add (call $clock) (global.get $slept)))

  ;; advance the clock, not beyond the latest time it can show
  (func $sleep (param $wait i64)
    (local $left i64)
    (local.set $left (i64.sub (i64.const {LATEST}) (call $now)))
    (global.set $slept (i64.add (global.get $slept)
      (select (local.get $wait) (local.get $left) (i64.lt_u (local.get $wait) (local.get $left))))))

  ;; nanoseconds until a clock subscription is due
  (func $wait (param $subscription i32) (result i64)
    (local $timeout i64) (local $now i64)
    (local.set $timeout (i64.load offset=24 (local.get $subscription)))
    (if (i32.and (i32.load16_u offset=40 (local.get $subscription)) (i32.const 1)) (then  ;; an absolute time
      (local.set $now (call $read_clock (i32.load offset=16 (local.get $subscription))))
      (local.set $timeout (select (i64.sub (local.get $timeout) (local.get $now)) (i64.const 0)
        (i64.gt_u (local.get $timeout) (local.get $now))))))
    (local.get $timeout))

  ;; 0 and 1: the run's clock; 2 and 3: processor time since it was first read, which sleeping does not use
  (func $read_clock (param $id i32) (result i64)
    (if (i32.le_u (local.get $id) (i32.const 1)) (then (return (call $now))))
    (if (i64.eq (global.get $started) (i64.const -1)) (then (global.set $started (call $clock))))
    (i64.sub (call $clock) (global.get $started)))
"""

FD_WRITE = f"""
    (local $total i32) (local $bytes i32)
    (if (i32.gt_u (i32.sub (local.get 0) (i32.const 1)) (i32.const 1)) (then (return (i32.const {BADF}))))
    (call $switch (local.get 0))
    (global.set $scratch (local.get 3))
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get 2)))
      (local.set $bytes (i32.load offset=4 (local.get 1)))
      (call $take (i32.load (local.get 1)) (i32.add (i32.load (local.get 1)) (local.get $bytes)))
      (local.set $total (i32.add (local.get $total) (local.get $bytes)))
      (local.set 1 (i32.add (local.get 1) (i32.const 8)))
      (local.set 2 (i32.sub (local.get 2) (i32.const 1)))
      (br $next)))
    (if (i32.eq (local.get 0) (i32.const 2)) (then (call $flush)))
    (global.set $scratch (i32.const 0))
    (i32.store (local.get 3) (local.get $total))
    (i32.const {SUCCESS})"""

POLL_ONEOFF = f"""
    (local $each i32) (local $left i32) (local $tag i32) (local $ready i32) (local $events i32)
    (local $wait i64) (local $shortest i64)
    (if (i32.eqz (local.get 2)) (then (return (i32.const {INVAL}))))
    ;; how long until the first subscription is due: descriptors are ready at once
    (local.set $shortest (i64.const -1))
    (local.set $each (local.get 0))
    (local.set $left (local.get 2))
    (loop $look
      (local.set $tag (i32.load8_u offset=8 (local.get $each)))
      (if (i32.gt_u (local.get $tag) (i32.const 2)) (then (return (i32.const {INVAL}))))
      (local.set $wait (i64.const 0))
      (if (i32.eqz (local.get $tag)) (then
        (if (i32.le_u (i32.load offset=16 (local.get $each)) (i32.const 3))
          (then (local.set $wait (call $wait (local.get $each)))))))
      (if (i64.lt_u (local.get $wait) (local.get $shortest)) (then (local.set $shortest (local.get $wait))))
      (local.set $each (i32.add (local.get $each) (i32.const 48)))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $look (local.get $left)))
    ;; one event for each that is due by then
    (local.set $each (local.get 0))
    (local.set $left (local.get 2))
    (loop $tell
      (local.set $tag (i32.load8_u offset=8 (local.get $each)))
      (local.set $ready (i32.const 1))
      (i32.store16 offset=8 (local.get 1) (i32.const {SUCCESS}))
      (i64.store offset=16 (local.get 1) (i64.const 0))
      (i64.store offset=24 (local.get 1) (i64.const 0))
      (if (i32.eqz (local.get $tag))
        (then
          (if (i32.gt_u (i32.load offset=16 (local.get $each)) (i32.const 3))
            (then (i32.store16 offset=8 (local.get 1) (i32.const {INVAL})))
            (else (local.set $ready (i64.le_u (call $wait (local.get $each)) (local.get $shortest))))))
        (else
          (if (i32.eq (local.get $tag) (i32.const 1))
            (then  ;; reading: descriptor 0 is at its end
              (if (i32.load offset=16 (local.get $each))
                (then (i32.store16 offset=8 (local.get 1) (i32.const {BADF})))
                (else (i32.store16 offset=24 (local.get 1) (i32.const 1)))))
            (else  ;; writing
              (if (i32.gt_u (i32.sub (i32.load offset=16 (local.get $each)) (i32.const 1)) (i32.const 1))
                (then (i32.store16 offset=8 (local.get 1) (i32.const {BADF})))
                (else (i64.store offset=16 (local.get 1) (i64.const 65536))))))))
      (if (local.get $ready) (then
        (i64.store (local.get 1) (i64.load (local.get $each)))
        (i32.store8 offset=10 (local.get 1) (local.get $tag))
        (local.set $events (i32.add (local.get $events) (i32.const 1)))
        (local.set 1 (i32.add (local.get 1) (i32.const 32)))))
      (local.set $each (i32.add (local.get $each) (i32.const 48)))
      (local.set $left (i32.sub (local.get $left) (i32.const 1)))
      (br_if $tell (local.get $left)))
    (call $sleep (local.get $shortest))
    (i32.store (local.get 3) (local.get $events))
    (i32.const {SUCCESS})"""

RANDOM_GET = f"""
    (local $bits i64) (local $have i32)
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get 1)))
      (if (i32.eqz (local.get $have)) (then (local.set $bits (call $random)) (local.set $have (i32.const 8))))
      (i32.store8 (local.get 0) (i32.wrap_i64 (local.get $bits)))
      (local.set $bits (i64.shr_u (local.get $bits) (i64.const 8)))
      (local.set $have (i32.sub (local.get $have) (i32.const 1)))
      (local.set 0 (i32.add (local.get 0) (i32.const 1)))
      (local.set 1 (i32.sub (local.get 1) (i32.const 1)))
      (br $next)))
    (i32.const {SUCCESS})"""
