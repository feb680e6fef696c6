// Reports on the problems of a step and of a whole run: which solvers solved them, with which residuals,
// and what failed (S-9: report, never trust).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "abut/solve/answer.h"

namespace abut {

struct SolveReport {
  std::int64_t problems = 0;
  std::int64_t unsolved = 0;   // the best that could be found was taken
  std::int64_t fallbacks = 0;  // solved, but not by the first link of the chain that takes them
  int level = 0;               // the most links that tried in vain before the one that answered
  int largest = 0;             // rows
  double residual = 0;         // the worst, relative
  std::int64_t iterations = 0, pivots = 0;
  std::int64_t kept = 0;  // solved by the start, the answer of the step before

  struct Method {
    std::string_view name;
    std::int64_t problems = 0;
  };
  // Which solvers answered, in the order of their first.
  std::span<const Method> methods() const {
    return {methods_.data(), static_cast<std::size_t>(method_count_)};
  }

  // One problem of `rows` rows.
  void note(const Answer& answer, int rows);
  void add(const SolveReport& other);

 private:
  void count(std::string_view name, std::int64_t problems);

  std::array<Method, 16> methods_;  // more than there are solvers
  int method_count_ = 0;
};

}  // namespace abut
