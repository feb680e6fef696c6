// abut sweep: many runs of a world, on this machine or a cluster.
#include "sweep.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "abut/math/output_file.h"
#include "chromium.h"
#include "commands.h"
#include "elsewhere.h"
#include "interrupt.h"
#include "progress.h"

namespace abut::tool {

namespace {

namespace fs = std::filesystem;

fs::path world_of_sweep(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  const fs::path beside = file_beside(name, folder);
  return fs::is_regular_file(beside, ignored) ? beside : find_world(name);
}

// "I/N"
std::pair<std::int64_t, std::int64_t> parse_part(const std::string& text) {
  const auto slash = text.find('/');
  const auto number = [&](const std::string& digits) -> std::int64_t {
    if (digits.empty() || digits.size() > 9 ||
        digits.find_first_not_of("0123456789") != digits.npos)
      throw UsageError(fmt::format("--part {}: write I/N, with I from 0 to N - 1", text));
    return std::stoll(digits);
  };
  if (slash == text.npos) number("");
  const std::int64_t i = number(text.substr(0, slash)), n = number(text.substr(slash + 1));
  if (i >= n) number("");
  return {i, n};
}

int sweep_here(const SweepArguments& a) {
  const SweepPlan plan = plan_of(a);
  SweepRunSettings settings;
  settings.threads = a.threads;
  settings.stop = &stop_asked();
  std::string label = "local";
  if (!a.part.empty()) {
    std::tie(settings.part, settings.parts) = parse_part(a.part);
    label = fmt::format("part-{}-of-{}", settings.part, settings.parts);
  }
  ProgressBar bar(wants_progress(a.quiet), "sweeping");
  settings.progress = [&](std::int64_t done, std::int64_t all) { bar.show(done, all); };
  const EndsItself between_runs;
  // a part is one of several that share a folder
  SweepJournal journal(plan, out_folder(a), label, a.resume || !a.part.empty());
  run_sweep(plan, journal, settings);
  bar.end();
  if (!a.part.empty() && !interrupted()) return kDone;
  return finish(a, plan, journal);
}

// Becomes mpirun with abut-mpi, or abut-mpi itself where mpirun has started this process.
[[noreturn]] void sweep_by_mpi(const SweepArguments& a) {
  std::vector<std::string> words = {"abut", "sweep", a.file, "--out", out_folder(a).string()};
  if (a.resume) words.push_back("--resume");
  if (a.json) words.push_back("--json");
  if (a.quiet) words.push_back("--quiet");
  const std::string what = "sweeps by MPI";
  if (std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE"))
    go_over_to(beside_this("abut-mpi"), words, what);
  const std::string mpirun = find_program("mpirun");
  if (mpirun.empty())
    throw UsageError("--on mpi: there is no mpirun; install OpenMPI (openmpi-bin)");
  if (!fs::exists(beside_this("abut-mpi")))
    throw UsageError(beside_this("abut-mpi") +
                     ": is not there; build abut where libopenmpi-dev is installed");
  words[0] = beside_this("abut-mpi");
  std::vector<std::string> start = {"mpirun"};
  if (a.workers > 0) start.insert(start.end(), {"-n", std::to_string(a.workers)});
  words.insert(words.begin(), start.begin(), start.end());
  go_over_to(mpirun, words, what);
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The script of an array job: a task a part.
std::string slurm_script(const SweepArguments& a, const fs::path& folder, int parts) {
  std::error_code ignored;
  const std::string self = fs::read_symlink("/proc/self/exe", ignored).string();
  return fmt::format(
      "#!/bin/sh\n"
      "#SBATCH --job-name=abut-sweep\n"
      "#SBATCH --array=0-{last}\n"
      "#SBATCH --output={folder}/slurm-%a.log\n"
      "# {parts} tasks share the runs of {file}; the rows go to {folder}/parts.\n"
      "# A task that is started again makes what is missing.\n"
      "exec {self} sweep {sweep} --out {out} --part \"$SLURM_ARRAY_TASK_ID/{parts}\" --threads "
      "\"${{SLURM_CPUS_PER_TASK:-1}}\" --quiet\n",
      fmt::arg("last", parts - 1), fmt::arg("parts", parts), fmt::arg("folder", folder.string()),
      fmt::arg("file", a.file), fmt::arg("self", quoted(self)),
      fmt::arg("sweep", quoted(fs::absolute(a.file).string())),
      fmt::arg("out", quoted(folder.string())));
}

pid_t start_program(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);  // stdout is ours
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  return child;
}

int sweep_by_slurm(const SweepArguments& a) {
  constexpr int kParts = 16;
  const SweepPlan plan = plan_of(a);
  SweepWorker check(plan);
  const fs::path folder = fs::absolute(out_folder(a));
  SweepJournal journal(plan, folder, "slurm", a.resume);
  make_output_folder(folder, "--out");
  const int parts = a.workers > 0 ? a.workers : kParts;
  const fs::path script = folder / "job.sh";
  write_file(script, slurm_script(a, folder, parts));
  if (missing_runs(plan, journal).empty()) return finish(a, plan, journal);
  if (find_program("sbatch").empty())
    throw UsageError(
        fmt::format("--on slurm: there is no sbatch here; submit {} where there is "
                    "one, then run this command again with --resume --on local",
                    script.string()));
  std::vector<std::string> words = {"sbatch", "--wait"};
  if (!a.sbatch.empty())
    for (const std::string& word : split(a.sbatch)) words.push_back(word);
  words.push_back(script.string());
  const EndsItself in_order;
  const pid_t job = start_program(words);
  ProgressBar bar(wants_progress(a.quiet), "waiting for Slurm");
  int status = 0;
  while (waitpid(job, &status, WNOHANG) == 0 && !interrupted()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    journal.refresh();
    bar.show(journal.count(), plan.runs());
  }
  bar.end();
  journal.refresh();
  if (interrupted())
    put(stderr, "abut: the job goes on; scancel ends it, --resume makes what it has not made\n");
  else if (status != 0)
    put(stderr,
        fmt::format("abut: Slurm reports a failure; see {}/slurm-*.log\n", folder.string()));
  return finish(a, plan, journal);
}

// Dask is Python's: python3 -m abut does it.
[[noreturn]] void sweep_by_dask(const SweepArguments& a) {
  const std::string python = find_program("python3");
  if (python.empty()) throw UsageError("--on dask: there is no python3");
  std::vector<std::string> words = {"python3", "-m",    "abut._sweep",
                                    a.file,    "--out", out_folder(a).string()};
  if (a.resume) words.push_back("--resume");
  if (a.json) words.push_back("--json");
  if (a.workers > 0) words.insert(words.end(), {"--workers", std::to_string(a.workers)});
  go_over_to(python, words, "sweeps by Dask");
}

int sweep_command(const SweepArguments& a) {
  if (a.threads < 0)
    throw UsageError(
        fmt::format("--threads {}: write a number of threads, or 0 for all cores", a.threads));
  if (a.workers < 0) throw UsageError(fmt::format("--workers {}: write a number", a.workers));
  if (a.on == "local") return sweep_here(a);
  if (!a.part.empty()) throw UsageError("--part: goes with --on local");
  if (a.on == "mpi") sweep_by_mpi(a);
  if (a.on == "slurm") return sweep_by_slurm(a);
  if (a.on == "dask") sweep_by_dask(a);
  throw UsageError(fmt::format("--on {}: there are local, mpi, slurm, dask", a.on));
}

}  // namespace

SweepPlan plan_of(const SweepArguments& a) { return read_sweep(a.file, world_of_sweep); }

fs::path out_folder(const SweepArguments& a) {
  return a.out.empty() ? fs::path(a.file).stem() : fs::path(a.out);
}

int finish(const SweepArguments& a, const SweepPlan& plan, const SweepJournal& journal) {
  if (interrupted()) {
    put(stderr,
        fmt::format("abut: stopped; {} of {} runs are in {}, and --resume makes the others\n",
                    journal.count(), plan.runs(), out_folder(a).string()));
    return kDone;  // main makes it the signal's
  }
  const SweepResult result = finish_sweep(plan, journal, out_folder(a));
  const std::string hash = fmt::format("{:016x}", result.hash);
  if (a.json)
    print_json({{"runs", result.runs},
                {"failed", result.failed},
                {"table", result.table.string()},
                {"hash", hash}});
  else if (!a.quiet)
    print_safe("{} runs of {}, {} failed\n  table       {}, table.h5\n  hash        {}\n",
               result.runs, plan.world, result.failed, result.table.string(), hash);
  return kDone;
}

void add_sweep_command(CLI::App& app, const std::function<void(const SweepArguments&)>& run) {
  auto args = std::make_shared<SweepArguments>();
  SweepArguments& a = *args;
  CLI::App* command =
      app.add_subcommand("sweep", "many runs of a world, on this machine or a cluster");
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    return command->add_option(name, target, about)->option_text(form);
  };
  option("file", a.file, "what to vary and what to measure: TOML or JSON (docs/sweeps.md)", "FILE")
      ->required();
  option("--on", a.on, "where: local, mpi, slurm, dask (default local)", "ENGINE");
  option("--out", a.out, "folder of the rows and the table (default: the file's name)", "DIR");
  option("--threads", a.threads, "local: runs at a time (default: all cores)", "N");
  option(
      "--workers", a.workers,
      "processes: of mpirun (default: its own), tasks of the array job (16), workers of Dask (2)",
      "N");
  option("--part", a.part, "only the runs I, I + N, I + 2N .., without a table", "I/N");
  option("--sbatch", a.sbatch, "options of sbatch, with commas between them", "LIST");
  command->add_flag("--resume", a.resume, "make the runs that the folder does not have yet");
  command->add_flag("--json", a.json, "one JSON document on stdout");
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->footer(
      "Examples:\n"
      "  abut sweep friction.toml --out friction\n"
      "  abut sweep friction.toml --out friction --resume\n"
      "  mpirun -n 3 abut sweep friction.toml --on mpi\n"
      "  abut sweep friction.toml --on slurm --workers 100 --sbatch --partition=short,--time=10\n"
      "A run that fails is a row with its reason. The table has the same bytes wherever runs are\n"
      "made. Exit codes: 0 done, 2 bad usage or input, 130 or 143 stopped by SIGINT (^C) or "
      "SIGTERM.");
  command->callback([args, run] { run(*args); });
}

void add_sweep(CLI::App& app, int* exit_code) {
  add_sweep_command(app, [exit_code](const SweepArguments& a) { *exit_code = sweep_command(a); });
}

}  // namespace abut::tool
