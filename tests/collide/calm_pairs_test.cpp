// Contact data of calm pairs: they are those of the query but for the square of a cell, and the
// same bits whatever was kept of earlier steps.
#include "abut/collide/calm_pairs.h"

#include <gtest/gtest.h>

#include "abut/collide/collide.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "support/allocations.h"
#include "support/random_worlds.h"

namespace abut::test {
namespace {

constexpr double kReach = 1e-3;

// Boxes, stones, balls and capsules close together, some of which touch.
World heap(unsigned seed) {
  Random r(seed);
  World w;
  w.worldbody.plane();
  MeshDesc& mesh = w.meshes.emplace_back();
  mesh.name = "stone";
  for (int i = 0; i < 12; ++i) mesh.vertices.push_back(r.vec(0.2));
  for (int i = 0; i < 40; ++i) {
    BodyDesc& b = w.worldbody.body("b" + std::to_string(i), r.vec(0.5) + Vec3(0, 0, 0.5), r.quat());
    b.free();
    if (i % 4 == 0) b.box({0.1, 0.15, 0.08});
    if (i % 4 == 1) b.mesh("stone");
    if (i % 4 == 2) b.sphere(0.1);
    if (i % 4 == 3) b.capsule({0, 0, -0.1}, {0, 0, 0.1}, 0.05);
  }
  return w;
}

// Unit cubes as in a wall with gaps, which meet at faces alone.
World wall() {
  World w;
  w.worldbody.plane();
  for (int i = 0; i < 12; ++i) {
    BodyDesc& b =
        w.worldbody.body("b" + std::to_string(i),
                         Vec3(1.2 * (i % 4) + 0.6 * (i / 4), 0, 0.5 + i / 4), Quat::Identity());
    b.free();
    b.box({0.5, 0.5, 0.5});
  }
  return w;
}

struct Moment {
  explicit Moment(const World& world)
      : model(compile(world)), state(model), input(model), d(model) {
    positions(model, state, input, d);
    calm.assign(model.geoms.size(), 1);
  }
  // Every body goes and turns a little.
  void creep(double by, Random& r) {
    for (std::size_t b = 0; b < state.q.size() / 7; ++b) {
      double* q = &state.q[7 * b];
      const Vec3 shift = by * r.vec(1);
      const Quat turned = (exp_rotation(by * r.vec(1)) * Quat(q[3], q[4], q[5], q[6])).normalized();
      for (int k = 0; k < 3; ++k) q[k] += shift[k];
      q[3] = turned.w(), q[4] = turned.x(), q[5] = turned.y(), q[6] = turned.z();
    }
    positions(model, state, input, d);
  }
  ContactData find(Collider& collider, bool is_calm) {
    ContactData out;
    std::vector<PairQuery> queries;
    CollideOptions options{.reach = {.pair = kReach}, .max_points = kMostPatchPoints};
    if (is_calm) options.calm = calm;
    collider.find(model, d, {}, options, out, queries);
    return out;
  }
  Model model;
  State state;
  Input input;
  Derived d;
  std::vector<std::uint8_t> calm;
};

TEST(CalmPairs, GapsAreThoseOfTheQuery) {
  Moment now(wall());
  Random r(1);
  Collider collider(now.model);
  int points = 0;
  for (int step = 0; step < 20; ++step) {
    now.creep(2e-5, r);
    const ContactData calm = now.find(collider, true), exact = now.find(collider, false);
    ASSERT_EQ(calm.patches.size(), exact.patches.size());
    for (std::size_t p = 0; p < calm.patches.size(); ++p) {
      const Patch &a = calm.patches[p], &b = exact.patches[p];
      ASSERT_EQ(a.key(), b.key());
      EXPECT_NEAR(a.distance, b.distance, 1e-7);
      EXPECT_LT((a.normal - b.normal).norm(), 1e-3);
      for (int i = a.begin; i < a.end; ++i, ++points) {
        const auto k = static_cast<std::size_t>(i);
        const Vec3 along = calm.points.p_B[k] - calm.points.p_A[k];
        EXPECT_LT((along - calm.points.psi[k] * a.normal).norm(), 1e-14);
        EXPECT_LE(calm.points.psi[k], kReach);
      }
    }
  }
  EXPECT_GT(points, 20 * 12 * 4);
}

TEST(CalmPairs, TheDistanceOfShapesOfEveryKind) {
  int found = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Moment now{heap(seed)};
    Random r(seed);
    Collider collider(now.model);
    for (int step = 0; step < 10; ++step) {
      now.creep(1e-5, r);
      const ContactData calm = now.find(collider, true), exact = now.find(collider, false);
      std::size_t next = 0;
      for (const Patch& patch : exact.patches) {
        while (next < calm.patches.size() && calm.patches[next].key() < patch.key()) ++next;
        const bool has = next < calm.patches.size() && calm.patches[next].key() == patch.key();
        // at the edge of the reach, one of the two may see the pair alone
        EXPECT_TRUE(has || patch.distance > kReach - 1e-7) << patch.geom_a << patch.geom_b;
        // deep overlaps of random solids may have two ways out that are as short
        if (!has || patch.distance < -0.02) continue;
        EXPECT_NEAR(calm.patches[next].distance, patch.distance, 1e-7);
        ++found;
      }
    }
  }
  EXPECT_GT(found, 200);
}

TEST(CalmPairs, WhatWasKeptChangesNoBit) {
  Moment now(heap(4));
  Random r(4);
  Collider kept(now.model);
  for (int step = 0; step < 40; ++step) {
    now.creep(step % 10 == 9 ? 1e-2 : 4e-6, r);
    // some solids are calm in some steps alone
    for (std::size_t g = 0; g < now.calm.size(); ++g) now.calm[g] = (g + step / 5) % 7 != 0;
    Collider anew(now.model);
    const ContactData a = now.find(kept, true), b = now.find(anew, true);
    ASSERT_EQ(a.patches.size(), b.patches.size());
    ASSERT_EQ(a.points.psi, b.points.psi);
    ASSERT_EQ(a.points.id, b.points.id);
    for (std::size_t p = 0; p < a.patches.size(); ++p)
      ASSERT_EQ(a.patches[p].normal, b.patches[p].normal);
  }
}

TEST(CalmPairs, AWarmSearchAllocatesNothing) {
  Moment now(heap(5));
  Random r(5);
  Collider collider(now.model);
  ContactData out;
  std::vector<PairQuery> queries;
  const CollideOptions options{
      .reach = {.pair = kReach}, .max_points = kMostPatchPoints, .calm = now.calm};
  for (int step = 0; step < 6; ++step) {
    now.creep(1e-6, r);
    const long before = allocation_count();
    collider.find(now.model, now.d, {}, options, out, queries);
    EXPECT_TRUE(step <= 3 || allocation_count() == before) << step;
  }
}

}  // namespace
}  // namespace abut::test
