// Pairs that share no body are searched apart (peg_islands.h).
#include "abut/contact/complementarity/peg/peg_islands.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "abut/contact/complementarity/peg_model.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

// Boxes that fly at each other in pairs, each pair far from the others and turned otherwise.
std::string flying(int first, int last, double friction) {
  std::string bodies;
  for (int i = first; i < last; ++i)
    bodies += fmt::format(
        R"(<body name="a{0}" pos="{1} 0 0" quat="1 0.{0} 0.2 0.1"><freejoint/>
             <geom type="box" size="0.1 0.12 0.09" mass="1" friction="{2}"/></body>
           <body name="b{0}" pos="{1} 0.03 0.32" quat="0.9 0.3 0.{0} 0.2"><freejoint/>
             <geom type="box" size="0.1 0.08 0.1" mass="2" friction="{2}"/></body>)",
        i, 10 * i, friction);
  return R"(<mujoco><option timestep="0.05" gravity="0 0 0"/><worldbody>)" + bodies +
         "</worldbody></mujoco>";
}

struct Flight {
  test::Scene scene;
  int work = 0;

  Flight(int first, int last, double friction) : scene(flying(first, last, friction), settings()) {
    for (int i = 0; i < last - first; ++i)
      scene.state.v[std::size_t(12 * i + 8)] = -1.5, scene.state.v[std::size_t(12 * i + 4)] = 1;
    for (int k = 0; k < 4; ++k) {
      scene.step();
      work += scene.simulator.contact().as<PegModel>()->peg().report().work;
    }
  }
  static ContactSettings settings() {
    ContactSettings s;
    s.model = "peg";
    return s;
  }
};

// What a pair does is its own affair, and the work of many is the sum of what each takes. `within`:
// m/s, rad/s.
void expect_apart(double friction, double within) {
  constexpr int kPairs = 6;
  const Flight all(0, kPairs, friction);
  int sum = 0;
  bool touched = false;
  for (int i = 0; i < kPairs; ++i) {
    const Flight alone(i, i + 1, friction);
    sum += alone.work;
    touched |= std::abs(alone.scene.state.v[8] + 1.5) > 0.01;
    for (std::size_t k = 0; k < 12; ++k)
      EXPECT_NEAR(all.scene.state.v[std::size_t(12 * i) + k], alone.scene.state.v[k], within)
          << i << " " << k;
  }
  EXPECT_TRUE(touched);
  EXPECT_LE(all.work, 2 * sum);
}

TEST(PegIslands, PairsThatShareNoBodyDoAsTheyDoAlone) { expect_apart(0, 1e-8); }
// Faces that lie on each other, slide and turn have more than one motion: friction depends on how the
// corners share the load, and nothing decides that. Rounding does: with the same velocities at the
// start of the step, and impulses that differ in the last bit, pair 3 ends 3e-7 rad/s apart.
TEST(PegIslands, PairsWithFrictionDoNearlyAsTheyDoAlone) { expect_apart(0.3, 1e-6); }

// A chain of pairs is one island, however its links are numbered; bodies with joints are one too.
TEST(PegIslands, PairsThatShareABodyAreOne) {
  const Flight flight(0, 3, 0.3);
  const PegIslands islands(flight.scene.model);
  EXPECT_FALSE(islands.are_one());
  const auto pair = [](int a, int b) { return PegChoice{pair_key(a, b), a, b, {}}; };
  std::vector<PegChoice> choices{pair(0, 5), pair(1, 2), pair(3, 4), pair(4, 5)};
  for (PegChoice& c : choices) c.fresh = false;
  choices[3].fresh = true;
  islands.label(choices);
  EXPECT_EQ(choices[0].island, choices[2].island);
  EXPECT_EQ(choices[0].island, choices[3].island);
  EXPECT_NE(choices[0].island, choices[1].island);
  EXPECT_TRUE(choices[0].fresh && choices[2].fresh);
  EXPECT_FALSE(choices[1].fresh);
}

}  // namespace
}  // namespace abut
