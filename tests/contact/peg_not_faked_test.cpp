// What would be easy to fake of PEG, and what would show it: F-1 to F-4.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_sets.h"
#include "abut/reproduce/williams_lu_trinkle/p_triangles.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

namespace abut {
namespace {

using namespace reproduce;

void push(State&, Input& input) { input.wrench[1][0] = 4; }

ContactSettings paper() {
  ContactSettings s = peg_settings();
  s.model = "peg-paper";
  return s;
}

// 1: PEG that is really ST, or U on the closest contact.
TEST(PegNotFaked, IsNoSetOfHalfSpaces) {
  const StepOutcome past = take_step(compile(corner()), peg_settings());
  EXPECT_NEAR(past.velocity[0], 0, 1e-12);  // P-T1
  EXPECT_NEAR(past.velocity[1], -1, 1e-12);
  EXPECT_NEAR(past.velocity[2], 0, 1e-12);
  const StepOutcome pushed = take_step(compile(block_on_block(0.1)), peg_settings(), push);
  EXPECT_NEAR(pushed.velocity[0], 1, 1e-9);  // P-T7
  EXPECT_NEAR(pushed.velocity[2], -0.4, 1e-9);
  for (const Triangles& t : {triangles_on_a_line(), triangles_tilted()})  // P-T5
    EXPECT_EQ(take_step(compile(triangle_world(t)), peg_settings()).impulses.size(), 1u);
}

TEST(PegNotFaked, PlanesPartWhatIsApartAndNothingElse) {  // P-T11, a sample of hulls
  Dice dice(8);
  int apart = 0, in = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Vec3> points[2];
    for (std::vector<Vec3>& p : points)
      for (int k = 0; k < 8; ++k) p.push_back(dice.direction());
    const Vec3 shift = dice.uniform(0.8, 2) * dice.direction();
    for (Vec3& p : points[1]) p += shift;
    const PlacedPair pair = PlacedPair::of(points[0], points[1]);
    const double distance = pair.distance();
    if (std::abs(distance) < 1e-4) continue;
    ++(distance > 0 ? apart : in);
    EXPECT_EQ(pair.greatest_separation() >= 0, distance > 0) << i << ": " << distance;
  }
  EXPECT_GT(apart, 30);
  EXPECT_GT(in, 30);
}

// 2: PEG that is really a penalty, or LNC.
TEST(PegNotFaked, LetsNothingThrough) {
  for (const Triangles& t : {triangles_on_a_line(), triangles_tilted()}) {
    const Model model = compile(triangle_world(t));
    const StepOutcome lnc = take_step(model, five_models()[3].settings);
    EXPECT_GT(lnc.area, 0.06);
    EXPECT_LE(take_step(model, peg_settings(false)).area, 0.15 * lnc.area);  // P-T5
    EXPECT_LE(take_step(model, peg_settings()).area, 1e-9);
    EXPECT_LE(take_step(model, peg_settings()).overlap, 1e-9);
  }
  for (const double gap : {0.1, 0.3})  // P-T7
    EXPECT_NEAR(take_step(compile(block_on_block(gap)), peg_settings()).after[1].p.z(), 1, 1e-9);
}

// 3: labels of edges that are right for one picture.
TEST(PegNotFaked, LabelsOfEdgesDoNotMatter) {
  const Triangles t = triangles_tilted();
  for (const ContactSettings& settings : {peg_settings(), peg_settings(false), paper()}) {
    const StepOutcome plain = take_step(compile(triangle_world(t)), settings);
    for (int turn = 0; turn < 9; ++turn)
      for (const bool mirrored : {false, true}) {
        Triangles other = t;
        std::rotate(other.A.begin(), other.A.begin() + turn % 3, other.A.end());
        std::rotate(other.B.begin(), other.B.begin() + turn / 3, other.B.end());
        if (mirrored)
          for (std::array<Vec2, 3>* p : {&other.A, &other.B})
            for (Vec2& x : *p) x.y() = -x.y();
        const StepOutcome end = take_step(compile(triangle_world(other)), settings);
        const double sign = mirrored ? -1 : 1;
        for (std::size_t i = 0; i < 6; ++i)
          EXPECT_NEAR(end.velocity[i], (i % 3 == 0 ? 1 : sign) * plain.velocity[i], 1e-9)
              << settings.model << " turn " << turn << (mirrored ? " mirrored" : "");
      }
  }
}

// 4: X-constraints that are written and never act, or a failure hidden by falling back.
TEST(PegNotFaked, CrossConstraintsActAndNothingFallsBack) {
  for (const Triangles& t : {triangles_on_a_line(), triangles_tilted()}) {
    const Model model = compile(triangle_world(t));
    const StepOutcome lnc = take_step(model, five_models()[3].settings),
                      with_x = take_step(model, paper());
    EXPECT_EQ(lnc.impulses.size(), 0u);
    EXPECT_EQ(with_x.impulses.size(), 1u);
    EXPECT_EQ(with_x.report.level, 0);
    EXPECT_EQ(lnc.report.level, 0);
    for (const bool relinearize : {false, true}) {
      const StepOutcome peg = take_step(model, peg_settings(relinearize));
      EXPECT_EQ(peg.report.level, 0);
      EXPECT_EQ(peg.report.fallbacks, 0);
    }
  }
  for (const double gap : {0.1, 0.3}) {
    const Model model = compile(block_on_block(gap));
    const StepOutcome end = take_step(model, peg_settings()),
                      pushed = take_step(model, peg_settings(), push);
    EXPECT_EQ(end.report.level, 0);
    EXPECT_EQ(pushed.report.level, 0);
  }
}

}  // namespace
}  // namespace abut
