#include "abut/solve/wrap/joints_first.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "abut/math/index.h"
#include "abut/solve/factored/held_rows.h"

namespace abut {

namespace {

// Fraction of hi - lo: a joint whose row is this near to a bound has no side at first. Contacts that
// press in another way move it by as much.
constexpr double kNearBound = 0.25;
// Fraction of the tolerance: the solver behind leaves room for the rounding of what was eliminated,
// and a joint that is off by less than the second changes no side.
constexpr double kOfTolerance = 0.5, kSlack = 0.1;

class JointsFirst final : public Solver {
 public:
  explicit JointsFirst(std::unique_ptr<Solver> behind) : behind_(std::move(behind)) {
    info_ = behind_->info();
    info_.name = "joints-first";
    info_.summary = "loops and dry friction of joints by their sides, the rest by another solver";
    info_.forms |= bit(Matrix::Form::factored);
    part_.A.set_factored();
  }

  const SolverInfo& info() const override { return info_; }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    if (split(problem) && solve_split(problem, answer)) return;
    behind_->options = options;
    behind_->solve(problem, answer);
  }

 private:
  enum Side : char { low, held, high, open };

  // Finds the rows of joints, tree by tree. False: no joints.
  bool split(const Problem& problem) {
    if (problem.A.form() != Matrix::Form::factored) return false;
    const FactoredMatrix& A = problem.A.factored();
    if (!A.inverse_mass.empty()) return false;
    if (std::any_of(problem.bound_by.begin(), problem.bound_by.end(), [](int j) { return j >= 0; }))
      return false;
    joints_ = 0;
    place_.assign(A.trees.size(), -1);
    is_joint_.assign(A.groups.size(), 0);
    std::size_t cone = 0;
    for (int i = 0; i < static_cast<int>(A.groups.size()); ++i) {
      const RowGroup& g = A.groups[at(i)];
      while (cone < problem.cones.size() && problem.cones[cone].first < g.row) ++cone;
      const bool contact =
          cone < problem.cones.size() && problem.cones[cone].first < g.row + g.size;
      if (contact || g.trees != 1 || !is_joint(problem, g)) continue;
      is_joint_[at(i)] = 1;
      HeldRows& joints = joints_of(A, g.tree[0]);
      for (int k = 0; k < g.size; ++k) joints.add(i, k);
    }
    return joints_ > 0;
  }

  // Rows with bounds that see more than one velocity are of contacts too: torsional friction, whose
  // bounds change from problem to problem.
  static bool is_joint(const Problem& p, const RowGroup& g) {
    for (int k = g.row; k < g.row + g.size; ++k) {
      if (std::isfinite(p.lo[k]) != std::isfinite(p.hi[k])) return false;
      if (std::isfinite(p.lo[k]) && g.only < 0) return false;
    }
    return true;
  }

  HeldRows& joints_of(const FactoredMatrix& A, int tree) {
    int& place = place_[at(tree)];
    if (place < 0) {
      place = static_cast<int>(joints_++);
      if (trees_.size() < joints_) trees_.emplace_back();
      trees_[at(place)].begin(A, tree);
    }
    return trees_[at(place)];
  }

  template <class F>
  void for_each_joint(F&& f) const {
    for (std::size_t t = 0; t < joints_; ++t)
      for (const int row : trees_[t].candidates()) f(row);
  }

  // False: answer.z is the better of the start and of what came out.
  bool solve_split(const Problem& problem, Answer& answer) {
    const FactoredMatrix& A = problem.A.factored();
    const double size = 1 + problem.b.cwiseAbs().maxCoeff(), within = options.tolerance * size;
    problem.A.multiply(answer.z, w_);
    w_ += problem.b;
    const double first = off(problem, answer.z);
    // without contacts the answer is exact, and a start that is good enough is not
    if (first <= within && !problem.cones.empty()) return true;
    choose_sides(problem, answer.z);
    z_ = answer.z;
    answer.iterations = answer.pivots = 0;
    double last = first;
    for (const bool again : {false, true}) {
      if (again && !open_doubtful(problem, kSlack * within)) break;
      settle(problem, A);
      ++answer.iterations;  // a start that was kept has none
      if (!rest_.empty()) solve_rest(problem, again, size, answer);
      find_w(problem);
      last = off(problem, z_);
      if (last <= within) break;
    }
    if (last < first) answer.z = z_;
    return last <= within;
  }

