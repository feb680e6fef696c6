#include "abut/sweep/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace abut {

std::vector<std::int64_t> missing_runs(const SweepPlan& plan, const SweepJournal& journal,
                                       std::int64_t part, std::int64_t parts) {
  std::vector<std::int64_t> missing;
  for (std::int64_t run = part; run < plan.runs(); run += parts)
    if (!journal.has(run)) missing.push_back(run);
  return missing;
}

void run_sweep(const SweepPlan& plan, SweepJournal& journal, const SweepRunSettings& settings) {
  const std::vector<std::int64_t> missing =
      missing_runs(plan, journal, settings.part, settings.parts);
  const auto all = static_cast<std::int64_t>(missing.size());
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int count = static_cast<int>(std::clamp<std::int64_t>(
      settings.threads > 0 ? settings.threads : cores, 1, std::max<std::int64_t>(all, 1)));
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  std::int64_t done = 0;
  std::mutex mutex;  // of the journal, done and failure
  std::exception_ptr failure;
  const auto stopped = [&] { return failed || (settings.stop && *settings.stop); };
  const auto work = [&](SweepWorker& worker) {
    for (std::int64_t i; !stopped() && (i = next++) < all;) {
      const SweepRow row = worker.run(missing[static_cast<std::size_t>(i)], settings.stop);
      if (stopped()) return;
      const std::string line = csv_line(row, worker.measures());
      const std::lock_guard lock(mutex);
      journal.add(row.run, line);
      if (settings.progress) settings.progress(++done, all);
    }
  };
  const auto guarded = [&](auto&& body) {
    try {
      body();
    } catch (...) {
      failed = true;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  SweepWorker first(plan);  // what is wrong with the plan is known before anything runs
  std::vector<std::thread> others;
  for (int i = 1; i < count; ++i)
    others.emplace_back([&] {
      guarded([&] {
        SweepWorker worker(plan);
        work(worker);
      });
    });
  guarded([&] { work(first); });
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

SweepResult finish_sweep(const SweepPlan& plan, const SweepJournal& journal,
                         const std::filesystem::path& folder) {
  SweepResult result;
  result.runs = plan.runs();
  if (const std::int64_t missing = plan.runs() - journal.count(); missing > 0)
    throw SweepError(fmt::format("{}: {} of {} runs are missing; --resume makes them",
                                 folder.string(), missing, plan.runs()));
  const std::vector<std::string> columns = SweepWorker(plan).columns();
  std::vector<std::string> lines;
  for (const auto& [run, line] : journal.lines()) {
    lines.push_back(line);
    if (!is_done(line)) ++result.failed;
  }
  make_output_folder(folder, "--out");
  result.table = folder / "table.csv";
  write_table_csv(result.table, columns, lines);
  write_table_h5(folder / "table.h5", columns, lines, plan);
  result.hash = table_hash(columns, lines);
  return result;
}

}  // namespace abut
