// abut solve --generate: success rates of solvers over families of random problems.
#include <fmt/format.h>

#include <algorithm>

#include "abut/solve/fclib/problem_formats.h"
#include "abut/solve/generate/generate.h"
#include "progress.h"
#include "solve.h"

namespace abut::tool {

namespace {

constexpr int kDefaultSize = 24;
constexpr std::size_t kMostSeeds = 10;  // of those not solved, in the JSON

struct Wanted {
  const Family* family;
  int n;
};

const Family& find_family(const std::string& name) {
  std::vector<std::string> names;
  for (const Family& f : families()) {
    if (f.name == name) return f;
    names.emplace_back(f.name);
  }
  throw UsageError(fmt::format("--generate {}: there are {}, and all", name, join(names)));
}

// "friction:48", "friction", "all:12"
void add_wanted(const std::string& text, std::vector<Wanted>& out) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  int n = kDefaultSize;
  if (colon != text.npos) {
    const std::uint64_t size = parse_whole(text.substr(colon + 1), "--generate " + name + ":", 1);
    if (size > 20'000)
      throw UsageError(fmt::format("--generate {}: at most 20000 unknowns can be", text));
    n = static_cast<int>(size);
  }
  if (name == "all")
    for (const Family& f : families()) out.push_back({&f, n});
  else
    out.push_back({&find_family(name), n});
}

// What one solver did on one family.
struct Score {
  const Wanted* wanted;
  std::string asked;
  bool taken = true;  // the solver takes problems of this kind
  int count = 0, solved = 0, infeasible = 0, failed = 0;
  int least_size = 0, most_size = 0;
  double worst_residual = 0, worst_row_scaled = 0;  // of those solved
  std::int64_t iterations = 0, pivots = 0;
  int most_iterations = 0, most_pivots = 0;
  std::vector<double> seconds;
  std::vector<std::uint64_t> seeds_not_solved;

