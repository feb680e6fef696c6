// Geoms that are not convex, under the models: what slides over a seam between two parts does not
// feel it, and what lies on parts lies where it would on one solid.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <optional>

#include "abut/contact/combinations.h"
#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"
#include "tests/support/allocations.h"
#include "tests/support/tree.h"

namespace abut {
namespace {

struct Ride {
  Ride(const std::string& mjcf, const std::string& contact, const char* friction = nullptr)
      : model(compile(parse_mjcf(mjcf))), state(model), input(model) {
    ContactSettings settings = contact_settings(model);
    set_contact(settings, contact);
    if (friction) set_friction(settings, friction);
    simulator.emplace(model, settings);
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) simulator->step(state, input);
  }
  Model model;
  State state;
  Input input;
  std::optional<Simulator> simulator;
};

std::string field_of(int rows, int cols, const std::function<double(int, int)>& height) {
  std::string elevation;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) elevation += fmt::format("{:.9g} ", height(r, c));
  return fmt::format("<hfield name='land' nrow='{}' ncol='{}' size='2 2 0.5 0.3' elevation='{}'/>",
                     rows, cols, elevation);
}

std::string world(const std::string& assets, const std::string& ground, const std::string& body,
                  const std::string& custom = "") {
  return fmt::format(
      "<mujoco><option timestep='0.004'/><custom>{}</custom><asset>{}</asset><worldbody>"
      "{}{}</worldbody></mujoco>",
      custom, assets, ground, body);
}

std::string flat_field() {
  return field_of(21, 21, [](int, int) { return 0.0; });
}
const char* const kLand = "<geom name='land' type='hfield' hfield='land' friction='0'/>";

std::string body(const std::string& geom, double z) {
  return fmt::format(
      "<body name='thing' pos='-0.93 -0.41 {}'><freejoint/><geom name='thing' friction='0' "
      "{}/></body>",
      z, geom);
}

constexpr const char* kModels[] = {"st", "ap", "fast", "baraff"};
constexpr const char* kSprings[] = {"deepest", "multipoint", "volumetric", "quasirigid"};
constexpr const char* kGeoms[] = {"type='box' size='0.17 0.11 0.08'", "type='sphere' size='0.08'",
                                  "type='capsule' size='0.08 0.1' euler='0 90 20'",
                                  "type='cylinder' size='0.12 0.08'"};

