// The algorithms against each other and against first principles, on random trees.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "abut/dynamics/articulated.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/energy.h"
#include "abut/dynamics/forward.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/math/rotation.h"
#include "support/random_worlds.h"

namespace abut {
namespace {

using test::random_state;
using test::random_world;

struct Case {
  Model model;
  State state;
  Input input;
  Derived d;
  explicit Case(unsigned seed)
      : model(compile(random_world(seed, 1 + static_cast<int>(seed % 17)))),
        state(random_state(model, seed + 1)),
        input(model),
        d(model) {
    positions(model, state, input, d);
    velocities(model, state, d);
  }
};

Eigen::Map<const VecX> as_vector(const std::vector<double>& x) { return {x.data(), std::ssize(x)}; }

// M from the definition: the sum over bodies of J^T I J, body by body.
MatX mass_matrix_by_definition(const Case& c) {
  MatX M = MatX::Zero(c.model.nv, c.model.nv);
  MatX J(6, c.model.nv);
  for (int b = 1; b < c.model.nbody(); ++b) {
    const MassProperties& m = c.model.bodies[b].mass;
    const Mat3& R = c.d.body_rotation[b];
    body_jacobian(c.model, c.d, b, c.d.body_pose[b] * m.com, J);
    M += m.mass * J.topRows(3).transpose() * J.topRows(3) +
         J.bottomRows(3).transpose() * (R * m.inertia * R.transpose()) * J.bottomRows(3);
  }
  for (int i = 0; i < c.model.nv; ++i) M(i, i) += c.model.dofs[i].armature;
  return M;
}

RC_GTEST_PROP(Trees, MassMatrixIsTheSumOfItsBodies, ()) {
  Case c(*rc::gen::inRange(0u, 1000000u));
  mass_matrix(c.model, c.d);
  const MatX expected = mass_matrix_by_definition(c);
  const double error = (dense_mass_matrix(c.model, c.d) - expected).cwiseAbs().maxCoeff();
  RC_ASSERT(error <= 1e-12 * std::max(1.0, expected.cwiseAbs().maxCoeff()));
}

RC_GTEST_PROP(Trees, SolveInvertsTheMassMatrix, ()) {
  const unsigned seed = *rc::gen::inRange(0u, 1000000u);
  Case c(seed);
  test::Random r(seed);
  mass_matrix(c.model, c.d);
  factor(c.model, c.d);
  std::vector<double> x(c.model.nv), y(c.model.nv);
  for (double& e : x) e = r.uniform(-1, 1);
  multiply(c.model, c.d, x, y);
  solve(c.model, c.d, y);
  RC_ASSERT((as_vector(x) - as_vector(y)).norm() <= 1e-8 * as_vector(x).norm());
}

RC_GTEST_PROP(Trees, ArticulatedBodiesAgreeWithTheFactorisation, ()) {
  const unsigned seed = *rc::gen::inRange(0u, 1000000u);
  Case c(seed);
  test::Random r(seed);
  std::vector<double> tau(c.model.nv), a(c.model.nv), b(c.model.nv);
  for (double& e : tau) e = r.uniform(-1, 1);
  mass_matrix(c.model, c.d);
  factor(c.model, c.d);
  bias_forces(c.model, c.state, c.d);
  for (int i = 0; i < c.model.nv; ++i) b[i] = tau[i] - c.d.bias[i];
  solve(c.model, c.d, b);
  articulated_acceleration(c.model, c.state.v, tau, {}, c.d, a);
  RC_ASSERT((as_vector(a) - as_vector(b)).norm() <= 1e-8 * (1 + as_vector(b).norm()));
}

RC_GTEST_PROP(Trees, InverseDynamicsUndoesForwardDynamics, ()) {
  const unsigned seed = *rc::gen::inRange(0u, 1000000u);
  Case c(seed);
  test::Random r(seed);
  std::vector<double> tau(c.model.nv), a(c.model.nv), back(c.model.nv);
  for (double& e : tau) e = r.uniform(-1, 1);
  articulated_acceleration(c.model, c.state.v, tau, {}, c.d, a);
  inverse_dynamics(c.model, c.state, c.d, a, back);
  RC_ASSERT((as_vector(tau) - as_vector(back)).norm() <= 1e-8 * (1 + as_vector(a).norm()));
}

// Without forces nothing does work: d(kinetic energy)/dt = 0 along the motion, whatever the
// Coriolis terms are. A wrong bias shows at once.
RC_GTEST_PROP(Trees, VelocityTermsDoNoWork, ()) {
  Case c(*rc::gen::inRange(0u, 1000000u));
  c.model.option.gravity.setZero();
  const std::vector<double> none(c.model.nv, 0.0);
  std::vector<double> a(c.model.nv);
  articulated_acceleration(c.model, c.state.v, none, {}, c.d, a);
  auto kinetic_after = [&](double h) {
    State s = c.state;
    advance(c.model, s.v, h, s.q);
    for (int i = 0; i < c.model.nv; ++i) s.v[i] += h * a[i];
    Derived d(c.model);
    positions(c.model, s, c.input, d);
    velocities(c.model, s, d);
    return energy(c.model, s, d).kinetic;
  };
  const double h = 1e-5;
  const double rate = (kinetic_after(h) - kinetic_after(-h)) / (2 * h);
  const double scale = energy(c.model, c.state, c.d).kinetic + as_vector(a).norm();
  RC_ASSERT(std::abs(rate) <= 1e-6 * scale + 1e-8);
}

// Velocities of points and bodies are what finite differences of their poses say.
RC_GTEST_PROP(Trees, JacobiansAreDerivatives, ()) {
  const unsigned seed = *rc::gen::inRange(0u, 1000000u);
  Case c(seed);
  test::Random r(seed);
  const int b = r.integer(1, c.model.nbody() - 1);
  const Vec3 point_B = r.vec(0.5);
  const Vec3 point = c.d.body_pose[b] * point_B;
  MatX J(6, c.model.nv);
  body_jacobian(c.model, c.d, b, point, J);
  const VecX twist = J * as_vector(c.state.v);

  const double h = 1e-6;
  Pose X[2];
  for (int side = 0; side < 2; ++side) {
    State s = c.state;
    advance(c.model, s.v, side == 0 ? -h : h, s.q);
    Derived d(c.model);
    positions(c.model, s, c.input, d);
    X[side] = d.body_pose[b];
  }
  const Vec3 v = (X[1] * point_B - X[0] * point_B) / (2 * h);
  const Vec3 w = c.d.body_pose[b].q * (log_rotation(X[0].q.conjugate() * X[1].q) / (2 * h));
  RC_ASSERT((twist.head<3>() - v).norm() <= 1e-6 * (1 + v.norm()));
  RC_ASSERT((twist.tail<3>() - w).norm() <= 1e-6 * (1 + w.norm()));
  const Spatial t = twist_at(c.model, c.d, c.model.bodies[b].link, point);
  RC_ASSERT((t.lin - twist.head<3>()).norm() <= 1e-11 * (1 + v.norm()));
  RC_ASSERT((t.ang - twist.tail<3>()).norm() <= 1e-11 * (1 + w.norm()));
}

RC_GTEST_PROP(Trees, WrenchesActThroughTheTransposedJacobian, ()) {
  const unsigned seed = *rc::gen::inRange(0u, 1000000u);
  Case c(seed);
  test::Random r(seed);
  const int b = r.integer(1, c.model.nbody() - 1);
  const Vec3 point = r.vec(2);
  const Spatial w{r.vec(3), r.vec(3)};
  MatX J(6, c.model.nv);
  body_jacobian(c.model, c.d, b, point, J);
  VecX wrench(6);
  wrench << w.lin, w.ang;
  const VecX expected = J.transpose() * wrench;
  std::vector<double> force(c.model.nv, 0.0), by_link(c.model.nv, 0.0);
  add_wrench(c.model, c.d, b, point, w, force);
  RC_ASSERT((as_vector(force) - expected).norm() <= 1e-12 * (1 + expected.norm()));
  std::vector<Spatial> link_wrench(c.model.links.size());
  if (const int l = c.model.bodies[b].link; l >= 0)
    link_wrench[l] = shift_wrench(w, c.d.tree_point[c.model.links[l].tree] - point);
  add_link_wrenches(c.model, c.d, link_wrench, by_link);
  RC_ASSERT((as_vector(by_link) - expected).norm() <= 1e-12 * (1 + expected.norm()));
}

// The kinetic energy of Energy is v M v / 2, and momentum is the sum over bodies.
RC_GTEST_PROP(Trees, EnergyAndMomentumMatchTheMassMatrix, ()) {
  Case c(*rc::gen::inRange(0u, 1000000u));
  mass_matrix(c.model, c.d);
  std::vector<double> p(c.model.nv);
  multiply(c.model, c.d, c.state.v, p);
  const double kinetic = 0.5 * as_vector(p).dot(as_vector(c.state.v));
  RC_ASSERT(std::abs(energy(c.model, c.state, c.d).kinetic - kinetic) <= 1e-12 * (1 + kinetic));
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (int b = 1; b < c.model.nbody(); ++b) {
    const MassProperties& m = c.model.bodies[b].mass;
    if (c.model.bodies[b].link < 0) continue;
    const Vec3 com = c.d.body_pose[b] * m.com;
    const Spatial t = twist_at(c.model, c.d, c.model.bodies[b].link, com);
    const Mat3& R = c.d.body_rotation[b];
    linear += m.mass * t.lin;
    angular += com.cross(m.mass * t.lin) + R * m.inertia * R.transpose() * t.ang;
  }
  const Momentum total = momentum(c.model, c.d);
  RC_ASSERT((total.linear - linear).norm() <= 1e-11 * (1 + linear.norm()));
  RC_ASSERT((total.angular - angular).norm() <= 1e-11 * (1 + angular.norm()));
}

// Turning and shifting the whole world changes nothing inside it; ten kilometres away the
// answers are the same to what the coordinates can hold.
TEST(Trees, AreTheSameAnywhere) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    World world = random_world(seed, 8, 0.0);
    const Model here = compile(world);
    test::Random r(seed);
    const Pose X{1e4 * Vec3(r.uniform(-1, 1), 1, -1), r.quat()};
    for (BodyDesc& root : world.worldbody.bodies) root.pose = X * root.pose;
    world.option.gravity = X.q * world.option.gravity;
    const Model there = compile(world);
    const State state = random_state(here, seed);
    const Input input(here);
    Derived a(here), b(there);
    forward(here, state, input, a);
    forward(there, state, input, b);
    const double error = (as_vector(a.acceleration) - as_vector(b.acceleration)).norm();
    EXPECT_LE(error, 1e-7 * (1 + as_vector(a.acceleration).norm())) << seed;
  }
}

}  // namespace
}  // namespace abut
