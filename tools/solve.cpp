// abut solve: complementarity problems from files, by any solver.
#include "solve.h"
#include "contact_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "abut/math/output_file.h"
#include "abut/solve/fclib/problem_formats.h"
#include "abut/solve/generate/generate.h"
#include "commands.h"
#include "interrupt.h"

namespace abut::tool {

std::uint64_t parse_whole(const std::string& text, std::string_view flag, std::uint64_t least) {
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  std::uint64_t x = 0;
  try {
    if (digits) x = std::stoull(text);
  } catch (const std::out_of_range&) {
    throw UsageError(fmt::format("{} {}: is too large", flag, text));
  }
  if (!digits || x < least)
    throw UsageError(fmt::format("{} {}: write a whole number, {} or more", flag, text, least));
  return x;
}

std::vector<NamedSolver> solvers_of(const SolveArguments& a) {
  SolveOptions options;
  options.every_row = true;  // a file may be in any units
  if (!a.tolerance.empty()) {
    options.tolerance = parse_number(a.tolerance, "--tolerance");
    if (!(options.tolerance > 0))
      throw UsageError(fmt::format("--tolerance {}: write a number above 0", a.tolerance));
  }
  if (!a.iterations.empty())
    options.most_iterations = static_cast<int>(
        std::min<std::uint64_t>(parse_whole(a.iterations, "--max-iterations", 1), 2'000'000'000));
  // of generated problems the seed makes the problem
  if (!a.seed.empty() && a.families.empty()) options.seed = parse_whole(a.seed, "--seed", 0);
  std::vector<NamedSolver> out;
  std::vector<std::string> names = a.solvers;
  if (names.empty()) names.push_back("auto");
  for (const std::string& name : names) {
    try {
      out.push_back({name, make_solver(name, options)});
    } catch (const std::invalid_argument& e) {
      throw UsageError(fmt::format("--solver {}: {}", name, e.what()));
    }
  }
  return out;
}

double timed_solve(Solver& solver, const Problem& problem, Answer& answer) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  solver.solve(problem, answer);
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::string readable_time(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.1f} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.2f} ms", 1e3 * seconds);
  return fmt::format("{:.2f} s", seconds);
}

Json finite_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

namespace {

Json numbers_json(const VectorX& v) {
  Json out = Json::array();
  for (const double x : v) out.push_back(finite_or_null(x));
  return out;
}

struct Row {
  std::string file, asked;
  const ProblemFile* problem = nullptr;
  Answer answer;
  double seconds = 0;
};

Json row_json(const Row& row) {
  const Answer& a = row.answer;
  const Residuals& r = a.residuals;
  return {{"file", row.file},
          {"kind", name(row.problem->problem.kind())},
          {"n", row.problem->problem.size()},
          {"asked", row.asked},
          {"solver", a.solver},
          {"status", name(a.status)},
          {"reason", a.status == SolveStatus::solved ? Json(nullptr) : Json(a.reason)},
          {"z", numbers_json(in_file_order(*row.problem, a.z))},
          {"w", numbers_json(in_file_order(*row.problem, a.w))},
          {"residual", finite_or_null(r.relative)},
          {"residuals",
           {{"natural", finite_or_null(r.natural)},
            {"relative", finite_or_null(r.relative)},
            {"row_scaled", finite_or_null(r.row_scaled)},
            {"complementarity", finite_or_null(r.complementarity)},
            {"feasibility", finite_or_null(r.feasibility)},
            {"cone", finite_or_null(r.cone)}}},
          {"iterations", a.iterations},
          {"pivots", a.pivots},
          {"starts", a.starts},
          {"seconds", row.seconds}};
}

void print_table(const std::vector<Row>& rows) {
  std::size_t width = 4;
  for (const Row& row : rows) width = std::max(width, row.file.size());
  width = std::min<std::size_t>(width, 48);
  print_safe("{:<{}}  {:<5} {:>6}  {:<10} {:<10} {:>9} {:>10} {:>7} {:>10}\n", "file", width,
             "kind", "n", "solver", "status", "residual", "iterations", "pivots", "time");
  int solved = 0;
  for (const Row& row : rows) {
    const Answer& a = row.answer;
    const bool good = a.status == SolveStatus::solved;
    solved += good;
    print_safe("{:<{}}  {:<5} {:>6}  {:<10} {:<10} {:>9.1e} {:>10} {:>7} {:>10}{}\n", row.file,
               width, name(row.problem->problem.kind()), row.problem->problem.size(), a.solver,
               name(a.status), a.residuals.relative, a.iterations, a.pivots,
               readable_time(row.seconds),
               good || a.reason.empty() ? "" : fmt::format("  ({})", a.reason));
  }
  if (rows.size() > 1) print_safe("{} of {} solved\n", solved, rows.size());
}

// z to begin with, if one was asked for; empty: none.
VectorX start_of(const SolveArguments& a, const std::string& name, const ProblemFile& file) {
  if (a.start.empty()) return {};
  if (a.start == "file") {
    const VectorX& start = file.start.size() > 0 ? file.start : file.solution;
    if (start.size() == 0)
      throw UsageError(fmt::format("--start file: {} holds neither guess nor solution", name));
    return start;
  }
  const std::vector<double> z = parse_numbers(a.start, "--start");
  if (static_cast<int>(z.size()) != file.problem.size())
    throw UsageError(
        fmt::format("--start: {} numbers given, {} wants {}", z.size(), name, file.problem.size()));
  return from_file_order(file, Eigen::Map<const VectorX>(z.data(), file.problem.size()));
}

int solve_files(const SolveArguments& a) {
  if (a.files.empty())
    throw UsageError("solve: name a file, or --generate FAMILY, or --list what there is");
  if (!a.write.empty() && a.files.size() != 1)
    throw UsageError("--write: takes one file at a time");
  if (!a.count.empty()) throw UsageError("--count: goes with --generate");
  if (!a.write.empty()) check_output(a.write);
  std::vector<NamedSolver> solvers = solvers_of(a);
  // every file is read before anything is solved
  std::vector<ProblemFile> problems;
  for (const std::string& file : a.files) {
    problems.push_back(read_problem(file));
    if (!a.quiet && !a.json)
      for (const std::string& line : problems.back().warnings)
        print_safe(stderr, "warning: {}\n", line);
  }
  std::vector<Row> rows;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const VectorX start = start_of(a, a.files[k], problems[k]);
    for (NamedSolver& s : solvers) {
      Row row{a.files[k], s.name, &problems[k], {}, 0};
      s.solver->options.warm_start = start.size() > 0;
      row.answer.z = start;
      row.seconds = timed_solve(*s.solver, problems[k].problem, row.answer);
      rows.push_back(std::move(row));
    }
  }
  if (!a.write.empty()) {
    const Uninterrupted whole;
    write_problem(a.write, problems[0], &rows[0].answer);
  }
  if (a.json) {
    Json out = Json::array();
    for (const Row& row : rows) out.push_back(row_json(row));
    print_json(out);
  } else {
    print_table(rows);
    if (!a.write.empty() && !a.quiet) print_safe("wrote {}\n", a.write);
  }
  const bool all = std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.answer.status == SolveStatus::solved;
  });
  return all ? kDone : kCheckFailed;
}

