// Steppers on the configuration manifold.
//
//   abut::Stepper stepper(model);
//   stepper.step(abut::Integrator::rk4, 1e-3, input, state, d);
//
//   euler     semi-implicit: v first, then q with the new v. Joint damping is implicit
//             unless the file says eulerdamp="disable". First order.
//   implicit  the same, and the damping of servos on single joints is implicit too.
//   explicit  q and v both with the slopes at the start. First order, gains energy; for
//             comparison.
//   rk4       the classical fourth-order rule. The four numbers of a quaternion are integrated
//             directly, and normalised at the end.
//
// In the three first-order steppers rotation has no drift. Under euler and implicit the impulses of
// a step act on a free body (without joints to other bodies) at the start of the step; then the
// body turns by free_rotation() (energy and momentum to rounding). The velocity terms of trees that
// can tumble are taken at the mean velocity of the step. Under euler and implicit a tree on a free
// joint without contacts falls by h (v + v') / 2: its flight is a parabola to rounding, and its
// energy is conserved.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// The name on the command line: euler, implicit, explicit, rk4.
std::string_view integrator_name(Integrator integrator);

// Further forces in the stages of a step, beside the smooth forces.
class StageForces {
 public:
  virtual ~StageForces() = default;
  // Adds to d.tau. d has positions() and velocities() of the stage, whose weight in the step is
  // `weight`.
  virtual void add(double weight, const State& stage, const Input& input, Derived& d) = 0;
  // Changes d.acceleration to satisfy constraints; only rk4 calls it.
  virtual void constrain(double weight, const State& stage, const Input& input, Derived& d) = 0;
};

class Stepper {
 public:
  explicit Stepper(const Model& model);

  // Advances the state by h seconds under a constant input. d keeps the values of the start of the
  // step: poses, forces, accelerations. Allocates nothing.
  void step(Integrator integrator, double h, const Input& input, State& state, Derived& d,
            StageForces* more = nullptr);

  // The three parts of a first-order step, for callers that insert something in between.
  void forces(const Input& input, const State& state, Derived& d);
  void accelerate(Integrator integrator, double h, const Input& input, const State& state,
                  Derived& d);
  // One entry for each dof, or empty: `change` is the change of velocities by constraints, in
  // solver coordinates (solver_velocity.h); `contact` is the part of d.tau that contacts caused. A
  // tree is in free flight if it has no change, and no contact force above 1e-6 of its weight:
  // contacts of rounding must not decide it.
  void move(Integrator integrator, double h, State& state, Derived& d,
            std::span<const double> change = {}, std::span<const double> contact = {});

  // Energy (J) that the last move() gave to bodies held by contacts: these move by h v' and not by
  // h (v + v') / 2, so that the work of gravity differs from the change of their energy.
  double held_gain() const { return held_gain_; }

  // Velocities after the step without constraints, in solver coordinates; for a free body without
  // joints to others, before it turns. Requires accelerate().
  void end_velocities(double h, const State& state, const Derived& d, std::span<double> u) const;
  // What accelerate() added to the diagonal of M; one entry for each dof.
  std::span<const double> implicit_damping() const { return extra_; }
  // Whether velocity terms are taken at the mean velocity of the step, v + h a / 2.
  bool takes_mean_velocities() const { return tumbles_; }

 private:
  void first_order(Integrator integrator, double h, const Input& input, State& state, Derived& d,
                   StageForces* more);
  void runge_kutta_4(double h, const Input& input, State& state, Derived& d, StageForces* more);
  void move_free_body(std::size_t tree, Integrator integrator, double h, const State& before,
                      State& state, const Derived& d, const double* change) const;
  void correct_falls(double h, const Derived& d, std::span<const double> change,
                     std::span<const double> contact, State& state);

  const Model& model_;
  bool tumbles_ = false;              // a tree of several links has a free or ball joint
  std::vector<std::uint8_t> joined_;  // for each tree: joints to other bodies (equalities) hold it
  struct Fall {
    int tree = 0, q = 0;  // q: of the free joint
    Vec3 acceleration = Vec3::Zero();
    double weight = 0;  // N
  };
  double held_gain_ = 0;
  std::vector<Fall> falls_;  // trees on free joints that only contacts can hold
  std::vector<double> extra_, mean_v_, previous_, tendon_damping_;
  State stage_, start_;
  std::vector<double> rate_q_, sum_q_, sum_v_, sum_act_;
  Derived scratch_;
};

}  // namespace abut
