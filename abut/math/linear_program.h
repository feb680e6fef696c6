// Linear programs in two to four unknowns by Seidel's method. The rows are processed in random
// order. If the current optimum violates a row, that row holds with equality at the next optimum,
// which is a program with one unknown less. The expected time is linear in the number of rows
// (Seidel 1990; Cheng Yi and Drumwright, IV-G; K-15, K-N6).
//
// The order comes from a fixed seed: the same rows give the same bits.
//
//   abut::LinearProgram lp(2, 100);  // |x|, |y| <= 100
//   lp.add({1, 1}, 1);               // x + y <= 1
//   abut::LinearProgram::Answer best = lp.maximise({1, 0.5});
#pragma once

#include <array>
#include <span>
#include <vector>

namespace abut {

class LinearProgram {
 public:
  static constexpr int kMost = 4;
  using Vector = std::array<double, kMost>;  // only the first `unknowns` entries are used

  struct Answer {
    bool feasible = false;
    Vector x{};
    double value = 0;
    double violation = 0;  // largest violation of a row: rounding
  };

  // `bound` keeps every unknown in [-bound, bound], so that an answer exists if anything is
  // feasible. Choose it a few times larger than any reasonable answer; a much larger bound costs
  // digits.
  LinearProgram(int unknowns, double bound);

  // Adds a . x <= b. Rows should have length about 1, because the tolerances are relative to that.
  void add(const Vector& a, double b);
  void clear() { rows_.clear(); }
  int row_count() const { return static_cast<int>(rows_.size()); }

  // The x with the largest c . x; one of them if there are several. Rows that contradict each other
  // by rounding only are feasible.
  Answer maximise(const Vector& c);

 private:
  Answer in_order(const Vector& c);
  struct Row {
    Vector a;
    double b;
  };
  // One level for each number of unknowns.
  struct Level {
    std::vector<Row> rows;
    Vector low{}, high{};
  };

  template <int D>
  bool solve(std::span<const Row> rows, const Vector& c, const Vector& low, const Vector& high,
             Vector& x);
  template <int D>
  bool reduce(std::span<const Row> before, const Row& tight, int k, const Vector& low,
              const Vector& high, Level& out) const;

  int unknowns_;
  double bound_;
  std::vector<Row> rows_, shuffled_;
  std::array<Level, kMost> levels_;
};

}  // namespace abut
