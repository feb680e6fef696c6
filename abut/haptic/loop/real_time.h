// What the operating system gives to a thread that must not be late.
#pragma once

#include <cstdint>

namespace abut::haptic {

// s, of the monotonic clock.
double now();
// Sleeps until then; the last `spin` seconds the thread looks at the clock instead.
void wait_until(double time, double spin);

// This thread goes before all ordinary ones (SCHED_FIFO). False: that is not allowed.
bool set_fifo(int priority);
// Keeps the memory of the process from being swapped out, and the heap from being given back.
// False: that is not allowed.
bool lock_memory();
// Touches the pages of the stack that will be used.
void touch_stack();

}  // namespace abut::haptic
