#include "abut/stabilize/post_step.h"

#include <algorithm>
#include <cmath>

#include "abut/dynamics/energy.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"
#include "abut/solve/wrap/free_first.h"
#include "abut/solve/wrap/in_masses.h"

namespace abut {

namespace {

// What is let be, of the largest solid: overlap that no one sees, and of joints what rounding
// makes, since their errors otherwise shrink with every post-step (C-T4).
constexpr double kSmall = 1e-10, kSmallJoint = 1e-13;
constexpr int kMostHalvings = 6;

}  // namespace

PostStep::PostStep(const Model& model, std::vector<double> sizes, const PostOptions& options)
    : model_(model),
      sizes_(std::move(sizes)),
      options_(options),
      size_of_tree_(model.trees.size()),
      equalities_(model),
      limits_(model),
      rows_(model),
      keeper_(model),
      solver_(make_in_masses(make_free_first(make_solver("pivot,lemke,dantzig")))),
      dp_(at(model.nv)),
      u_(at(model.nv)),
      reach_(model.geoms.size()) {
  double largest = 0;
  for (const double s : sizes_)
    if (std::isfinite(s)) largest = std::max(largest, s);
  size_ = largest > 0 ? largest : 1;
  for (std::size_t g = 0; g < sizes_.size(); ++g) {
    const int link = model.bodies[at(model.geoms[g].body)].link;
    if (link < 0 || !std::isfinite(sizes_[g])) continue;
    double& size = size_of_tree_[at(model.links[at(link)].tree)];
    size = std::max(size, sizes_[g]);
  }
  for (double& size : size_of_tree_)
    if (size == 0) size = size_;
  problem_.A.set_blocks();
}

PostReport PostStep::apply(int steps, double tolerance, bool with_contacts, const Input& input,
                           Collider& collider, State& state, Derived& d) {
  PostReport report;
  double worst = gather(tolerance, with_contacts, input, collider, state, d);
  report.before = report.after = worst;
  if (clean_) return report;
  const double potential = potential_energy(model_, state, d);
  for (int step = 0; step < steps && !clean_; ++step) {
    mass_matrix(model_, d);
    factor(model_, d);
    rows_.finish();
    solve(report);
    // velocities belong to the bodies, whatever their coordinates make of the change of pose
    to_solver_velocity(model_, d, state.v, u_);
    keeper_.note(islands_, rows_.groups(), l_, state.v, d);
    q_ = state.q;
    double after = 0;
    for (int halving = 0;; ++halving) {
      displace(model_, d, dp_, state.q);
      after = gather(tolerance, with_contacts, input, collider, state, d);
      if (after <= worst || halving == kMostHalvings || !options_.back_track) break;
      state.q = q_;
      positions(model_, state, input, d);
      for (double& x : dp_) x *= 0.5;
    }
    if (after > worst && options_.back_track) {  // no part of it helps
      state.q = q_;
      gather(tolerance, with_contacts, input, collider, state, d);
      break;
    }
    from_solver_velocity(model_, d, u_, state.v);
    keeper_.restore(d, state.v);
    report.handed += keeper_.handed();
    worst = after;
    ++report.steps;
  }
  report.after = worst;
  report.lifted = potential_energy(model_, state, d) - potential;
  return report;
}

// Poses, rows and errors of the state; returns the largest error.
double PostStep::gather(double tolerance, bool with_contacts, const Input& input,
                        Collider& collider, const State& state, Derived& d) {
  positions(model_, state, input, d);
  rows_.begin(d);
  equalities_.add(state, input, d, rows_);
  g_.assign(equalities_.error().begin(), equalities_.error().end());
  joint_rows_ = static_cast<int>(g_.size());
  double worst = 0;
  for (const double g : g_) worst = std::max(worst, std::abs(g));
  clean_ = worst <= kSmallJoint * size_;
  limits_.add_limits({.part = tolerance}, state, d, {}, rows_);
  for (const double g : limits_.gap()) {
    g_.push_back(g);
    worst = std::max(worst, -g);
    clean_ &= -g <= kSmall * size_;
  }
  if (!with_contacts) return worst;

  for (std::size_t i = 0; i < reach_.size(); ++i)
    reach_[i] = std::isfinite(sizes_[i]) ? tolerance * sizes_[i] : 0;
  collider.find(model_, d, state.contacts,
                {.reach = {.geom = reach_}, .max_points = options_.max_points}, data_, queries_);
  if (leaves) velocities(model_, state, d);
  for (const Patch& patch : data_.patches) {
    if (leaves && leaves(patch, data_.points, d)) continue;
    const int a = model_.geoms[at(patch.geom_a)].body, b = model_.geoms[at(patch.geom_b)].body;
    for (int i = patch.begin; i < patch.end; ++i) {
      const Vec3 p = 0.5 * (data_.points.p_A[at(i)] + data_.points.p_B[at(i)]);
      const int g = rows_.add(1, a, b);
      rows_.add_point(g, 0, b, p, patch.normal, 1);
      rows_.add_point(g, 0, a, p, patch.normal, -1);
      g_.push_back(data_.points.psi[at(i)]);
      worst = std::max(worst, -g_.back());
      clean_ = clean_ && g_.back() >= -kSmall * size_;
    }
  }
  return worst;
}

void PostStep::solve(PostReport& report) {
  l_.assign(g_.size(), 0.0);
  islands_.find(rows_.groups(), static_cast<int>(model_.trees.size()));
  for (int k = 0; k < islands_.count(); ++k) {
    int n = 0;
    bool wrong = false;
    picked_.clear();
    for (const int index : islands_.groups(k)) {
      const RowGroup& g = rows_.groups()[at(index)];
      // limits and contacts have a row each
      if (options_.pseudo_inverse && g.row >= joint_rows_ && g_[at(g.row)] >= 0) continue;
      picked_.push_back(index);
      n += g.size;
      for (int r = g.row; r < g.row + g.size; ++r)
        wrong |= r < joint_rows_ ? std::abs(g_[at(r)]) > 0 : g_[at(r)] < 0;
    }
    if (!wrong) continue;
    problem_.resize(n);
    rows_.delassus(picked_, problem_.A.blocks());
    int row = 0;
    for (const int index : picked_) {
      const RowGroup& g = rows_.groups()[at(index)];
      for (int r = g.row; r < g.row + g.size; ++r, ++row) {
        problem_.b[row] = g_[at(r)];
        if (r < joint_rows_) problem_.set_free(row);
      }
    }
    if (!solve_problem(report)) continue;
    row = 0;
    for (const int index : picked_) {
      const RowGroup& g = rows_.groups()[at(index)];
      for (int r = g.row; r < g.row + g.size; ++r) l_[at(r)] = answer_.z[row++];
    }
  }
  std::fill(dp_.begin(), dp_.end(), 0.0);
  rows_.add_impulses(l_, dp_);
  restrict_step();
}

bool PostStep::solve_problem(PostReport& report) {
  if (options_.pseudo_inverse) {
    problem_.A.to_dense(dense_);
    rhs_ = -problem_.b;
    inverse_.solve(dense_, rhs_, answer_.z);
    return true;
  }
  // lengths of micrometres are judged as lengths of metres would be; rows that say the same twice
  // differ by rounding, and none of that is to be met
  const double scale = problem_.b.cwiseAbs().maxCoeff();
  solver_->options.tolerance = (1e-6 * scale + 0.1 * kSmallJoint * size_) / (1 + scale);
  solver_->solve(problem_, answer_);
  report.residual = std::max(report.residual, answer_.residuals.relative);
  if (answer_.status == SolveStatus::solved) return true;
  ++report.unsolved;
  return false;
}

// The same part of the step for all trees of an island, so that what is met stays met.
void PostStep::restrict_step() {
  const auto for_each_tree = [&](int island, auto&& f) {
    for (const int index : islands_.groups(island))
      for (const int tree : rows_.groups()[at(index)].tree)
        if (tree >= 0) f(tree);
  };
  part_.assign(model_.trees.size(), 1.0);
  for (int k = 0; k < islands_.count(); ++k) {
    double part = 1;
    for_each_tree(k, [&](int index) {
      const Tree& tree = model_.trees[at(index)];
      const double most = options_.most, size = size_of_tree_[at(index)];
      const double* dp = &dp_[at(tree.dof_begin)];
      double move = 0, turn = 0;
      if (tree.free_body) {
        move = std::hypot(dp[0], dp[1], dp[2]);
        turn = std::hypot(dp[3], dp[4], dp[5]);
      } else {
        for (int i = 0; i < tree.dof_count; ++i) {
          const int dof = tree.dof_begin + i;
          const Joint& joint = model_.joints[at(model_.dofs[at(dof)].joint)];
          const bool linear = joint.type == JointType::slide ||
                              (joint.type == JointType::free && dof < joint.dof + 3);
          double& largest = linear ? move : turn;
          largest = std::max(largest, std::abs(dp[i]));
        }
      }
      if (move > most * size) part = std::min(part, most * size / move);
      if (turn > most) part = std::min(part, most / turn);
    });
    for_each_tree(k, [&](int index) { part_[at(index)] = part; });
  }
  for (std::size_t t = 0; t < part_.size(); ++t)
    for (int i = 0; i < model_.trees[t].dof_count; ++i)
      dp_[at(model_.trees[t].dof_begin + i)] *= part_[t];
}

}  // namespace abut