  void solve_rest(const Problem& problem, bool again, double size, Answer& answer) {
    const FactoredMatrix& A = problem.A.factored();
    reduce(problem, A);
    behind_->options = options;
    behind_->options.warm_start = options.warm_start || again;
    behind_->options.tolerance *= kOfTolerance * size / (1 + part_.b.cwiseAbs().maxCoeff());
    take_part(A, z_, part_answer_.z);
    behind_->solve(part_, part_answer_);
    answer.iterations += part_answer_.iterations;
    answer.pivots += part_answer_.pivots;
    answer.solver = part_answer_.solver;
    answer.link = part_answer_.link;
    answer.level = part_answer_.level;
    put_part(A, part_answer_.z, z_);
    react(problem, A);
  }

  // w_ of z_, whose effect is u_.
  void find_w(const Problem& problem) {
    const FactoredMatrix& A = problem.A.factored();
    A.velocities(u_, {w_.data(), at(problem.size())});
    for (std::size_t i = 0; i < A.softness.size(); ++i)
      w_[static_cast<int>(i)] += A.softness[i] * z_[static_cast<int>(i)];
    w_ += problem.b;
  }

  // How far z with w_ is from a solution. Computes map_.
  double off(const Problem& problem, const VectorX& z) {
    natural_map(problem, z, w_, map_);
    return map_.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
  }

  // From a start and its w_: a joint is where a step of its own row would take it. Near a bound the
  // solver behind decides.
  void choose_sides(const Problem& problem, const VectorX& z) {
    sides_.assign(at(problem.size()), held);
    for (std::size_t t = 0; t < joints_; ++t)
      for (std::size_t i = 0; i < trees_[t].candidates().size(); ++i) {
        const int row = trees_[t].candidates()[i];
        if (problem.is_free(row)) continue;
        const double d = trees_[t].diagonal(static_cast<int>(i));
        const double y = d > 0 ? z[row] - w_[row] / d : z[row];
        const double lo = problem.lo[row], hi = problem.hi[row], near = kNearBound * (hi - lo);
        const bool is_open = std::min(std::abs(y - lo), std::abs(y - hi)) < near;
        sides_[at(row)] = is_open ? open : y <= lo ? low : y >= hi ? high : held;
      }
  }

  // Joints whose rows are off by more than `slack`, and all with friction that seemed to stick: the
  // solver behind gets them too. False: there are none that it has not got.
  bool open_doubtful(const Problem& problem, double slack) {
    bool changed = false;
    for_each_joint([&](int row) {
      char& side = sides_[at(row)];
      const bool sticks = side == held && !problem.is_free(row);
      if (side == open || !(sticks || std::abs(map_[row]) > slack)) return;
      side = open;
      changed = true;
    });
    return changed;
  }

  // Groups for the solver behind.
  void find_rest(const FactoredMatrix& A) {
    rest_.clear();
    for (int i = 0; i < static_cast<int>(A.groups.size()); ++i) {
      const RowGroup& g = A.groups[at(i)];
      const auto begin = sides_.begin() + g.row;
      const bool rest =
          !is_joint_[at(i)] || std::find(begin, begin + g.size, open) != begin + g.size;
      if (!rest) continue;
      rest_.push_back(i);
      std::fill(begin, begin + g.size, open);
    }
  }

  // Joints at a bound get their impulses; those that hold are factored, and get the impulses that
  // they have without the rest. u_ is the effect of both.
  void settle(const Problem& problem, const FactoredMatrix& A) {
    find_rest(A);
    u_.assign(at(A.velocities_size()), 0.0);
    moved_.setZero(problem.size());
    is_held_.assign(at(problem.size()), 0);
    for_each_joint([&](int row) {
      const char side = sides_[at(row)];
      is_held_[at(row)] = side == held;
      if (side == low) z_[row] = moved_[row] = problem.lo[row];
      if (side == high) z_[row] = moved_[row] = problem.hi[row];
    });
    A.add_impulses({moved_.data(), at(problem.size())}, u_);
    for (std::size_t t = 0; t < joints_; ++t) trees_[t].hold(is_held_);
    hold_joints(problem, A);
  }

