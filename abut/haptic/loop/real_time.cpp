#include "abut/haptic/loop/real_time.h"

#include <malloc.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <cerrno>
#include <cmath>

#include "abut/haptic/tolerances.h"

namespace abut::haptic {

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * kNanosecond;
}

void wait_until(double time, double spin) {
  const double wake = time - spin;
  if (wake > now()) {
    timespec t{};
    t.tv_sec = static_cast<time_t>(std::floor(wake));
    t.tv_nsec = static_cast<long>((wake - std::floor(wake)) / kNanosecond);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR) {
    }
  }
  while (now() < time) {
  }
}

bool set_fifo(int priority) {
  sched_param p{};
  p.sched_priority = priority;
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == 0;
}

bool lock_memory() {
  // The heap keeps what it has, and takes nothing by mmap: both would be page faults later. Without
  // the capability, a process of this size is beyond the usual limit, and the call changes nothing.
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_MMAP_MAX, 0);
  return mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
}

void touch_stack() {
  volatile char pages[256 * 1024];
  for (std::size_t i = 0; i < sizeof pages; i += 4096) pages[i] = 0;
}

}  // namespace abut::haptic
