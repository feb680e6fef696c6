// peg-paper: which contacts of features are held (P-N8, P-E13), and what its settings do.
#include "abut/contact/complementarity/feature_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/choose.h"
#include "abut/contact/complementarity/feature_model.h"
#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/williams_lu_trinkle/p_paper.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_sets.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"
#include "abut/simulate/simulator.h"

namespace abut {
namespace {

using namespace reproduce;

// Four constraints of two vertices between any two cubes, of which each could be satisfied in two
// ways: no search of one contact at a time comes to an end.
TEST(FeatureSearch, HoldsAUniformStack) {
  for (const int cubes : {3, 10}) {
    SCOPED_TRACE(cubes);
    ContactSettings settings = paper_settings();
    settings.friction = FrictionKind::cone;
    const PaperRun run = run_paper(compile(stack_of_cubes(cubes, 0.05)), settings, 20);
    EXPECT_EQ(run.fallbacks, 0);
    EXPECT_LE(run.moved, 1e-8);
    EXPECT_LE(run.branches, 4 * cubes);
  }
}

// Slacks by their closed form, and the residual of the mixed problem by the solvers' own measure.
TEST(FeatureSearch, SolvesThePrintedProblem) {
  for (const World& world : {block_on_block(0.1), vertex_over_edge(), vertex_over_vertex()}) {
    ContactSettings settings = paper_settings();
    settings.friction = FrictionKind::none;
    const PaperRun run = run_paper(compile(world), settings, 4);
    EXPECT_EQ(run.fallbacks, 0);
    EXPECT_LE(run.residual, 1e-8);
  }
}

// A box that is free beside the corner of another one, both turned at random: the X-constraints of
// features that are a body's length from each other must not reject it.
TEST(FeatureConstraintsOfWholeBodies, RejectNothingThatIsFree) {
  Dice dice(20261120);
  int free = 0, rejected = 0, printed = 0, in = 0, accepted = 0;
  for (int i = 0; i < 200; ++i) {
    const auto cube = [&](const Vec3& at) {
      const Quat q = dice.rotation();
      std::vector<Vec3> points;
      for (const double x : {-0.5, 0.5})
        for (const double y : {-0.5, 0.5})
          for (const double z : {-0.5, 0.5}) points.push_back(at + q * Vec3(x, y, z));
      return points;
    };
    const PlacedPair pair =
        PlacedPair::of(cube(Vec3::Zero()), cube(dice.uniform(0.9, 1.6) * dice.direction()));
    if (std::abs(pair.distance()) < 1e-4) continue;
    const auto holds = [&](Crossings crossings) {
      const FeatureConstraints set = pair.constraints(1, {.crossings = crossings});
      return std::all_of(set.constraints().begin(), set.constraints().end(), [&](const auto& c) {
        const auto open = [&](int k) { return set.contacts()[std::size_t(k)].psi >= 0; };
        return c.kind == FeatureConstraint::Kind::U ||
               std::any_of(c.iota.begin(), c.iota.end(), open) ||
               std::any_of(c.kappa.begin(), c.kappa.end(), open);
      });
    };
    const bool apart = pair.distance() > 0, joined = holds(Crossings::joined);
    free += apart;
    in += !apart;
    rejected += apart && !joined;
    accepted += !apart && joined;
    printed += apart && !holds(Crossings::printed);
  }
  EXPECT_GT(free, 30);
  EXPECT_GT(in, 30);
  EXPECT_EQ(rejected, 0);
  EXPECT_EQ(accepted, 0);
  EXPECT_GT(printed, 0);
}

TEST(FeatureSettings, AnAngleOfZeroLetsFewerContactsPress) {
  World world = vertex_over_vertex();
  const int all = run_paper(compile(world), paper_settings(), 1).pressed;
  world.numerics.push_back({"abut.peg-paper.angle", {0}, {}});
  EXPECT_LT(run_paper(compile(world), paper_settings(), 1).pressed, all);
}

TEST(FeatureSettings, AnAngleIsBelowARightOne) {
  for (const double degrees : {-1.0, 90.0}) {
    World world = vertex_over_vertex();
    world.numerics.push_back({"abut.peg-paper.angle", {degrees}, {}});
    EXPECT_THROW(run_paper(compile(world), paper_settings(), 1), WorldError);
  }
}

TEST(FeatureSettings, WhatDoesNotComeNearerHasNoForce) {
  World world = vertex_over_vertex();
  world.keyframes.front().qvel[8] = 1;  // up
  ContactSettings settings = paper_settings();
  EXPECT_GT(run_paper(compile(world), settings, 1).pressed, 0);
  settings.own_words["peg-paper.velocity"] = "on";
  EXPECT_EQ(run_paper(compile(world), settings, 1).pressed, 0);
}

}  // namespace
}  // namespace abut
