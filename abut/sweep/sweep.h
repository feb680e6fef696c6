// Sweeps: makes the runs of a plan that a folder does not have yet, and its table when all are there.
//
//   abut::SweepPlan plan = abut::read_sweep("friction.toml", abut::file_beside);
//   abut::SweepJournal journal(plan, "out", "local", true);
//   abut::run_sweep(plan, journal, {.threads = 0});
//   abut::SweepResult result = abut::finish_sweep(plan, journal, "out");
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "abut/sweep/journal.h"
#include "abut/sweep/table.h"
#include "abut/sweep/worker.h"

namespace abut {

struct SweepRunSettings {
  int threads = 0;  // 0: all cores
  // Of several processes that share the work: the runs with run % parts == part.
  std::int64_t part = 0, parts = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t done, std::int64_t all)> progress;  // from one thread at a time
};

// Makes what is missing. Throws what a worker's constructor throws.
void run_sweep(const SweepPlan& plan, SweepJournal& journal, const SweepRunSettings& settings);

// The runs of a part that the journal lacks, ascending.
std::vector<std::int64_t> missing_runs(const SweepPlan& plan, const SweepJournal& journal,
                                       std::int64_t part = 0, std::int64_t parts = 1);

struct SweepResult {
  std::int64_t runs = 0, failed = 0;
  std::filesystem::path table;  // CSV; HDF5 beside it
  std::uint64_t hash = 0;       // of the table
};

// Writes FOLDER/table.csv and FOLDER/table.h5. Every run must be there.
SweepResult finish_sweep(const SweepPlan& plan, const SweepJournal& journal,
                         const std::filesystem::path& folder);

}  // namespace abut
