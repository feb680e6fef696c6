// All contacts of a world: against each pair by itself, with and without memory.
#include "abut/collide/collide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/collide/proximity/proximity.h"
#include "abut/math/threads/threads.h"
#include "abut/model/kinematics.h"
#include "support/allocations.h"
#include "support/random_worlds.h"

namespace abut::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

World heap(unsigned seed, int bodies) {
  Random r(seed);
  World w;
  w.worldbody.plane();
  w.worldbody.box({1, 1, 0.05}, {Vec3(0.5, 0, 0.1), r.quat()});
  MeshDesc& mesh = w.meshes.emplace_back();
  mesh.name = "stone";
  for (int i = 0; i < 12; ++i) mesh.vertices.push_back(r.vec(0.2));
  for (int i = 0; i < bodies; ++i) {
    BodyDesc& b = w.worldbody.body("b" + std::to_string(i), r.vec(0.6) + Vec3(0, 0, 0.5), r.quat());
    b.free();
    switch (i % 4) {
      case 0:
        b.box({0.1, r.uniform(0.05, 0.15), 0.08});
        break;
      case 1:
        b.sphere(0.1);
        break;
      case 2:
        b.mesh("stone");
        break;
      default:
        b.capsule({0, 0, -0.1}, {0, 0, 0.1}, 0.05);
    }
  }
  return w;
}

struct Heap {
  explicit Heap(unsigned seed, int bodies = 40)
      : model(compile(heap(seed, bodies))), state(model), input(model), derived(model) {
    positions(model, state, input, derived);
  }
  Model model;
  State state;
  Input input;
  Derived derived;
};

// What the stepper would keep of a step.
ContactMemory remembered(const std::vector<PairQuery>& queries) {
  ContactMemory memory;
  for (const PairQuery& q : queries) {
    PairMemory header;
    header.key = q.key;
    header.warm_start = q.warm_start;
    memory.append(header, {});
  }
  return memory;
}

TEST(Collider, FindsEveryPairWithinReach) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Heap h(seed);
    Collider collider(h.model);
    for (const double reach : {0.0, 0.02, 0.3}) {
      ContactData out;
      std::vector<PairQuery> queries;
      collider.find(h.model, h.derived, {}, {{reach, {}}, 0}, out, queries);
      std::size_t next = 0;
      collider.filter().for_each_pair([&](int a, int b) {
        const Proximity d = proximity(collider.solids()[a], geom_pose(h.model, h.derived, a),
                                      collider.solids()[b], geom_pose(h.model, h.derived, b));
        if (d.distance > reach) return;
        ASSERT_LT(next, out.patches.size()) << a << " " << b;
        const Patch& patch = out.patches[next++];
        EXPECT_EQ(patch.geom_a, a);
        EXPECT_EQ(patch.geom_b, b);
        EXPECT_NEAR(patch.distance, d.distance, 1e-9);
        EXPECT_GT(patch.count(), 0);
        for (int i = patch.begin; i < patch.end; ++i)
          EXPECT_LE(out.points.psi[std::size_t(i)], reach);
      });
      EXPECT_EQ(next, out.patches.size());
      EXPECT_GT(next, 20u);
      // queries name their patches
      for (std::size_t i = 0; i < queries.size(); ++i) {
        if (i > 0) {
          EXPECT_LT(queries[i - 1].key, queries[i].key);
        }
        if (queries[i].patch < 0) continue;
        const Patch& p = out.patches[std::size_t(queries[i].patch)];
        EXPECT_EQ(pair_key(p.geom_a, p.geom_b), queries[i].key);
      }
    }
  }
}

TEST(Collider, ReachOfGeomsAddsUp) {
  World w;
  for (int i = 0; i < 2; ++i) {
    BodyDesc& b = w.worldbody.body(i ? "b" : "a", Vec3(0, 0, 0.3 * i));
    b.free();
    b.box({0.1, 0.1, 0.1});
  }
  const Model model = compile(w);
  Derived derived(model);
  positions(model, State(model), Input(model), derived);
  Collider collider(model);
  ContactData out;
  std::vector<PairQuery> queries;
  for (const auto& [a, b, both, expected] : {std::tuple{0.0, 0.0, 0.0, 0},
                                             {0.06, 0.05, 0.0, 1},
                                             {0.06, 0.03, 0.0, 0},
                                             {0.0, 0.0, 0.11, 1},
                                             {0.03, 0.03, 0.05, 1},
                                             {0.03, 0.03, 0.03, 0}}) {
    const double geom[] = {a, b};
    collider.find(model, derived, {}, {{both, geom}, 0}, out, queries);
    EXPECT_EQ(static_cast<int>(out.patches.size()), expected) << a << " " << b << " " << both;
  }
}

