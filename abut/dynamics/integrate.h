// Steppers on the configuration manifold.
//
//   abut::Stepper stepper(model);
//   stepper.step(abut::Integrator::rk4, 1e-3, input, state, d);
//
// euler     semi-implicit: v first, then q with the new v. Joint damping is implicit
//           unless the file says eulerdamp="disable". First order.
// implicit  the same, and the damping of servos on single joints is implicit too.
// explicit  q and v both with the slopes at the start. First order, gains energy; for
//           comparison.
// rk4       the classical fourth-order rule, quaternions included: their four numbers are
//           integrated as they are, and brought back to unit length at the end.
//
// In the three first-order steppers rotation is free of the usual drift: the impulses of a step act
// on a free body where the step begins (euler, implicit; no joints to other bodies), and the body
// then turns by free_rotation() (energy and momentum to rounding); the velocity terms of trees that
// can tumble are taken at the mean velocity of the step. Under euler and implicit a tree on a free
// joint that nothing touches falls by h (v + v') / 2: its flight is a parabola to rounding, and
// keeps its energy.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "abut/model/derived.h"
#include "abut/model/state.h"

namespace abut {

// As on the command line: euler, implicit, explicit, rk4.
std::string_view integrator_name(Integrator integrator);

// What else acts in the stages of a step, beside the smooth forces.
class StageForces {
 public:
  virtual ~StageForces() = default;
  // Adds to d.tau. d has positions() and velocities() of the stage, which counts for `weight` of
  // the step.
  virtual void add(double weight, const State& stage, const Input& input, Derived& d) = 0;
  // Changes d.acceleration as constraints want it; rk4 alone asks.
  virtual void constrain(double weight, const State& stage, const Input& input, Derived& d) = 0;
};

class Stepper {
 public:
  explicit Stepper(const Model& model);

  // Advances the state by h seconds under a constant input. d is left as it was at the
  // start of the step: poses, forces, accelerations. Allocates nothing.
  void step(Integrator integrator, double h, const Input& input, State& state, Derived& d,
            StageForces* more = nullptr);

  // The three parts of a first-order step, for those who put something in between.
  void forces(const Input& input, const State& state, Derived& d);
  void accelerate(Integrator integrator, double h, const Input& input, const State& state,
                  Derived& d);
  // One entry a dof, or empty: `change` is what constraints add to the velocities of the step, in
  // solver coordinates (solver_velocity.h); `contact` the generalized forces of contacts in d.tau.
  // A tree that has no change, and no force above 1e-6 of its weight, flies: contacts that rounding
  // makes must not decide it.
  void move(Integrator integrator, double h, State& state, Derived& d,
            std::span<const double> change = {}, std::span<const double> contact = {});

  // J: what the last move() gave to bodies that contacts held: these move by h v' and not by
  // h (v + v') / 2, so that gravity does more work on them, or less, than they gain.
  double held_gain() const { return held_gain_; }

  // Velocities that the forces of a step lead to and that nothing constrains, in solver
  // coordinates: of a free body without joints to others before it turns. Wants accelerate().
  void end_velocities(double h, const State& state, const Derived& d, std::span<double> u) const;
  // What accelerate() put on the diagonal of M; one a dof.
  std::span<const double> implicit_damping() const { return extra_; }

 private:
  void first_order(Integrator integrator, double h, const Input& input, State& state, Derived& d,
                   StageForces* more);
  void runge_kutta_4(double h, const Input& input, State& state, Derived& d, StageForces* more);
  void move_free_body(std::size_t tree, Integrator integrator, double h, const State& before,
                      State& state, const Derived& d, const double* change) const;
  void correct_falls(double h, const Derived& d, std::span<const double> change,
                     std::span<const double> contact, State& state);

  const Model& model_;
  bool tumbles_ = false;              // some tree of several links has a free or ball joint
  std::vector<std::uint8_t> joined_;  // one a tree: joints to other bodies (equalities) hold it
  struct Fall {
    int tree = 0, q = 0;  // q: of the free joint
    Vec3 acceleration = Vec3::Zero();
    double weight = 0;  // N
  };
  double held_gain_ = 0;
  std::vector<Fall> falls_;  // trees on free joints that nothing but contacts can hold
  std::vector<double> extra_, mean_v_, previous_, tendon_damping_;
  State stage_, start_;
  std::vector<double> rate_q_, sum_q_, sum_v_, sum_act_;
  Derived scratch_;
};

}  // namespace abut
