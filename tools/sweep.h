// `abut sweep`: what the tool and abut-mpi share.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "abut/sweep/sweep.h"
#include "common.h"

namespace abut::tool {

struct SweepArguments {
  std::string file, on = "local", out, part, sbatch;
  int threads = 0, workers = 0;
  bool resume = false, json = false, quiet = false;
};

void add_sweep_command(CLI::App& app, const std::function<void(const SweepArguments&)>& run);

SweepPlan plan_of(const SweepArguments& a);
// --out, else a folder named after the file.
std::filesystem::path out_folder(const SweepArguments& a);
// The table, and what there is to say of it; the exit code.
int finish(const SweepArguments& a, const SweepPlan& plan, const SweepJournal& journal);

}  // namespace abut::tool