std::vector<std::string> kinds_of(const SolverInfo& info) {
  std::vector<std::string> out;
  for (const ProblemKind kind :
       {ProblemKind::lcp, ProblemKind::mlcp, ProblemKind::boxed, ProblemKind::cone})
    if (info.kinds & bit(kind)) out.emplace_back(name(kind));
  return out;
}

std::string_view class_name(MatrixClass c) {
  return c == MatrixClass::p_matrix          ? "P"
         : c == MatrixClass::semidefinite    ? "semidefinite"
         : c == MatrixClass::copositive_plus ? "copositive"
                                             : "any";
}

std::vector<std::string> classes_of(const SolverInfo& info) {
  std::vector<std::string> out;
  for (const MatrixClass c : {MatrixClass::p_matrix, MatrixClass::semidefinite,
                              MatrixClass::copositive_plus, MatrixClass::any})
    if (info.classes & bit(c)) out.emplace_back(class_name(c));
  return out;
}

int list(const SolveArguments& a) {
  if (a.json) {
    Json out = {{"solvers", Json::array()}, {"families", Json::array()}};
    for (const SolverEntry& s : solvers())
      out["solvers"].push_back({{"name", s.info->name},
                                {"summary", s.info->summary},
                                {"guarantee", s.info->guarantee},
                                {"kinds", kinds_of(*s.info)},
                                {"classes", classes_of(*s.info)},
                                {"warm_start", s.info->warm_start}});
    for (const Family& f : families())
      out["families"].push_back({{"name", f.name},
                                 {"summary", f.summary},
                                 {"kind", name(f.kind)},
                                 {"class", class_name(f.matrix)},
                                 {"solvable", f.solvable}});
    print_json(out);
    return kDone;
  }
  print_safe("solvers (--solver NAME, or a chain such as pivot,lemke; default auto)\n");
  for (const SolverEntry& s : solvers())
    print_safe("  {:<8} {}\n           takes {}; {}\n", s.info->name, s.info->summary,
               join(kinds_of(*s.info), " "), s.info->guarantee);
  print_safe("\nfamilies (--generate NAME:N)\n");
  for (const Family& f : families())
    print_safe("  {:<22} {:<6} {:<13} {}\n", f.name, name(f.kind), class_name(f.matrix), f.summary);
  return kDone;
}

