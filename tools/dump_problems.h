// --dump-problems DIR: every complementarity problem of a run, each a file that `abut solve` reads.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "abut/simulate/simulator.h"
#include "abut/solve/fclib/problem_formats.h"
#include "common.h"
#include "interrupt.h"
#include "outputs.h"

namespace abut::tool {

class ProblemDump {
 public:
  // Makes the folder; `time` is the run's clock. All must outlive the simulator's steps.
  ProblemDump(const std::filesystem::path& folder, const std::string& world, const double& time,
              Simulator& simulator, Outputs& outputs)
      : folder_(folder), world_(world), time_(time) {
    make_output_folder(folder_, "--dump-problems");
    check_output(file_of(1));
    simulator.contact().watch([this, &outputs](const Problem& p, const Answer& a) {
      if (outputs.failure().empty()) outputs.attempt([&] { write(p, a); });
    });
  }

  std::int64_t count() const { return count_; }

 private:
  void write(const Problem& problem, const Answer& answer) {
    ProblemFile file;
    file.problem = problem;
    file.note = fmt::format("{}, t = {} s: {} by {}, residual {:.3g}", world_, time_,
                            name(answer.status), answer.solver, answer.residuals.relative);
    const Uninterrupted whole;
    write_problem(file_of(count_ + 1), file);
    ++count_;
  }
  std::filesystem::path file_of(std::int64_t number) const {
    return folder_ / fmt::format("problem_{:07}.json", number);
  }

  std::filesystem::path folder_;
  std::string world_;
  const double& time_;
  std::int64_t count_ = 0;
};

}  // namespace abut::tool
