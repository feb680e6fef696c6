// Threads: where the parts of a step that do not depend on each other run.
//
// Each task writes to its own place, and results are put together in the order of the tasks: so
// they are the same, bit for bit, for every number of threads. A warm call allocates nothing.
//
//   abut::Threads threads(0);  // all cores
//   threads.run(tasks, [&](int i) { answers[i] = solve(problems[i]); });
#pragma once

#include <memory>

namespace abut {

class Threads {
 public:
  // 0: as many as the machine has cores; no more than these ever run. The calling thread is one of
  // them; the others start with the first run() that has work for them.
  explicit Threads(int count = 1);
  ~Threads();
  Threads(Threads&&) noexcept;
  Threads& operator=(Threads&&) noexcept;

  int count() const { return count_; }

  // Calls task(0) to task(tasks - 1), each once, in any order and at the same time, and waits until
  // all are done. What a task throws, run() throws.
  template <class Task>
  void run(int tasks, const Task& task) {
    if (count_ == 1 || tasks < 2) {
      for (int i = 0; i < tasks; ++i) task(i);
      return;
    }
    run_all(
        tasks, [](const void* t, int i) { (*static_cast<const Task*>(t))(i); }, &task);
  }

 private:
  struct Arena;
  void run_all(int tasks, void (*call)(const void* task, int i), const void* task);

  int count_;
  std::unique_ptr<Arena> arena_;  // null: one thread
};

}  // namespace abut
