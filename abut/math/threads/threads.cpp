#include "abut/math/threads/threads.h"

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace abut {

struct Threads::Arena {
  tbb::task_arena tasks;
};

Threads::Threads(int count) : count_(count) {
  const int cores = std::max(1, tbb::info::default_concurrency());
  if (count_ <= 0) count_ = cores;
  if (count_ > 1) arena_.reset(new Arena{tbb::task_arena(std::min(count_, cores))});
}

Threads::~Threads() = default;
Threads::Threads(Threads&&) noexcept = default;
Threads& Threads::operator=(Threads&&) noexcept = default;

void Threads::run_all(int tasks, void (*call)(const void* task, int i), const void* task) {
  arena_->tasks.execute([&] {
    tbb::parallel_for(
        0, tasks, [&](int i) { call(task, i); }, tbb::simple_partitioner());
  });
}

}  // namespace abut
