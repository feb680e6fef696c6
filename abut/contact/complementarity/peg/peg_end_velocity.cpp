#include "abut/contact/complementarity/peg/peg_end_velocity.h"

#include <algorithm>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"

namespace abut {

using namespace peg_tolerance;

namespace {

bool pushes(const Vec3& impulse) { return impulse.squaredNorm() > 0; }

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

bool PegEndVelocity::parts(const PegProblem& problem) const {
  const double least = kAtRest * largest_of(u_end_);
  const std::vector<Vec3>& impulses = problem.stepping().impulses();
  for (std::size_t i = 0; i < impulses.size(); ++i)
    if (parting_[i] > least && pushes(impulses[i])) return true;
  return false;
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
  if (parts(problem)) {
    keep_touching(scene, problem);
    const Around around = scene.around(change);
    next_.resize(u_end_.size());
    problem.solve(scene, &around, u_alone_, next_);
    problem.data().points.psi = gaps_;  // as they are
    for (std::size_t i = 0; i < u_end_.size(); ++i) u_end_[i] = u_alone_[i] + next_[i];
  }
  velocity_.resize(u_end_.size());
  from_solver_velocity(scene.model(), scene.end(), u_end_, velocity_);
}

// Of the contacts of the end those that touch, with what J u' lets them part for a gap; gaps_ has
// their own.
void PegEndVelocity::keep_touching(const PegScene& scene, PegProblem& problem) {
  const std::vector<double>& sizes = scene.step().collider.sizes();
  ContactPoints& points = problem.data().points;
  raised_.assign(points.psi.size(), 0.0);
  const std::vector<Contact>& contacts = problem.stepping().contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    raised_[at(contacts[i].point)] = scene.step().h * std::max(parting_[i], 0.0);
  gaps_.clear();
  int kept = 0;
  for (Patch& patch : problem.data().patches) {
    const double touch = kTouches * (sizes[at(patch.geom_a)] + sizes[at(patch.geom_b)]);
    const int first = kept;
    for (int i = patch.begin; i < patch.end; ++i) {
      if (points.psi[at(i)] > touch) continue;
      gaps_.push_back(points.psi[at(i)]);
      points.p_A[at(kept)] = points.p_A[at(i)];
      points.p_B[at(kept)] = points.p_B[at(i)];
      points.id[at(kept)] = points.id[at(i)];
      points.psi[at(kept)] = points.psi[at(i)] + raised_[at(i)];
      ++kept;
    }
    patch.begin = first, patch.end = kept;
  }
  points.resize(kept);
}

}  // namespace abut
