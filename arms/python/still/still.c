/* Loaded before the C library into the tool that makes the snapshot, so that two builds are made of the same bytes: the clock
   stands still and random numbers are always the same. What the snapshot draws from them is drawn anew in each run (the
   random generator's state, clocks), except the seed of Python's string hashes, which every run shares.

   Linux on x86-64. It needs no header and no library: the compiler is there to make WebAssembly and brings none for Linux. */

static const long SECONDS = 315532800; /* 1980, the first year that a zip file can name */

struct moment {
    long seconds, nanoseconds;
};

long getrandom(unsigned char *buffer, unsigned long size, unsigned flags) {
    (void)flags;
    for (unsigned long at = 0; at < size; at++)
        ((volatile unsigned char *)buffer)[at] = 0x5a;
    return (long)size;
}

int clock_gettime(int clock, struct moment *now) {
    (void)clock;
    now->seconds = SECONDS;
    now->nanoseconds = 0;
    return 0;
}
