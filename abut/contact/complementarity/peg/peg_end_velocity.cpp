#include "abut/contact/complementarity/peg/peg_end_velocity.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"

namespace abut {

using namespace peg_tolerance;

namespace {

// Solves of a problem for the end velocity that is hard.
constexpr int kMostProximal = 5;

bool pushes(const Vec3& impulse) { return impulse.squaredNorm() > 0; }

template <class Fn>
void for_trees(const RowGroup& group, const Fn& fn) {
  for (int side = 0; side < group.trees; ++side) fn(group.tree[side]);
}

}  // namespace

void PegEndVelocity::clear() {
  velocity_.clear();
  handed_.clear();
  momentum_ = 0;
}

// The free velocities where the step ends: what contacts did not change has those of its motion.
// Bodies that touch nothing but each other get the least change that keeps the angular momentum of
// the free motion (keep_momentum.h): contacts have moved them, to places where the same velocities
// are another momentum. The others keep the energy of their spin, turned as they are.
void PegEndVelocity::find_alone(const PegScene& scene, const PegProblem& problem,
                                std::span<const double> change) {
  const Model& model = scene.model();
  const std::span<const double> u_free = scene.step().u_free;
  u_alone_.resize(change.size());
  to_solver_velocity(model, scene.end(), scene.end_state().v, u_alone_);
  for (const Tree& tree : model.trees) {
    const auto first = change.begin() + tree.dof_begin, last = first + tree.dof_count;
    if (std::all_of(first, last, [](double x) { return x == 0; })) continue;
    std::copy_n(u_free.begin() + tree.dof_begin, tree.dof_count, u_alone_.begin() + tree.dof_begin);
    if (!tree.free_body) continue;
    const std::size_t body = at(model.links[at(tree.link_begin)].body);
    Eigen::Map<Vec3> spin(&u_alone_[at(tree.dof_begin + 3)]);
    spin = (scene.end().body_rotation[body] * scene.start().body_rotation[body].transpose() * spin)
               .eval();
  }
  restore_momentum(scene, problem);
}

void PegEndVelocity::restore_momentum(const PegScene& scene, const PegProblem& problem) {
  const Model& model = scene.model();
  const TimeStepping& stepping = problem.stepping();
  v_alone_.resize(u_alone_.size());
  from_solver_velocity(model, scene.start(), scene.step().u_free, v_alone_);
  keeper_.note(stepping.islands(), stepping.rows().groups(), stepping.row_impulses(), v_alone_,
               scene.start());
  from_solver_velocity(model, scene.end(), u_alone_, v_alone_);
  keeper_.restore(scene.end(), v_alone_, MomentumKeeper::TooLittleEnergy::leave);
  handed_ = u_alone_;
  to_solver_velocity(model, scene.end(), v_alone_, u_alone_);
  for (std::size_t i = 0; i < handed_.size(); ++i) handed_[i] = u_alone_[i] - handed_[i];
  momentum_ = keeper_.handed();
}

// Finds the islands in which something that presses parts: their trees, and the patches of all others.
// False: there are none.
bool PegEndVelocity::find_parting(const Model& model, const PegProblem& problem) {
  const TimeStepping& stepping = problem.stepping();
  const std::span<const RowGroup> groups = stepping.rows().groups();
  fastest_.assign(groups.size(), -kInfinity);  // parting of contacts that press, one a group
  for (std::size_t i = 0; i < parting_.size(); ++i)
    if (pushes(stepping.impulses()[i])) fastest_[at(stepping.contacts()[i].group)] = parting_[i];
  parts_.assign(groups.size(), 0);
  parting_trees_.clear();
  for (int i = 0; i < stepping.islands().count(); ++i) {
    const std::span<const int> island = stepping.islands().groups(i);
    double fastest = -kInfinity, velocity = 0;
    for (const int g : island) {
      fastest = std::max(fastest, fastest_[at(g)]);
      for_trees(groups[at(g)], [&](int t) {
        const Tree& tree = model.trees[at(t)];
        const std::span<const double> u(u_end_);
        velocity =
            std::max(velocity, largest_of(u.subspan(at(tree.dof_begin), at(tree.dof_count))));
      });
    }
    if (!(fastest > kAtRest * velocity)) continue;
    for (const int g : island) {
      parts_[at(g)] = 1;
      for_trees(groups[at(g)], [&](int t) { parting_trees_.push_back(t); });
    }
  }
  kept_.assign(problem.data().patches.size(), 1);
  for (const Contact& c : stepping.contacts())
    if (parts_[at(c.group)]) kept_[at(c.patch)] = 0;
  return !parting_trees_.empty();
}

// Calls fn(i) for the velocities of those trees.
template <class Fn>
void PegEndVelocity::for_parting(const Model& model, const Fn& fn) const {
  for (const int t : parting_trees_) {
    const Tree& tree = model.trees[at(t)];
    for (int i = tree.dof_begin; i < tree.dof_begin + tree.dof_count; ++i) fn(at(i));
  }
}

// Where J u = b <= 0 on rows that press, p . J (u + u_alone) / 2 = p . b - p A p / 2 is not
// positive: no energy comes of it.
void PegEndVelocity::find(PegScene& scene, PegProblem& problem, std::span<const double> change) {
  TimeStepping& stepping = problem.stepping();
  scene.go_to_end(change);
  scene.factor_end();
  if (std::none_of(stepping.impulses().begin(), stepping.impulses().end(), pushes)) return;
  find_alone(scene, problem, change);
  u_end_.resize(u_alone_.size());
  for (std::size_t i = 0; i < u_end_.size(); ++i) u_end_[i] = u_alone_[i] + change[i];
  stepping.partings(u_end_, parting_);
  if (find_parting(scene.model(), problem)) {
    keep_touching(scene, problem);
    const Around around = scene.around(change);
    next_.resize(u_end_.size());
    // islands in which nothing parts end as they would alone
    const std::span<const double> u_free = scene.step().u_free;
    u_solve_.assign(u_free.begin(), u_free.end());
    for_parting(scene.model(), [&](std::size_t i) { u_solve_[i] = u_alone_[i]; });
    problem.solve(scene, &around, u_solve_, next_, kept_);
    // proximal steps lead to the solution, one after the other
    for (int i = 0; i < kMostProximal && problem.is_hard(); ++i) {
      before_ = next_;
      problem.solve(scene, &around, u_solve_, next_, kept_);
      double moved = 0;
      for (std::size_t k = 0; k < next_.size(); ++k)
        moved = std::max(moved, std::abs(next_[k] - before_[k]));
      if (moved <= kNearEnough * (largest_of(u_solve_) + largest_of(next_))) break;
    }
    problem.data().points.psi = gaps_;  // as they are
    for_parting(scene.model(), [&](std::size_t i) { u_end_[i] = u_alone_[i] + next_[i]; });
  }
  velocity_.resize(u_end_.size());
  from_solver_velocity(scene.model(), scene.end(), u_end_, velocity_);
}

// Of the contacts of the end those that touch, with what J u' lets them part for a gap; gaps_ has
// their own. Patches that are kept stay as they are.
void PegEndVelocity::keep_touching(const PegScene& scene, PegProblem& problem) {
  const std::vector<double>& sizes = scene.step().collider.sizes();
  ContactPoints& points = problem.data().points;
  raised_.assign(points.psi.size(), 0.0);
  const std::vector<Contact>& contacts = problem.stepping().contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    raised_[at(contacts[i].point)] = scene.step().h * std::max(parting_[i], 0.0);
  gaps_.clear();
  int kept = 0;
  for (std::size_t p = 0; p < kept_.size(); ++p) {
    Patch& patch = problem.data().patches[p];
    const double touch = kTouches * (sizes[at(patch.geom_a)] + sizes[at(patch.geom_b)]);
    const int first = kept;
    for (int i = patch.begin; i < patch.end; ++i) {
      if (!kept_[p] && points.psi[at(i)] > touch) continue;
      gaps_.push_back(points.psi[at(i)]);
      points.p_A[at(kept)] = points.p_A[at(i)];
      points.p_B[at(kept)] = points.p_B[at(i)];
      points.id[at(kept)] = points.id[at(i)];
      points.psi[at(kept)] = points.psi[at(i)] + (kept_[p] ? 0 : raised_[at(i)]);
      ++kept;
    }
    patch.begin = first, patch.end = kept;
  }
  points.resize(kept);
}

}  // namespace abut
