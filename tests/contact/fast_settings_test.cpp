// The settings of the contact model fast: those of a world and of --set decide, sweeps go on for an
// accuracy that is asked for, a time that is given ends the sweeps, and towers that rock come to rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "abut/contact/choose.h"
#include "abut/contact/fast/fast_model.h"
#include "abut/load/mjcf/mjcf.h"
#include "tests/contact/scene.h"
#include "tests/support/random.h"

namespace abut {
namespace {

using test::Scene;

// Towers of unit boxes in a square, each box turned by up to `turn` (rad) about each axis.
std::string towers(int across, int high, double turn, const std::string& custom = "") {
  test::Random dice(7);
  std::string bodies;
  for (int z = 0; z < high; ++z)
    for (int x = 0; x < across; ++x)
      for (int y = 0; y < across; ++y) {
        const auto any = [&] { return dice.uniform(-turn, turn) * 180 / 3.14159265358979; };
        bodies += fmt::format(
            "<body pos='{} {} {}' euler='{} {} {}'><freejoint/><geom type='box' size='.5 .5 .5' "
            "mass='1'/></body>",
            1.4 * x, 1.4 * y, 0.55 + 1.1 * z, any(), any(), any());
      }
  return "<mujoco><option timestep='0.004166666666666667'/><default><geom friction='.5'/></default>"
         "<custom>" +
         custom + "</custom><worldbody><geom type='plane' size='0 0 1'/>" + bodies +
         "</worldbody></mujoco>";
}

std::uint64_t hash_after(const std::string& world, double time) {
  const Model model = compile(parse_mjcf(world));
  Scene s(world, contact_settings(model));
  s.run(time);
  return s.state.hash();
}

TEST(FastSettings, ThoseOfAWorldDecide) {
  const auto with = [](const std::string& number) {
    return hash_after(towers(5, 2, 0.05, number), 0.5);
  };
  const std::uint64_t plain = with("");
  EXPECT_EQ(with("<numeric name='abut.fast.sweeps' data='20'/>"), plain);
  EXPECT_NE(with("<numeric name='abut.fast.sweeps' data='2'/>"), plain);
  EXPECT_NE(with("<numeric name='abut.fast.corrections' data='0'/>"), plain);
  EXPECT_NE(with("<numeric name='abut.fast.accuracy' data='1e-3'/>"), plain);
  EXPECT_NE(with("<numeric name='abut.fast.bodies' data='1000'/>"), plain);
}

// Or as many sweeps are spent as there may be, while the boxes tumble.
TEST(FastSettings, SweepsGoOnForAnAccuracyThatIsAskedFor) {
  ContactSettings s = test::settings("fast");
  s.accuracy = 1e-9;
  Scene scene(towers(5, 2, 0.05), s);
  int reached = 0;
  for (int i = 0; i < 480; ++i) {
    scene.step();
    const WideReport& wide = scene.simulator.contact().as<FastModel>()->wide();
    if (wide.bodies < 48) continue;  // st
    EXPECT_TRUE(wide.change <= 1e-9 || wide.sweeps >= 1000) << "step " << i;
    reached += wide.change <= 1e-9;
  }
  EXPECT_GT(reached, 240);
}

// A time that is over before the first sweep leaves one sweep a step.
TEST(FastSettings, ATimeEndsSweeps) {
  ContactSettings s = test::settings("fast");
  set_contact(s, "fast");
  set_budget(s, 1e-6);
  Scene scene(towers(5, 2, 0.05), s);
  int swept = 0;
  for (int i = 0; i < 240; ++i) {
    scene.step();
    const WideReport& wide = scene.simulator.contact().as<FastModel>()->wide();
    if (wide.bodies < 48) continue;
    ++swept;
    EXPECT_LE(wide.sweeps, 1);
    EXPECT_EQ(wide.corrected, 0);
  }
  EXPECT_GT(swept, 50);
  for (const double q : scene.state.q) EXPECT_TRUE(std::isfinite(q));
}

TEST(FastSettings, OnlyModelsThatCanEndEarlyTakeATime) {
  ContactSettings s = test::settings("fast");
  EXPECT_THROW(set_budget(s, 0), std::invalid_argument);
  EXPECT_THROW(set_budget(s, -1), std::invalid_argument);
  EXPECT_THROW(set_budget(s, 1e9), std::invalid_argument);
  set_contact(s, "volumetric");
  EXPECT_THROW(set_budget(s, 1), std::invalid_argument);
}

// Sweeps alone leave them swaying at some cm/s for ever.
TEST(FastSettings, TowersThatRockComeToRest) {
  Scene s(towers(4, 5, 0.1), test::settings("fast"));
  s.run(5);
  EXPECT_LT(kinetic(s), 1e-6);
  for (int i = 0; i < 80; ++i) EXPECT_NEAR(s.position(i).z(), 0.5 + i / 16, 1e-3) << i;
}

}  // namespace
}  // namespace abut