  void add(const Problem& p, const Answer& a, double time, std::uint64_t seed) {
    least_size = count == 0 ? p.size() : std::min(least_size, p.size());
    most_size = std::max(most_size, p.size());
    ++count;
    if (a.status == SolveStatus::solved) {
      ++solved;
      worst_residual = std::max(worst_residual, a.residuals.relative);
      worst_row_scaled = std::max(worst_row_scaled, a.residuals.row_scaled);
    } else {
      ++(a.status == SolveStatus::infeasible ? infeasible : failed);
      if (seeds_not_solved.size() < kMostSeeds) seeds_not_solved.push_back(seed);
    }
    iterations += a.iterations;
    pivots += a.pivots;
    most_iterations = std::max(most_iterations, a.iterations);
    most_pivots = std::max(most_pivots, a.pivots);
    seconds.push_back(time);
  }
  // of a machine that does other things too, the mean says little
  double median_seconds() const {
    std::vector<double> sorted = seconds;
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    return sorted[sorted.size() / 2];
  }
  bool as_it_should() const { return !wanted->family->solvable || solved == count; }
};

Json score_json(const Score& s) {
  const Family& f = *s.wanted->family;
  const double count = std::max(s.count, 1);
  return {{"family", f.name},
          {"kind", name(f.kind)},
          {"solvable", f.solvable},
          {"n", s.wanted->n},
          {"sizes", {s.least_size, s.most_size}},
          {"asked", s.asked},
          {"taken", s.taken},
          {"count", s.count},
          {"solved", s.solved},
          {"infeasible", s.infeasible},
          {"failed", s.failed},
          {"worst_residual", s.solved > 0 ? finite_or_null(s.worst_residual) : Json(nullptr)},
          {"worst_row_scaled", s.solved > 0 ? finite_or_null(s.worst_row_scaled) : Json(nullptr)},
          {"iterations",
           {{"mean", static_cast<double>(s.iterations) / count}, {"most", s.most_iterations}}},
          {"pivots", {{"mean", static_cast<double>(s.pivots) / count}, {"most", s.most_pivots}}},
          {"seconds",
           {{"median", s.median_seconds()},
            {"most", *std::max_element(s.seconds.begin(), s.seconds.end())}}},
          {"seeds_not_solved", s.seeds_not_solved}};
}

void print_scores(const std::vector<Score>& scores) {
  std::size_t width = 6;
  for (const Score& s : scores) width = std::max(width, s.asked.size());
  print_safe("{:<22} {:>6}  {:<{}} {:>11} {:>10} {:>6} {:>9} {:>10} {:>8} {:>11}\n", "family", "n",
             "solver", width, "solved", "infeasible", "failed", "residual", "iterations", "pivots",
             "median time");
  for (const Score& s : scores) {
    const Family& f = *s.wanted->family;
    print_safe("{:<22} {:>6}  {:<{}} ", f.name, s.most_size, s.asked, width);
    if (!s.taken) {
      print_safe("takes no {}\n", name(f.kind));
      continue;
    }
    print_safe("{:>11} {:>10} {:>6} {:>9} {:>10.1f} {:>8.1f} {:>11}{}\n",
               fmt::format("{} of {}", s.solved, s.count), s.infeasible, s.failed,
               s.solved > 0 ? fmt::format("{:.1e}", s.worst_residual) : "-",
               static_cast<double>(s.iterations) / s.count, static_cast<double>(s.pivots) / s.count,
               readable_time(s.median_seconds()), f.solvable ? "" : "  (has no solution)");
  }
}

}  // namespace

int solve_generated(const SolveArguments& a) {
  std::vector<Wanted> wanted;
  for (const std::string& text : a.families) add_wanted(text, wanted);
  const std::uint64_t first = a.seed.empty() ? 1 : parse_whole(a.seed, "--seed", 0);
  const std::uint64_t count =
      a.count.empty() ? (a.write.empty() ? 100 : 1) : parse_whole(a.count, "--count", 1);
  if (count > 10'000'000) throw UsageError("--count: at most 10000000 can be");
  if (!a.write.empty() && (count != 1 || wanted.size() != 1))
    throw UsageError("--write: takes one problem at a time: --count 1, one family");
  std::vector<NamedSolver> solvers = solvers_of(a);

  std::vector<Score> scores;
  ProgressBar progress(wants_progress(a.quiet), "solving");
  const std::int64_t all = static_cast<std::int64_t>(count * wanted.size());
  std::int64_t done = 0;
  for (const Wanted& w : wanted) {
    const std::size_t begin = scores.size();
    for (const NamedSolver& s : solvers) {
      Score& score = scores.emplace_back();
      score.wanted = &w;
      score.asked = s.name;
      score.taken = (s.solver->info().kinds & bit(w.family->kind)) != 0;
    }
    for (std::uint64_t k = 0; k < count; ++k) {
      ProblemFile file;
      file.problem = generate(w.family->name, w.n, first + k);
      file.note = fmt::format("abut solve --generate {}:{} --seed {} --count 1", w.family->name,
                              w.n, first + k);
      for (std::size_t i = 0; i < solvers.size(); ++i) {
        Answer answer;
        const double time = timed_solve(*solvers[i].solver, file.problem, answer);
        scores[begin + i].add(file.problem, answer, time, first + k);
        if (!a.write.empty() && i == 0) write_problem(a.write, file, &answer);
      }
      // a hundred steps are enough to look at
      if (++done % std::max<std::int64_t>(all / 100, 1) == 0) progress.show(done, all);
    }
  }
  progress.end();
  if (a.json) {
    Json out = Json::array();
    for (const Score& s : scores) out.push_back(score_json(s));
    print_json(out);
  } else {
    print_scores(scores);
    if (!a.write.empty() && !a.quiet) print_safe("wrote {}\n", a.write);
  }
  const bool good =
      std::all_of(scores.begin(), scores.end(), [](const Score& s) { return s.as_it_should(); });
  return good ? kDone : kCheckFailed;
}

}  // namespace abut::tool
