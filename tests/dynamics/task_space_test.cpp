// Jacobians and inertias of tasks: against the momentum, M itself, and Newton's law.
#include "abut/dynamics/task_space.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "abut/dynamics/energy.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "support/tree.h"

namespace abut {
namespace {

struct Moving {
  explicit Moving(const Model& m) : model(m), state(m), d(m) {
    for (int i = 0; i < model.nv; ++i) state.v[static_cast<std::size_t>(i)] = 0.3 * (i % 5) - 0.4;
    advance(model, state.v, 0.7, state.q);
    positions(model, state, Input(model), d);
    velocities(model, state, d);
    mass_matrix(model, d);
    factor(model, d);
  }
  VecX v() const { return Eigen::Map<const VecX>(state.v.data(), model.nv); }

  const Model& model;
  State state;
  Derived d;
};

TEST(TaskSpace, TheCentreOfMassCarriesTheMomentum) {
  for (const char* file : {"/worlds/humanoid.xml", "/worlds/chain6.xml", "/worlds/arm6.xml"}) {
    SCOPED_TRACE(file);
    const Model model = load_model(test::in_tree(file));
    const Moving now(model);
    double mass = 0;
    for (const Link& link : model.links) mass += link.mass.mass;
    const Vec3 p = momentum(model, now.d).linear;
    EXPECT_LT((mass * com_jacobian(model, now.d, 0) * now.v() - p).norm(), 1e-11 * (1 + p.norm()));
  }
}

TEST(TaskSpace, TheInverseOfTheMassMatrixIsOne) {
  const Model model = load_model(test::in_tree("/worlds/humanoid.xml"));
  const Moving now(model);
  const MatX product = dense_mass_matrix(model, now.d) * inverse_mass_matrix(model, now.d);
  EXPECT_LT((product - MatX::Identity(model.nv, model.nv)).cwiseAbs().maxCoeff(), 1e-9);
}

// Seen from the centre of mass of a free body, the inertia is its mass; and joints of a free robot
// change nothing of it.
TEST(TaskSpace, TheInertiaOfTheCentreOfMassIsTheMass) {
  const Model model = compile(parse_mjcf(R"(<mujoco><worldbody>
    <body name="b" pos="0 0 1"><freejoint/><geom type="box" size="0.3 0.2 0.1" mass="3" pos="0.1 0 0"/>
      <body pos="0.4 0 0"><joint axis="0 1 0"/>
        <geom type="capsule" size="0.05" fromto="0 0 0 0.5 0 0.1" mass="1.5"/></body></body>
    </worldbody></mujoco>)"));
  const Moving now(model);
  const Jacobian3 J = com_jacobian(model, now.d, model.find_body("b"));
  EXPECT_LT((task_inertia(model, now.d, J) - 4.5 * Mat3::Identity()).cwiseAbs().maxCoeff(), 1e-10);
  MatX twice(6, model.nv);
  twice << J, J;
  EXPECT_THROW(task_inertia(model, now.d, twice), std::invalid_argument);
}

TEST(TaskSpace, PointsMoveByTheirJacobian) {
  const Model model = load_model(test::in_tree("/worlds/arm6.xml"));
  const Moving now(model);
  const int body = model.nbody() - 1;
  const Vec3 p = now.d.body_pose[static_cast<std::size_t>(body)] * Vec3(0.1, -0.2, 0.3);
  Jacobian3 J(3, model.nv);
  point_jacobian(model, now.d, body, p, J);
  EXPECT_LT((J * now.v() - point_velocity(model, now.d, body, p).lin).norm(), 1e-12);
  EXPECT_EQ(point_velocity(model, now.d, 0, p).lin, Vec3::Zero());
}

}  // namespace
}  // namespace abut
