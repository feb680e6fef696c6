// Problems of runs of our worlds (`make corpus`; a sample of them in tests/data/contact_problems)
// are solved to 1e-8 by the chains that a step uses, from a cold start (S-9).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "abut/constrain/step/contact_solvers.h"
#include "abut/solve/fclib/problem_formats.h"
#include "support/tree.h"

namespace abut {
namespace {

std::vector<std::filesystem::path> corpus() {
  const char* folder = std::getenv("ABUT_CORPUS");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           folder ? std::string(folder) : test::in_tree("/tests/data/contact_problems")))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Corpus, IsSolvedTo1e8ByTheChainsOfAStep) {
  ContactSolvers solvers("auto");
  Answer answer;
  double worst = 0;
  int largest = 0;
  std::map<std::string, int> by;
  const auto files = corpus();
  for (const auto& file : files) {
    const Problem problem = read_problem(file).problem;
    // the names say what the run's friction was (tests/support/corpus.sh)
    const bool pyramid = file.filename().string().find("pyramid") != std::string::npos;
    answer.z.setZero(problem.size());
    Solver& solver = pyramid ? solvers.pyramid(problem) : solvers.round(problem);
    solver.solve(problem, answer);
    EXPECT_EQ(answer.status, SolveStatus::solved) << file.filename() << ": " << answer.reason;
    EXPECT_LE(answer.residuals.relative, 1e-8) << file.filename();
    worst = std::max(worst, answer.residuals.relative);
    largest = std::max(largest, problem.size());
    ++by[std::string(answer.solver)];
  }
  EXPECT_GE(files.size(), 25u);
  std::string who;
  for (const auto& [name, count] : by) who += " " + name + " " + std::to_string(count);
  std::printf("%zu problems, the largest of %d rows, worst residual %.2g;%s\n", files.size(),
              largest, worst, who.c_str());
}

}  // namespace
}  // namespace abut