// With memory the answer is that of the cold query, up to the choice among equals.
TEST(Collider, MemoryChangesNoDistance) {
  Heap h(7);
  Collider warm(h.model);
  ContactData with, without;
  std::vector<PairQuery> queries, cold_queries;
  Random r(1);
  for (int step = 0; step < 20; ++step) {
    warm.find(h.model, h.derived, remembered(queries), {{0.02, {}}, 0}, with, queries);
    Collider cold(h.model);
    cold.find(h.model, h.derived, {}, {{0.02, {}}, 0}, without, cold_queries);
    ASSERT_EQ(with.patches.size(), without.patches.size());
    for (std::size_t i = 0; i < with.patches.size(); ++i) {
      EXPECT_EQ(with.patches[i].geom_a, without.patches[i].geom_a);
      EXPECT_EQ(with.patches[i].geom_b, without.patches[i].geom_b);
      EXPECT_NEAR(with.patches[i].distance, without.patches[i].distance, 3e-6);
    }
    for (std::size_t i = 0; i < h.state.q.size(); ++i) h.state.q[i] += r.uniform(-1e-3, 1e-3);
    normalize(h.model, h.state.q);
    positions(h.model, h.state, h.input, h.derived);
  }
}

// Whatever the collider saw before, the same poses and memory give the same bits.
TEST(Collider, CachesChangeNoBit) {
  Heap h(8);
  Collider used(h.model);
  ContactData a, b;
  std::vector<PairQuery> qa, qb;
  Random r(2);
  for (int step = 0; step < 10; ++step) {
    const ContactMemory memory = remembered(qa);
    used.find(h.model, h.derived, memory, {{0.02, {}}, 0}, a, qa);
    Collider fresh(h.model);
    fresh.find(h.model, h.derived, memory, {{0.02, {}}, 0}, b, qb);
    ASSERT_EQ(a.points.count(), b.points.count());
    for (int i = 0; i < a.points.count(); ++i) {
      EXPECT_EQ(a.points.p_A[std::size_t(i)], b.points.p_A[std::size_t(i)]);
      EXPECT_EQ(a.points.psi[std::size_t(i)], b.points.psi[std::size_t(i)]);
      EXPECT_EQ(a.points.id[std::size_t(i)], b.points.id[std::size_t(i)]);
    }
    EXPECT_EQ(remembered(qa), remembered(qb));
    for (std::size_t i = 0; i < h.state.q.size(); ++i) h.state.q[i] += r.uniform(-0.02, 0.02);
    normalize(h.model, h.state.q);
    positions(h.model, h.state, h.input, h.derived);
  }
}

TEST(Collider, WarmStepsDoNotAllocate) {
  Heap h(9);
  Collider collider(h.model);
  ContactData out;
  std::vector<PairQuery> queries;
  std::vector<double> q = h.state.q;
  auto swing = [&](int step) {
    h.state.q[2] = q[2] + 0.01 * (step % 10);
    positions(h.model, h.state, h.input, h.derived);
    collider.find(h.model, h.derived, {}, {{0.02, {}}, 0}, out, queries);
  };
  for (int step = 0; step < 20; ++step) swing(step);
  const long before = allocation_count();
  for (int step = 0; step < 20; ++step) swing(step);
  EXPECT_EQ(allocation_count(), before);
}

// Many pairs, on any number of threads: the same bits in the same order.
TEST(Collider, ThreadsChangeNoBit) {
  Heap h(10, 120);
  ContactData a, b;
  std::vector<PairQuery> qa, qb;
  Random r(3);
  Collider serial(h.model);
  for (const int count : {2, 3, 8}) {
    Threads threads(count);
    Collider parallel(h.model);
    parallel.use(&threads);
    for (int step = 0; step < 4; ++step) {
      const ContactMemory memory = remembered(qa);
      const CollideOptions options{{0.05, {}}, step % 2 ? 5 : 0};
      serial.find(h.model, h.derived, memory, options, a, qa);
      parallel.find(h.model, h.derived, memory, options, b, qb);
      ASSERT_GT(qa.size(), 200u);
      EXPECT_EQ(a.points.p_A, b.points.p_A);
      EXPECT_EQ(a.points.p_B, b.points.p_B);
      EXPECT_EQ(a.points.psi, b.points.psi);
      EXPECT_EQ(a.points.id, b.points.id);
      EXPECT_EQ(remembered(qa), remembered(qb));
      ASSERT_EQ(a.patches.size(), b.patches.size());
      for (std::size_t p = 0; p < a.patches.size(); ++p) {
        EXPECT_EQ(a.patches[p].geom_a, b.patches[p].geom_a);
        EXPECT_EQ(a.patches[p].geom_b, b.patches[p].geom_b);
        EXPECT_EQ(a.patches[p].normal, b.patches[p].normal);
        EXPECT_EQ(a.patches[p].begin, b.patches[p].begin);
        EXPECT_EQ(a.patches[p].end, b.patches[p].end);
      }
      for (std::size_t q = 0; q < qa.size(); ++q) EXPECT_EQ(qa[q].patch, qb[q].patch);
      for (std::size_t i = 0; i < h.state.q.size(); ++i) h.state.q[i] += r.uniform(-0.02, 0.02);
      normalize(h.model, h.state.q);
      positions(h.model, h.state, h.input, h.derived);
    }
  }
}

