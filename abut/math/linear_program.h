// Linear programs in two to four unknowns by Seidel's method: the rows are taken in random
// order; one that the optimum so far violates holds with equality at the next, which is a
// program with one unknown less. Expected time is linear in the number of rows (Seidel
// 1990; Cheng Yi and Drumwright, IV-G; K-15, K-N6).
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
  using Vector = std::array<double, kMost>;  // the first `unknowns` count

  struct Answer {
    bool feasible = false;
    Vector x{};
    double value = 0;
    double violation = 0;  // the most that a row is exceeded by: rounding
  };

  // `bound` keeps every unknown in [-bound, bound]: an answer always exists or nothing
  // is feasible. Choose it a few times larger than any answer that makes sense; far too
  // large costs digits.
  LinearProgram(int unknowns, double bound);

  // a . x <= b. Rows of length about 1 make the tolerances mean what they say.
  void add(const Vector& a, double b);
  void clear() { rows_.clear(); }
  int row_count() const { return static_cast<int>(rows_.size()); }

  // The x with the largest c . x; one of them if there are several. Rows that only
  // rounding makes contradict each other are feasible.
  Answer maximise(const Vector& c);

 private:
  Answer in_order(const Vector& c);
  struct Row {
    Vector a;
    double b;
  };
  // One for each number of unknowns.
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
