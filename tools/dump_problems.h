// --dump-problems DIR: every complementarity problem of a run, each a file that `abut solve` reads.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "abut/simulate/simulator.h"
#include "abut/solve/problem_file.h"
#include "common.h"

namespace abut::tool {

class ProblemDump {
 public:
  // Makes the folder; `time` is the run's clock. Both must outlive the simulator's steps.
  ProblemDump(const std::filesystem::path& folder, const std::string& world, const double& time,
              Simulator& simulator)
      : folder_(folder), world_(world), time_(time) {
    std::error_code failed;
    std::filesystem::create_directories(folder_, failed);
    if (!std::filesystem::is_directory(folder_, failed))
      throw UsageError(fmt::format("--dump-problems {}: is no folder, and none can be made there",
                                   folder_.string()));
    simulator.contact().watch([this](const Problem& p, const Answer& a) { write(p, a); });
  }

  std::int64_t count() const { return count_; }

 private:
  void write(const Problem& problem, const Answer& answer) {
    ProblemFile file;
    file.problem = problem;
    file.note = fmt::format("{}, t = {} s: {} by {}, residual {:.3g}", world_, time_,
                            name(answer.status), answer.solver, answer.residuals.relative);
    write_problem(folder_ / fmt::format("problem_{:07}.json", ++count_), file);
  }

  std::filesystem::path folder_;
  std::string world_;
  const double& time_;
  std::int64_t count_ = 0;
};

}  // namespace abut::tool
