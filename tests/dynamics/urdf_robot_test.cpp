// One robot that comes as URDF and as MJCF: the same mass matrix where the files agree.
//
// The MJCF of the Barkour robot was made from its URDF: the links that fixed joints hold are
// merged, and every number is rounded to six digits. It differs in three ways that matter
// here: it adds armature to the joints, it floats, and its frames of sensors, feet and
// markers are sites or massless bodies. So masses, centres of mass and inertias agree to six
// digits, and with the URDF's own digits put into the MJCF's tree the two mass matrices
// agree to rounding.
#include <gtest/gtest.h>

#include "abut/dynamics/mass_matrix.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "support/oracle.h"
#include "support/random_worlds.h"

namespace abut {
namespace {

struct Robots {
  World mjcf_world;
  Model urdf, mjcf;
};

Robots load() {
  const auto folder = test::shared_path("models/google_barkour_vb");
  Robots r;
  r.mjcf_world = load_world(folder / "barkour_vb.xml");
  r.mjcf = compile(r.mjcf_world);
  r.urdf = load_model(folder / "barkour_vb_rev_1_0_head_straight.urdf", {.floating_base = true});
  return r;
}

// The link of the URDF that moves as this one of the MJCF does: the one on the same joint.
int counterpart(const Robots& r, int link) {
  const Body& body = r.mjcf.bodies[r.mjcf.links[link].body];
  const Joint& joint = r.mjcf.joints[body.joint_begin];
  const int other = joint.type == JointType::free
                        ? 0
                        : r.urdf.joint_names.find(r.mjcf.joint_names[body.joint_begin]);
  return r.urdf.bodies[r.urdf.joints[other].body].link;
}

// M at a random pose without armature, its dofs in the order of the MJCF.
MatX urdf_mass_matrix(const Robots& r, const State& mjcf_state) {
  State state(r.urdf);
  std::vector<int> order{0, 1, 2, 3, 4, 5};
  for (int i = 0; i < 7; ++i) state.q[i] = mjcf_state.q[i];
  for (int j = 1; j < std::ssize(r.mjcf.joints); ++j) {
    const int other = r.urdf.joint_names.find(r.mjcf.joint_names[j]);
    state.q[r.urdf.joints[other].q] = mjcf_state.q[r.mjcf.joints[j].q];
    order.push_back(r.urdf.joints[other].dof);
  }
  Derived d(r.urdf);
  positions(r.urdf, state, Input(r.urdf), d);
  mass_matrix(r.urdf, d);
  return dense_mass_matrix(r.urdf, d)(order, order);
}

MatX mjcf_mass_matrix(const Model& model, const State& state) {
  Derived d(model);
  positions(model, state, Input(model), d);
  mass_matrix(model, d);
  MatX M = dense_mass_matrix(model, d);
  for (int i = 0; i < model.nv; ++i) M(i, i) -= model.dofs[i].armature;
  return M;
}

TEST(UrdfRobot, SameJoints) {
  ABUT_ORACLE_OR_SKIP("models/google_barkour_vb");
  const Robots r = load();
  ASSERT_EQ(r.urdf.nv, r.mjcf.nv);
  ASSERT_EQ(r.urdf.links.size(), r.mjcf.links.size());
  for (int j = 1; j < std::ssize(r.mjcf.joints); ++j) {
    const int other = r.urdf.joint_names.find(r.mjcf.joint_names[j]);
    ASSERT_GE(other, 0) << r.mjcf.joint_names[j];
    EXPECT_LT((r.urdf.joints[other].axis - r.mjcf.joints[j].axis).norm(), 1e-9);
    for (int k = 0; k < 2; ++k)
      EXPECT_NEAR(r.urdf.joints[other].range[k], r.mjcf.joints[j].range[k], 5e-6);
  }
}

// 0.787 and 1.155 kg are written whole in both files; torso and lower legs are rounded.
TEST(UrdfRobot, SameMassesToTheDigitsOfTheMjcf) {
  ABUT_ORACLE_OR_SKIP("models/google_barkour_vb");
  const Robots r = load();
  int exact = 0;
  for (int i = 0; i < std::ssize(r.mjcf.links); ++i) {
    SCOPED_TRACE(r.mjcf.body_names[r.mjcf.links[i].body]);
    const MassProperties& a = r.mjcf.links[i].mass;
    const MassProperties& b = r.urdf.links[counterpart(r, i)].mass;
    EXPECT_NEAR(a.mass, b.mass, 5e-6 * b.mass);
    EXPECT_LT((a.com - b.com).norm(), 5e-6 * b.com.norm());
    EXPECT_LT((a.inertia - b.inertia).norm(), 5e-6 * b.inertia.norm());
    exact += std::abs(a.mass - b.mass) < 1e-9;
  }
  EXPECT_EQ(exact, 8);
}

TEST(UrdfRobot, SameMassMatrixToTheDigitsOfTheMjcf) {
  ABUT_ORACLE_OR_SKIP("models/google_barkour_vb");
  const Robots r = load();
  for (unsigned seed = 0; seed < 10; ++seed) {
    const State state = test::random_state(r.mjcf, seed);
    const MatX M = mjcf_mass_matrix(r.mjcf, state);
    EXPECT_LT((M - urdf_mass_matrix(r, state)).cwiseAbs().maxCoeff(),
              1e-6 * M.cwiseAbs().maxCoeff());
  }
}

// Gives the moving bodies of the MJCF the frames and inertias of the URDF.
void take_digits(const Robots& r, BodyDesc& body) {
  if (!body.joints.empty()) {
    const int id = r.mjcf.body_names.find(body.name);
    const Link& link = r.urdf.links[counterpart(r, r.mjcf.bodies[id].link)];
    const Mat3& I = link.mass.inertia;
    body.inertial->mass = link.mass.mass;
    body.inertial->pose = {link.mass.com, Quat::Identity()};
    body.inertial->fullinertia = {I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    // through the bodies that are welded to the link above
    const int above = link.parent < 0 ? 0 : r.urdf.links[link.parent].body;
    body.pose = {};
    for (int b = link.body; b != above; b = r.urdf.bodies[b].parent)
      body.pose = r.urdf.bodies[b].pose * body.pose;
  }
  for (BodyDesc& child : body.bodies) take_digits(r, child);
}

TEST(UrdfRobot, SameMassMatrixWithTheDigitsOfTheUrdf) {
  ABUT_ORACLE_OR_SKIP("models/google_barkour_vb");
  Robots r = load();
  take_digits(r, r.mjcf_world.worldbody);
  r.mjcf = compile(r.mjcf_world);
  for (unsigned seed = 0; seed < 10; ++seed) {
    const State state = test::random_state(r.mjcf, seed);
    const MatX M = mjcf_mass_matrix(r.mjcf, state);
    EXPECT_LT((M - urdf_mass_matrix(r, state)).cwiseAbs().maxCoeff(), 1e-9);
  }
}

}  // namespace
}  // namespace abut