class OverSeams : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// Without friction: the speed stays, nothing turns, and the height is that on a plane.
TEST_P(OverSeams, AFlatFieldIsAPlane) {
  const auto [model, geom] = GetParam();
  Ride field(world(flat_field(), kLand, body(geom, 0.08)), model);
  Ride plane(
      world("", "<geom name='land' type='plane' size='5 5 1' friction='0'/>", body(geom, 0.08)),
      model);
  for (Ride* ride : {&field, &plane}) {
    ride->state.v[0] = 1.1;
    ride->state.v[1] = 0.37;
    ride->steps(250);
  }
  EXPECT_NEAR(field.state.v[0], 1.1, 1e-6);
  EXPECT_NEAR(field.state.v[1], 0.37, 1e-6);
  EXPECT_NEAR(field.state.q[0], -0.93 + 1.1, 1e-6);
  EXPECT_NEAR(field.state.q[2], plane.state.q[2], 1e-4 * 0.08);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(field.state.v[k], 0, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Models, OverSeams,
                         testing::Combine(testing::ValuesIn(kModels), testing::ValuesIn(kGeoms)));

const char* const kPieces = "<text name='abut.mesh' data='pieces'/>";
std::string table_mesh(int legs);

// Springs sink in as far as on a plane, and keep the speed; what is round dips a little at seams.
class SpringsOverSeams : public testing::TestWithParam<std::tuple<const char*, int, bool>> {};

TEST_P(SpringsOverSeams, AreThoseOfAPlane) {
  const auto [model, geom, pieces] = GetParam();
  const std::string solid = body(kGeoms[geom], 0.08);
  Ride parts(pieces ? world(table_mesh(6),
                            "<geom name='land' type='mesh' mesh='part' friction='0' "
                            "pos='-1.1 0 0'/>",
                            solid, kPieces)
                    : world(flat_field(), kLand, solid),
             model);
  Ride plane(world("", "<geom name='land' type='plane' size='5 5 1' friction='0'/>", solid), model);
  for (Ride* ride : {&parts, &plane}) {
    ride->state.v[0] = 1.1;
    ride->state.v[1] = pieces ? 0 : 0.37;
  }
  for (int i = 0; i < 250; ++i) {
    for (Ride* ride : {&parts, &plane}) ride->steps(1);
    ASSERT_NEAR(parts.state.q[2], plane.state.q[2], 2e-4) << i;
  }
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(parts.state.v[k], plane.state.v[k], 1e-6);
  EXPECT_NEAR(parts.state.q[0], -0.93 + 1.1, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, SpringsOverSeams,
                         testing::Combine(testing::ValuesIn(kSprings), testing::Values(0, 1),
                                          testing::Bool()));

// A smooth valley, without friction: a ball that slides through has the speed that its height says.
TEST(HeightField, ABallKeepsItsEnergyInASmoothValley) {
  const int n = 161;
  const auto valley = [](double x) {
    return 0.5 * (1 - std::cos(std::numbers::pi * x / 2));
  };  // of 0.5
  const std::string land =
      field_of(9, n, [&](int, int c) { return valley(4.0 * c / (n - 1) - 2); });
  for (const char* model : {"st", "fast"}) {
    Ride ride(world(land, kLand,
                    "<body pos='-1 0 0.3406'><freejoint/><geom type='sphere' size='0.08' "
                    "friction='0'/></body>"),
              model);
    const auto energy = [&] {
      return 9.81 * ride.state.q[2] +
             0.5 * Eigen::Map<const Vec3>(ride.state.v.data()).squaredNorm();
    };
    const double first = energy();
    double lowest = 1, farthest = -2;
    for (int i = 0; i < 500; ++i) {
      ride.steps(1);
      lowest = std::min(lowest, ride.state.q[2]);
      farthest = std::max(farthest, ride.state.q[0]);
      // facets of 0.03 rad: each takes what is across it, and 80 of them a pass
      ASSERT_LT(energy(), first + 1e-3) << model << ' ' << i;
    }
    EXPECT_GT(energy(), first - 0.05 * 9.81 * 0.25) << model;
    EXPECT_NEAR(lowest, 0.08, 2e-3) << model;
    EXPECT_GT(farthest, 0.9) << model;
  }
}

// tan 10 degrees < mu
TEST(HeightField, ABoxRestsOnASlope) {
  const double rise = std::tan(10 * std::numbers::pi / 180);
  const std::string slope = fmt::format(
      "<hfield name='land' nrow='2' ncol='21' size='2 2 {} 0.3' elevation='{}'/>", 4 * rise, [] {
        std::string heights;
        for (int r = 0; r < 2; ++r)
          for (int c = 0; c < 21; ++c) heights += fmt::format("{} ", c / 20.0);
        return heights;
      }());
  const double z = 2 * rise + 0.08 / std::cos(10 * std::numbers::pi / 180);
  const std::string thing =
      fmt::format("<body pos='0 0 {}' euler='0 -10 0'><freejoint/><geom {} friction='0.5'/></body>",
                  z, kGeoms[0]);
  for (const char* model : {"st", "ap", "fast", "deepest", "multipoint", "volumetric"}) {
    Ride ride(world(slope, "<geom type='hfield' hfield='land' friction='0.5'/>", thing), model);
    ride.steps(500);
    EXPECT_NEAR(ride.state.q[0], 0, 2e-3) << model;
    EXPECT_NEAR(ride.state.q[2], z, 4e-3) << model;
    EXPECT_LT(Eigen::Map<const Eigen::VectorXd>(ride.state.v.data(), 6).norm(), 2e-3) << model;
  }
}

TEST(HeightField, AWarmStepAllocatesNothing) {
  for (const char* model : {"st", "ap", "fast", "deepest"}) {
    Ride ride(world(flat_field(), kLand, body(kGeoms[0], 0.08)), model);
    ride.steps(20);
    const long before = test::allocation_count();
    ride.steps(5);
    EXPECT_EQ(test::allocation_count() - before, 0) << model;
  }
}

// A bowl of planes of 45 degrees: the ball touches four faces, each carries its share.
TEST(HeightField, ABallRestsInAPit) {
  const std::string pit = field_of(3, 3, [](int r, int c) { return r == 1 && c == 1 ? 0.0 : 1.0; });
  for (const char* model : {"st", "ap"}) {
    Ride ride(
        world(pit, "<geom name='land' type='hfield' hfield='land'/>",
              "<body pos='0.05 0.02 0.6'><freejoint/><geom type='sphere' size='0.3'/></body>"),
        model);
    ride.steps(1500);
    EXPECT_LT(Eigen::Map<const Eigen::VectorXd>(ride.state.v.data(), 6).norm(), 1e-3) << model;
    EXPECT_GT(ride.state.q[2], 0.3) << model;
    EXPECT_LT(ride.state.q[2], 0.36) << model;
  }
}

TEST(HeightField, NothingFallsThrough) {
  const std::string hills =
      field_of(9, 9, [](int r, int c) { return std::sin(1.3 * r) * std::cos(0.9 * c + 0.4 * r); });
  std::string bodies;
  for (int i = 0; i < 9; ++i)
    bodies += fmt::format("<body pos='{} {} 0.9'><freejoint/><geom {}/></body>",
                          0.5 * (i % 3) - 0.5, 0.5 * (i / 3) - 0.5, kGeoms[i % 4]);
  Ride ride(world(hills, "<geom name='land' type='hfield' hfield='land'/>", bodies), "st");
  const HeightField& field = ride.model.assets.hfields[0];
  for (int i = 0; i < 500; ++i) {
    ride.simulator->step(ride.state, ride.input);
    for (int b = 0; b < 9; ++b) {
      const double* p = ride.state.q.data() + 7 * b;
      if (std::abs(p[0]) > 1.9 || std::abs(p[1]) > 1.9) continue;  // it has left the field
      ASSERT_GT(p[2], height(field, p[0], p[1]) - 1e-6) << "body " << b << ", step " << i;
    }
  }
}

// A mesh in pieces ---------------------------------------------------------------------

// An L of 1 x 1 x 0.4 whose arms are 0.4 wide, as a closed mesh that is not convex.
std::string l_mesh() {
  return "<mesh name='part' vertex='0 0 0  1 0 0  1 .4 0  .4 .4 0  .4 1 0  0 1 0 "
         " 0 0 .4  1 0 .4  1 .4 .4  .4 .4 .4  .4 1 .4  0 1 .4' "
         "face='0 2 1  0 3 2  0 4 3  0 5 4  6 7 8  6 8 9  6 9 10  6 10 11 "
         " 0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  2 9 8  3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 "
         "11'/>";
}
TEST(Pieces, ABallInTheNotchOfAnLIsNotDeep) {
  for (const bool pieces : {true, false}) {
    Ride ride(world(l_mesh(), "<geom name='l' type='mesh' mesh='part'/>",
                    "<body pos='0.55 0.55 0.2'><freejoint/><geom type='sphere' size='0.1'/></body>",
                    pieces ? kPieces : ""),
              "st");
    OverlapMeasure measure(ride.model);
    Derived d(ride.model);
    positions(ride.model, ride.state, ride.input, d);
    const double deepest = measure.of(d).deepest;
    EXPECT_EQ(deepest > 0.05, !pieces) << deepest;
    EXPECT_EQ(deepest == 0, pieces) << deepest;
  }
}

// A table of `legs` legs, as wide as the gaps between them; its top is one plane, z = 0, which the
// pieces share. The profile is extruded along y.
std::string table_mesh(int legs) {
  std::vector<Vec2> points{{0, 0}, {2.0 * legs - 1, 0}};  // then along the lower side from x = 0
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> below;
  for (int i = 0; i < 2 * legs; ++i) {
    below.push_back(static_cast<int>(points.size()));
    points.emplace_back(i, -0.5);
  }
  std::vector<int> outline{1, 0};
  for (int i = 0; i < legs; ++i) {
    const int a = below[at(2 * i)], b = below[at(2 * i + 1)], c = static_cast<int>(points.size());
    points.emplace_back(2 * i, -1.5);
    points.emplace_back(2 * i + 1, -1.5);
    triangles.push_back({a, c, c + 1});
    triangles.push_back({a, c + 1, b});
    outline.insert(outline.end(), {a, c, c + 1, b});
  }
  for (std::size_t i = 0; i + 1 < below.size(); ++i)
    triangles.push_back({0, below[i], below[i + 1]});
  triangles.push_back({0, below.back(), 1});
  const int n = static_cast<int>(points.size());
  std::string vertices, faces;
  for (const double y : {-1.0, 1.0})
    for (const Vec2& p : points) vertices += fmt::format("{} {} {}  ", 0.2 * p.x(), y, 0.2 * p.y());
  // the profile's triangles run counter-clockwise in (x, z): seen from -y that is outward
  for (const auto& [a, b, c] : triangles)
    faces += fmt::format("{} {} {}  {} {} {}  ", a, b, c, a + n, c + n, b + n);
  for (std::size_t i = 0; i < outline.size(); ++i) {
    const int a = outline[i], b = outline[(i + 1) % outline.size()];
    faces += fmt::format("{} {} {}  {} {} {}  ", a, a + n, b + n, a, b + n, b);
  }
  return fmt::format("<mesh name='part' vertex='{}' face='{}'/>", vertices, faces);
}

TEST(Pieces, ATopOfManyPiecesIsOnePlane) {
  for (const char* model : kModels)
    for (const char* geom : kGeoms) {
      Ride ride(world(table_mesh(6),
                      "<geom name='land' type='mesh' mesh='part' friction='0' pos='-1.1 0 0'/>",
                      body(geom, 0.08), kPieces),
                model);
      ASSERT_GE(ride.model.assets.pieces[0].solids.size(), 7u);
      EXPECT_LT(ride.model.assets.pieces[0].error, 1e-9);
      ride.state.v[0] = 1.1;
      ride.steps(250);
      EXPECT_NEAR(ride.state.v[0], 1.1, 1e-6) << model << ' ' << geom;
      EXPECT_NEAR(ride.state.q[2], 0.08, 1e-3) << model << ' ' << geom;
      for (int k = 3; k < 6; ++k) EXPECT_NEAR(ride.state.v[k], 0, 1e-5) << model << ' ' << geom;
    }
}

TEST(Pieces, OpenMeshesAreRefusedWithAReason) {
  std::string open = l_mesh();
  open.replace(open.find("  5 6 11"), 8, "");
  try {
    compile(parse_mjcf(world(open, "<geom type='mesh' mesh='part'/>", "", kPieces)));
    FAIL() << "it is open";
  } catch (const WorldError& error) {
    EXPECT_NE(std::string(error.what()).find("not closed: 3 edges"), std::string::npos)
        << error.what();
  }
}

// A mesh with a distance field ---------------------------------------------------------

const char* const kField = "<text name='abut.mesh' data='field'/>";

class OnField : public testing::TestWithParam<const char*> {};

// A box on a table of one mesh: the table's height, and the speed over its many triangles.
TEST_P(OnField, ABoxSlidesOverATable) {
  const std::string model = GetParam();
  Ride field(world(table_mesh(6),
                   "<geom name='land' type='mesh' mesh='part' friction='0' pos='-1.1 0 0'/>",
                   body(kGeoms[0], 0.08), kField),
             model);
  Ride plane(world("", "<geom name='land' type='plane' size='5 5 1' friction='0'/>",
                   body(kGeoms[0], 0.08)),
             model);
  for (Ride* ride : {&field, &plane}) {
    ride->state.v[0] = 1.1;
    ride->steps(250);
  }
  EXPECT_NEAR(field.state.v[0], 1.1, 1e-4);
  EXPECT_NEAR(field.state.q[2], plane.state.q[2], 2e-4);
  for (int k = 3; k < 6; ++k) EXPECT_NEAR(field.state.v[k], 0, 1e-2);
}

TEST_P(OnField, ABallRestsInTheNotchOfAnL) {
  const std::string model = GetParam();
  // the notch is a corner of two walls; gravity points into it
  Ride ride("<mujoco><option timestep='0.002' gravity='-5 -5 0'/><custom>" + std::string(kField) +
                "</custom><asset>" + l_mesh() +
                "</asset><worldbody><geom type='mesh' mesh='part'/><body pos='0.55 0.53 "
                "0.2'><freejoint/><geom type='sphere' size='0.1'/></body></worldbody></mujoco>",
            model);
  ride.steps(1000);
  EXPECT_NEAR(ride.state.q[0], 0.5, 2e-3);
  EXPECT_NEAR(ride.state.q[1], 0.5, 2e-3);
  EXPECT_LT(Eigen::Map<const Vec3>(ride.state.v.data()).norm(), 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Models, OnField,
                         testing::Values("st", "ap", "fast", "deepest", "multipoint"));

class Hanging : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

// As high as in pieces, to 1 % of the mesh's size and the peg's; and not on the floor.
TEST_P(Hanging, IsAsHighAsInPieces) {
  const auto [file, model] = GetParam();
  const auto height = [&, file = file, model = model](const char* mesh) {
    World described = load_world(test::in_tree(std::string("/worlds/meshes/") + file));
    for (TextDesc& text : described.texts)
      if (text.name == "abut.mesh") text.data = mesh;
    const Model compiled = compile(described);
    ContactSettings settings = contact_settings(compiled);
    set_contact(settings, model);
    Simulator simulator(compiled, settings);
    State state(compiled);
    const Input input(compiled);
    for (int i = 0; i < 1500; ++i) simulator.step(state, input);
    EXPECT_LT(Eigen::Map<const Vec3>(state.v.data()).norm(), 0.02) << mesh;
    return state.q[2];
  };
  const double field = height("field"), pieces = height("pieces");
  EXPECT_NEAR(field, pieces, 0.01 * pieces);
  EXPECT_GT(field, 0.2);
}

INSTANTIATE_TEST_SUITE_P(Worlds, Hanging,
                         testing::Combine(testing::Values("torus_on_peg.xml", "mug_on_hook.xml"),
                                          testing::Values("st", "ap")));

TEST(Field, ModelsOfVolumesRefuseIt) {
  const Model model =
      compile(parse_mjcf(world(l_mesh(), "<geom name='l' type='mesh' mesh='part'/>", "", kField)));
  for (const char* name : {"volumetric", "quasirigid", "baraff"}) {
    ContactSettings settings = contact_settings(model);
    set_contact(settings, name);
    EXPECT_NE(why_not(settings, model, model.option.integrator).find("geom 'l' collides by a"),
              std::string::npos);
  }
}

TEST(Field, OpenMeshesAreRefusedWithAReason) {
  std::string open = l_mesh();
  open.replace(open.find("  5 6 11"), 8, "");
  try {
    compile(parse_mjcf(world(open, "<geom type='mesh' mesh='part'/>", "", kField)));
    FAIL() << "it is open";
  } catch (const WorldError& error) {
    EXPECT_NE(std::string(error.what()).find("has no distance field: it is not closed"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace abut