// Boxes, balls and rods: solids whose queries need no buffers of their own.
TEST(Collider, WarmStepsOnThreadsDoNotAllocate) {
  Random r(11);
  World w;
  w.worldbody.plane();
  for (int i = 0; i < 120; ++i) {
    BodyDesc& b = w.worldbody.body("b" + std::to_string(i), r.vec(0.6) + Vec3(0, 0, 0.5), r.quat());
    b.free();
    if (i % 3 == 0) b.sphere(0.1);
    if (i % 3 == 1) b.capsule({0, 0, -0.1}, {0, 0, 0.1}, 0.05);
    if (i % 3 == 2) b.box({0.1, 0.12, 0.08});
  }
  const Model model = compile(w);
  State state(model);
  const Input input(model);
  Derived derived(model);
  Threads threads(2);
  Collider collider(model);
  collider.use(&threads);
  ContactData out;
  std::vector<PairQuery> queries;
  const double start = state.q[2];
  const auto swing = [&](int step) {
    state.q[2] = start + 0.01 * (step % 10);
    positions(model, state, input, derived);
    collider.find(model, derived, {}, {{0.02, {}}, 16}, out, queries);
  };
  for (int step = 0; step < 40; ++step) swing(step);
  EXPECT_GT(queries.size(), 200u);
  const long before = allocation_count();
  for (int step = 0; step < 20; ++step) swing(step);
  EXPECT_EQ(allocation_count(), before);
}

// At most so many points a patch, and those that the memory has while they do.
TEST(Collider, KeepsPointsThatAreRemembered) {
  World w;
  w.worldbody.plane();
  MeshDesc& mesh = w.meshes.emplace_back();
  mesh.name = "disc";
  for (int i = 0; i < 200; ++i)
    mesh.vertices.emplace_back(std::cos(2 * M_PI * (i / 2) / 100),
                               std::sin(2 * M_PI * (i / 2) / 100), i % 2 ? 0.1 : -0.1);
  BodyDesc& b = w.worldbody.body("disc", Vec3(0, 0, 0.1));
  b.free();
  b.mesh("disc");
  const Model model = compile(w);
  State state(model);
  const Input input(model);
  Derived derived(model);
  Collider collider(model);
  ContactData out;
  std::vector<PairQuery> queries;
  ContactMemory memory;
  Random r(1);
  std::vector<std::uint64_t> first;
  const std::vector<double> q = state.q;
  for (int step = 0; step < 20; ++step) {
    for (std::size_t i = 2; i < 7; ++i) state.q[i] = q[i] + r.uniform(-1e-7, 1e-7);
    normalize(model, state.q);
    positions(model, state, input, derived);
    collider.find(model, derived, memory, {{1e-4, {}}, 0}, out, queries);
    EXPECT_EQ(out.points.count(), 100);
    collider.find(model, derived, memory, {{1e-4, {}}, 16}, out, queries);
    ASSERT_EQ(out.patches.size(), 1u);
    EXPECT_EQ(out.points.count(), 16);
    if (step == 0) first = out.points.id;
    EXPECT_EQ(out.points.id, first);
    memory.clear();
    PairMemory header;
    header.key = queries[0].key;
    memory.append(header, out.points.id);
  }
}

TEST(Collider, FindsTheCellsOfAHeightField) {
  World w;
  HfieldDesc& field = w.hfields.emplace_back();
  field.name = "hills";
  field.rows = field.cols = 2;
  field.size = {1, 1, 0.2, 0.1};
  field.elevation = {0, 1, 1, 0};
  GeomDesc& g = w.worldbody.geom(ShapeKind::hfield, Vec3::Zero());
  g.name = "land";
  g.hfield = "hills";
  BodyDesc& b = w.worldbody.body("ball");
  b.free();
  b.sphere(0.1);
  const Model model = compile(w);
  Collider collider(model);
  EXPECT_THAT(collider.warnings(), IsEmpty());
  Derived derived(model);
  positions(model, State(model), Input(model), derived);
  ContactData out;
  std::vector<PairQuery> queries;
  collider.find(model, derived, {}, {}, out, queries);
  EXPECT_THAT(collider.broad_phase().pairs(), ElementsAre(GeomPair{0, 1}));
  // a valley along the diagonal: the ball touches both its sides
  ASSERT_EQ(out.patches.size(), 2u);
  const double slope = std::atan(0.1 * std::sqrt(2));  // 0.2 m over the half diagonal of a cell
  for (const Patch& patch : out.patches) {
    EXPECT_EQ(patch.geom_a, 0);
    EXPECT_EQ(patch.geom_b, 1);
    EXPECT_NEAR(patch.normal.z(), std::cos(slope), 1e-12);
    EXPECT_NEAR(patch.distance, -0.1, 1e-12);
  }
}

}  // namespace
}  // namespace abut::test
