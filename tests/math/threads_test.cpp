#include "abut/math/threads/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "support/allocations.h"

namespace abut::test {
namespace {

TEST(Threads, RunEveryTaskOnce) {
  for (const int count : {1, 2, 3, 8}) {
    Threads threads(count);
    EXPECT_EQ(threads.count(), count);
    for (const int tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(tasks));
      threads.run(tasks, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const std::atomic<int>& c : calls) EXPECT_EQ(c, 1);
    }
  }
}

TEST(Threads, ZeroIsAllCores) { EXPECT_GE(Threads(0).count(), 1); }

TEST(Threads, HandOnWhatATaskThrows) {
  for (const int count : {1, 2}) {
    Threads threads(count);
    const auto fail = [](int i) {
      if (i == 3) throw std::runtime_error("task 3");
    };
    EXPECT_THROW(threads.run(10, fail), std::runtime_error);
    int done = 0;
    threads.run(1, [&](int) { ++done; });
    EXPECT_EQ(done, 1);
  }
}

TEST(Threads, WarmRunsDoNotAllocate) {
  Threads threads(2);
  std::vector<double> sums(64);
  const auto work = [&] {
    threads.run(64, [&](int i) { sums[static_cast<std::size_t>(i)] += i; });
  };
  for (int i = 0; i < 100; ++i) work();
  const long before = allocation_count();
  for (int i = 0; i < 100; ++i) work();
  EXPECT_EQ(allocation_count(), before);
  EXPECT_EQ(sums[63], 63 * 200);
}

}  // namespace
}  // namespace abut::test
