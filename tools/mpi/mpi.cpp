// abut-mpi: a sweep over the processes of an MPI job. The first process hands out runs and keeps the
// journal; the others make runs. Alone, it makes them itself.
//
//   mpirun -n 3 abut sweep FILE --on mpi --out DIR
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>

#include "../commands.h"
#include "../interrupt.h"
#include "../progress.h"
#include "../sweep.h"
#include "abut/sweep/sweep.h"
#include "abut/version.h"

namespace abut::tool {

namespace {

constexpr int kRow = 1, kTask = 2;
constexpr std::int64_t kNoMore = -1;

// Hands out the runs, one at a time, so that slow ones hold nobody up.
void hand_out(const SweepPlan& plan, SweepJournal& journal, int workers, ProgressBar& bar) {
  const std::vector<std::int64_t> missing = missing_runs(plan, journal);
  std::size_t next = 0, done = 0;
  for (int dismissed = 0; dismissed < workers;) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, kRow, MPI_COMM_WORLD, &status);
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string line(static_cast<std::size_t>(length), ' ');
    MPI_Recv(line.data(), length, MPI_CHAR, status.MPI_SOURCE, kRow, MPI_COMM_WORLD, &status);
    if (!line.empty()) {  // empty: the worker's first question
      journal.add(run_of_line(line), line);
      bar.show(static_cast<std::int64_t>(++done), static_cast<std::int64_t>(missing.size()));
    }
    const bool more = next < missing.size() && !interrupted();
    const std::int64_t task = more ? missing[next++] : kNoMore;
    if (!more) ++dismissed;
    MPI_Send(&task, 1, MPI_INT64_T, status.MPI_SOURCE, kTask, MPI_COMM_WORLD);
  }
}

void work(const SweepPlan& plan) {
  SweepWorker worker(plan);
  std::string line;
  for (;;) {
    MPI_Send(line.data(), static_cast<int>(line.size()), MPI_CHAR, 0, kRow, MPI_COMM_WORLD);
    std::int64_t task = kNoMore;
    MPI_Recv(&task, 1, MPI_INT64_T, 0, kTask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (task == kNoMore) return;
    line = csv_line(worker.run(task), worker.measures());
  }
}

int sweep_by_mpi(const SweepArguments& a) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const SweepPlan plan = plan_of(a);
  if (rank > 0) {
    work(plan);
    return kDone;
  }
  SweepWorker check(plan);  // what is wrong with the plan is known before anybody waits
  SweepJournal journal(plan, out_folder(a), "mpi", a.resume);
  ProgressBar bar(wants_progress(a.quiet), "sweeping");
  if (size == 1)
    run_sweep(plan, journal,
              {.threads = 1,
               .stop = &stop_asked(),
               .progress = [&](std::int64_t done, std::int64_t all) { bar.show(done, all); }});
  else
    hand_out(plan, journal, size - 1, bar);
  bar.end();
  return finish(a, plan, journal);
}

}  // namespace

// The commands of this program: `sweep` alone.
void add_commands(CLI::App& app, int* exit_code) {
  add_sweep_command(app, [exit_code](const SweepArguments& a) {
    MPI_Init(nullptr, nullptr);
    try {
      const EndsItself in_order;
      *exit_code = sweep_by_mpi(a);
    } catch (const std::exception& e) {
      int rank = 0;
      MPI_Comm_rank(MPI_COMM_WORLD, &rank);
      if (rank == 0) put(stderr, "abut: " + printable_lines(e.what()) + "\n");
      MPI_Abort(MPI_COMM_WORLD, kBadInput);
    }
    MPI_Finalize();
  });
}

}  // namespace abut::tool