int solve(const SolveArguments& a) {
  if (a.list) return list(a);
  if (a.families.empty()) return solve_files(a);
  if (!a.files.empty()) throw UsageError("--generate: makes problems itself; name no file");
  if (!a.start.empty()) throw UsageError("--start: goes with a file");
  return solve_generated(a);
}

}  // namespace

void add_solve(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<SolveArguments>();
  SolveArguments& a = *args;
  CLI::App* command = app.add_subcommand(
      "solve", "solve complementarity and friction problems, from files or generated");
  command->add_option("file", a.files, "problems: JSON, or FCLIB's HDF5 (.hdf5, .h5)")
      ->option_text("FILE..");
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    return command->add_option(name, target, about)->option_text(form)->allow_extra_args(false);
  };
  option("--solver", a.solvers,
         "a solver, or a chain a,b,c: the first that solves the problem answers\n"
         "(default auto); repeat it to compare several",
         "NAME");
  add_plugin_flag(*command);
  option("--tolerance", a.tolerance, "largest relative residual of `solved` (default 1e-10)", "T");
  option("--max-iterations", a.iterations, "most iterations or pivots (default: the solver's own)",
         "N");
  option("--seed", a.seed,
         "seed of random starts; with --generate, of the first problem (default 1)", "S");
  option("--start", a.start, "initial z: numbers, a file of them, or 'file': FCLIB's guess",
         "LIST");
  option("--write", a.write, "write the problem too: .json, or .hdf5 with the solution", "FILE");
  option("--generate", a.families, "random problems instead of files; repeatable, or 'all'",
         "FAMILY[:N]");
  option("--count", a.count, "number of problems per family (default 100)", "N");
  command->add_flag("--list", a.list, "list solvers and families, and their guarantees");
  command->add_flag("--json", a.json, "one JSON document on stdout (docs/solvers.md)");
  command->add_flag("--quiet", a.quiet, "no warnings, no progress");
  command->footer(
      "Exit code: 0 all solved, 1 some not, 2 bad usage or file, 130 or 143 stopped by SIGINT "
      "(^C)\n"
      "or SIGTERM.\n"
      "Examples:\n"
      "  abut solve tests/data/lcp/*.json\n"
      "  abut solve slide.json --solver lemke --json\n"
      "  abut solve Box_Stacks.hdf5 --solver cone --tolerance 1e-8 --write stacks.json\n"
      "  abut solve --generate friction:48 --count 500 --solver lemke --solver pivot,lemke\n"
      "  abut solve --list");
  command->callback([args, exit_code] { *exit_code = solve(*args); });
}

}  // namespace abut::tool
