// Mass matrix, forces and poses against MuJoCo: for our own worlds (fixtures in the tree), for
// the robots beside the tree, and for any others that ABUT_ORACLE_INDEX names (a file with
// lines "world.xml fixture.json").
#include "abut/dynamics/bias.h"
#include "abut/dynamics/energy.h"
#include "abut/dynamics/forward.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/load/load.h"
#include "support/fixture.h"
#include "support/oracle.h"
#include "support/tree.h"

namespace abut {
namespace {

using test::align_quaternions;
using test::numbers;
using test::relative_error;

constexpr double kTolerance = 1e-9;

std::vector<double> row_major(const MatX& M) {
  std::vector<double> out;
  for (int r = 0; r < M.rows(); ++r)
    for (int c = 0; c < M.cols(); ++c) out.push_back(M(r, c));
  return out;
}

void compare_state(const Model& model, const test::Json& entry) {
  State state(model);
  Input input(model);
  test::read_state(entry, state, input);
  ASSERT_EQ(std::ssize(state.q), model.nq);
  ASSERT_EQ(std::ssize(state.v), model.nv);
  ASSERT_EQ(std::ssize(input.ctrl), model.nu());
  Derived d(model);
  forward(model, state, input, d);
  mass_matrix(model, d);
  bias_forces(model, state, d);

  std::vector<double> xpos, xquat;
  for (const Pose& X : d.body_pose) {
    xpos.insert(xpos.end(), {X.p.x(), X.p.y(), X.p.z()});
    xquat.insert(xquat.end(), {X.q.w(), X.q.x(), X.q.y(), X.q.z()});
  }
  EXPECT_LE(relative_error(xpos, numbers(entry.at("xpos"))), kTolerance) << "xpos";
  const auto quat = numbers(entry.at("xquat"));
  EXPECT_LE(relative_error(align_quaternions(xquat, quat), quat), kTolerance) << "xquat";
  EXPECT_LE(relative_error(row_major(dense_mass_matrix(model, d)), numbers(entry.at("M"))),
            kTolerance)
      << "M";
  EXPECT_LE(relative_error(d.bias, numbers(entry.at("bias"))), kTolerance) << "bias";
  auto compare = [&](const char* key, const std::vector<double>& ours, double tolerance) {
    if (entry.contains(key)) {
      EXPECT_LE(relative_error(ours, numbers(entry.at(key))), tolerance) << key;
    }
  };
  compare("passive", d.passive, kTolerance);
  compare("actuator", d.actuation, kTolerance);
  compare("qacc_smooth", d.acceleration, 1e-7);
  if (entry.contains("energy")) {
    const Energy e = energy(model, state, d);
    const auto expected = numbers(entry.at("energy"));
    EXPECT_LE(relative_error({e.kinetic}, {expected[1]}), kTolerance) << "kinetic energy";
  }
}

void compare_file(const std::filesystem::path& world, const std::filesystem::path& fixture) {
  const test::Json j = test::read_json(fixture);
  const Model model = load_model(world);
  EXPECT_EQ(model.nq, j.at("nq").get<int>());
  ASSERT_EQ(model.nv, j.at("nv").get<int>());
  ASSERT_EQ(model.nbody(), j.at("nbody").get<int>());
  EXPECT_EQ(std::ssize(model.geoms), j.at("ngeom").get<int>());
  EXPECT_EQ(std::ssize(model.equalities), j.at("neq").get<int>());
  ASSERT_EQ(model.nu(), j.at("nu").get<int>());
  const auto names = j.at("bodies").get<std::vector<std::string>>();
  for (int b = 0; b < model.nbody(); ++b) {
    // "emsc" is what MuJoCo's npm package says of a body without a name
    const bool unnamed = names[b].empty() || names[b] == "emsc";
    EXPECT_EQ(model.body_names[b], unnamed ? "body#" + std::to_string(b) : names[b]);
  }
  EXPECT_LE(relative_error({model.mass()}, {j.at("mass").get<double>()}), kTolerance) << "mass";
  int index = 0;
  for (const auto& entry : j.at("states")) {
    SCOPED_TRACE("state " + std::to_string(index++));
    compare_state(model, entry);
  }
}

class MujocoFixture : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(MujocoFixture, Agrees) {
  const test::Json j = test::read_json(GetParam());
  compare_file(std::filesystem::path(test::in_tree()) / j.at("file").get<std::string>(),
               GetParam());
}

INSTANTIATE_TEST_SUITE_P(Own, MujocoFixture,
                         testing::ValuesIn(test::json_files(test::in_tree("/tests/data/mujoco"))),
                         [](const auto& info) { return test::test_name(info.param); });

TEST(MujocoOracle, AgreesOnEveryRobot) {
  ABUT_ORACLE_OR_SKIP("oracle");
  const auto files = test::json_files(test::shared_path("oracle"));
  EXPECT_GE(files.size(), 1u);
  for (const auto& file : files) {
    SCOPED_TRACE(file.stem().string());
    const auto world = test::read_json(file).at("file").get<std::string>();
    compare_file(test::shared_path("models") / world, file);
  }
}

// Any number of other models, as the lines "world.xml fixture.json" of a file.
struct NamedModel {
  std::string world, fixture;
};

std::vector<NamedModel> named_models() {
  std::vector<NamedModel> models;
  const char* index = std::getenv("ABUT_ORACLE_INDEX");
  std::ifstream lines(index ? index : "");
  for (NamedModel m; lines >> m.world >> m.fixture;) models.push_back(m);
  return models;
}

class NamedModels : public testing::TestWithParam<NamedModel> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(NamedModels);

TEST_P(NamedModels, Agree) { compare_file(GetParam().world, GetParam().fixture); }

INSTANTIATE_TEST_SUITE_P(Index, NamedModels, testing::ValuesIn(named_models()),
                         [](const auto& info) { return test::test_name(info.param.fixture); });

}  // namespace
}  // namespace abut
