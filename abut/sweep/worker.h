// SweepWorker: makes runs of a sweep, one after the other, on one thread. A run depends on its number
// alone: any worker makes the same row of it, bit for bit, whatever it did before.
//
//   abut::SweepWorker worker(plan);
//   abut::SweepRow row = worker.run(17);
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abut/model/world.h"
#include "abut/sweep/plan.h"

namespace abut {

struct SweepRow {
  std::int64_t run = 0;
  std::uint64_t seed = 0;
  std::vector<std::string> values;  // of grid and random keys
  std::vector<double> measures;     // none if the run failed
  std::uint64_t hash = 0;           // of the state at the end; of a run that failed: 0
  std::string status = "done";      // done, diverged, failed
  std::string reason;               // of what is not done
};

class SweepWorker {
 public:
  // Loads the world and checks keys, words and measures. Throws what is wrong with them: SweepError,
  // WorldError.
  explicit SweepWorker(SweepPlan plan);
  ~SweepWorker();
  SweepWorker(const SweepWorker&) = delete;
  SweepWorker& operator=(const SweepWorker&) = delete;

  const SweepPlan& plan() const { return plan_; }
  // Names of the table's columns.
  std::vector<std::string> columns() const;
  std::size_t measures() const { return measured_.size(); }  // of them
  // A run that diverges or cannot be made is a row with its reason. `stop`: set by another thread, to
  // give up; then the row must not be used.
  SweepRow run(std::int64_t number, const std::atomic<bool>* stop = nullptr);
  // The same with values that the plan does not have, after its `set`.
  SweepRow run_with(std::span<const SweepValue> values, const std::atomic<bool>* stop = nullptr);

 private:
  struct Ready;
  struct Keys;
  void check();
  void prepare(const Keys& keys);
  void simulate(const Keys& keys, const std::atomic<bool>* stop, SweepRow& row);

  SweepPlan plan_;
  World world_;                   // as loaded
  std::unique_ptr<Ready> ready_;  // for the last run
  std::vector<std::string> measured_;
};

}  // namespace abut
