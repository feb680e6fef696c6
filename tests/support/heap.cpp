#include "support/heap.h"

#include <atomic>
#include <cstddef>

namespace {
std::atomic<long> count{0};
}

long abut::test::heap_count() { return count.load(); }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
// glibc's malloc may be replaced; its own stays to be had by this name
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  count.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
#endif