  // Impulses of the joints that hold, against the velocities u_ without them, and their effect.
  void hold_joints(const Problem& problem, const FactoredMatrix& A) {
    moved_.setZero(problem.size());
    for (std::size_t t = 0; t < joints_; ++t) {
      if (!trees_[t].any()) continue;
      trees_[t].solve(problem.b, u_, z_);
      for (const int row : trees_[t].candidates())
        if (is_held_[at(row)]) moved_[row] = z_[row];
    }
    A.add_impulses({moved_.data(), at(problem.size())}, u_);
  }

  // part_: the rows of the rest, which feel the joints that hold as mass, and the impulses of all.
  void reduce(const Problem& problem, const FactoredMatrix& A) {
    FactoredMatrix& part = part_.A.factored();
    take_groups(A, rest_, scratch_places_, part);
    stiffen(part);
    A.velocities(u_, {w_.data(), at(problem.size())});
    part_.resize(part.rows());
    std::size_t cone = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const RowGroup& from = A.groups[at(rest_[i])];
      const int row = part.groups[i].row;
      for (int k = 0; k < from.size; ++k) {
        part_.b[row + k] = problem.b[from.row + k] + w_[from.row + k];
        part_.lo[row + k] = problem.lo[from.row + k];
        part_.hi[row + k] = problem.hi[from.row + k];
      }
      while (cone < problem.cones.size() && problem.cones[cone].first < from.row) ++cone;
      for (; cone < problem.cones.size() && problem.cones[cone].first < from.row + from.size;
           ++cone) {
        part_.cones.push_back(problem.cones[cone]);
        part_.cones.back().first += row - from.row;
      }
    }
  }

  void stiffen(FactoredMatrix& part) {
    for (const RowGroup& g : part.groups)
      for (int side = 0; side < g.trees; ++side) {
        const TreeBlock& tree = part.trees[at(g.tree[side])];
        const int place = place_[at(tree.id)];
        if (place < 0 || !trees_[at(place)].any()) continue;
        for (int k = 0; k < g.size; ++k)
          trees_[at(place)].stiffen(&part.MinvJT[at(g.begin[side] + k * tree.size)]);
      }
  }

  // The joints' answer to the impulses of the rest.
  void react(const Problem& problem, const FactoredMatrix& A) {
    moved_ = z_;
    for_each_joint([&](int row) {
      if (is_held_[at(row)]) moved_[row] = 0;
    });
    std::fill(u_.begin(), u_.end(), 0.0);
    A.add_impulses({moved_.data(), at(problem.size())}, u_);
    hold_joints(problem, A);
  }

  void take_part(const FactoredMatrix& A, const VectorX& z, VectorX& out) const {
    out.resize(part_.size());
    int next = 0;
    for (const int i : rest_)
      for (int k = 0; k < A.groups[at(i)].size; ++k) out[next++] = z[A.groups[at(i)].row + k];
  }
  void put_part(const FactoredMatrix& A, const VectorX& from, VectorX& z) const {
    int next = 0;
    for (const int i : rest_)
      for (int k = 0; k < A.groups[at(i)].size; ++k) z[A.groups[at(i)].row + k] = from[next++];
  }

  std::unique_ptr<Solver> behind_;
  SolverInfo info_;
  std::vector<HeldRows> trees_;  // the first joints_ are in use
  std::size_t joints_ = 0;
  std::vector<int> place_, scratch_places_, rest_;
  std::vector<char> sides_, is_held_, is_joint_;
  std::vector<double> u_;
  VectorX z_, w_, map_, moved_;
  Problem part_;
  Answer part_answer_;
};

}  // namespace

std::unique_ptr<Solver> make_joints_first(std::unique_ptr<Solver> behind) {
  return std::make_unique<JointsFirst>(std::move(behind));
}

}  // namespace abut
