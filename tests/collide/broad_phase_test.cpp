// The broad phase against a look at every pair, on scenes in which everything moves.
#include "abut/collide/broad/broad_phase.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "abut/model/derived.h"
#include "abut/model/kinematics.h"
#include "support/allocations.h"
#include "support/random_worlds.h"
#include "support/soak.h"

namespace abut::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Balls, boxes, capsules and a mesh, free or standing; two floors; some pairs and excludes.
Model scene(unsigned seed, int movers, int standing) {
  Random r(seed);
  World w;
  w.worldbody.plane();
  w.worldbody.plane({{-4, 0, 0}, Quat(Eigen::AngleAxisd(0.5, Vec3::UnitY()))});
  MeshDesc& mesh = w.meshes.emplace_back();
  mesh.name = "wedge";
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back(r.vec(0.4));
  auto add_geom = [&](BodyDesc& body) {
    const double s = 0.02 * std::pow(10, r.uniform(0, 1.5));
    switch (r.integer(0, 3)) {
      case 0:
        body.sphere(s);
        break;
      case 1:
        body.box({s, s * r.uniform(0.1, 1), s * r.uniform(0.1, 1)}, {r.vec(s), r.quat()});
        break;
      case 2:
        body.capsule(r.vec(s), r.vec(s) + Vec3(0, 0, s), 0.3 * s);
        break;
      default:
        body.mesh("wedge");
    }
  };
  for (int i = 0; i < standing; ++i) {
    BodyDesc& body = w.worldbody.body("s" + std::to_string(i), r.vec(2), r.quat());
    add_geom(body);
  }
  for (int i = 0; i < movers; ++i) {
    BodyDesc& body = w.worldbody.body("b" + std::to_string(i), r.vec(2), r.quat());
    for (int k = r.integer(1, 2); k > 0; --k) add_geom(body);
    if (r.integer(0, 9) == 0)
      body.mocap = true;
    else
      body.free();
  }
  w.excludes.push_back({"", "b0", "b1", {}});
  Model m = compile(w);
  m.pairs.push_back({2, 3, 3, {}, 0, 0});  // both stand
  m.pairs.push_back({0, 4, 3, {}, 0, 0});  // a plane and one that stands
  return m;
}

// Boxes of the shapes, grown by the reach; planes by the lowest point of the box.
std::vector<GeomPair> brute_force(const Model& m, const PairFilter& filter, const BroadPhase& b,
                                  const Derived& d, const Reach& reach) {
  std::vector<GeomPair> pairs;
  filter.for_each_pair([&](int i, int j) {
    const bool plane_i = m.geoms[std::size_t(i)].shape.kind == ShapeKind::plane;
    const bool plane_j = m.geoms[std::size_t(j)].shape.kind == ShapeKind::plane;
    if (!plane_i && !plane_j) {
      if (overlap(b.box(i), b.box(j))) pairs.push_back({i, j});
      return;
    }
    const int p = plane_i ? i : j, g = plane_i ? j : i;
    const Pose X = geom_pose(m, d, p);
    const Vec3 n = X.q * Vec3::UnitZ();
    double lowest = kInfinity;
    for (int c = 0; c < 8; ++c) {
      const Vec3 corner(c & 1 ? b.box(g).min.x() : b.box(g).max.x(),
                        c & 2 ? b.box(g).min.y() : b.box(g).max.y(),
                        c & 4 ? b.box(g).min.z() : b.box(g).max.z());
      lowest = std::min(lowest, n.dot(corner - X.p));
    }
    if (lowest <= 0.5 * reach.pair + reach.of(p)) pairs.push_back({i, j});
  });
  return pairs;
}

// The boxes are what they should be, to a few units in the last place.
void expect_boxes(const Model& m, const BroadPhase& b, const Derived& d, const Reach& reach) {
  for (int g = 0; g < static_cast<int>(m.geoms.size()); ++g) {
    const Shape& shape = m.geoms[std::size_t(g)].shape;
    if (shape.kind == ShapeKind::plane) continue;
    const Aabb box =
        inflated(aabb(shape, m.assets, geom_pose(m, d, g)), 0.5 * reach.pair + reach.of(g));
    const double largest = box.max.cwiseAbs().maxCoeff() + box.min.cwiseAbs().maxCoeff();
    EXPECT_TRUE((b.box(g).min.array() <= box.min.array()).all());
    EXPECT_TRUE((b.box(g).max.array() >= box.max.array()).all());
    EXPECT_LT((b.box(g).extent() - box.extent()).cwiseAbs().maxCoeff(), 1e-14 * largest);
  }
}

std::vector<Pose> poses_of(const Model& m, const Derived& d) {
  std::vector<Pose> poses;
  geom_poses(m, d, poses);
  return poses;
}

struct Scene {
  explicit Scene(unsigned seed, int movers = 40, int standing = 15)
      : model(scene(seed, movers, standing)),
        filter(model),
        broad(model, filter),
        state(model),
        input(model),
        derived(model),
        random(seed + 1000) {
    reach.assign(model.geoms.size(), 0.0);
    place();
  }
  void place() {
    normalize(model, state.q);
    positions(model, state, input, derived);
  }
  // Finds the pairs, compares with the look at every pair and with a tree made from nothing.
  std::size_t check(double pair_reach = 0) {
    const Reach r{pair_reach, reach};
    broad.update(model, filter, poses_of(model, derived), r);
    expect_boxes(model, broad, derived, r);
    const std::vector<GeomPair> pairs(broad.pairs().begin(), broad.pairs().end());
    EXPECT_EQ(pairs, brute_force(model, filter, broad, derived, r));
    BroadPhase fresh(model, filter);
    fresh.update(model, filter, poses_of(model, derived), r);
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), fresh.pairs().begin(), fresh.pairs().end()));
    return pairs.size();
  }
  int count() const { return static_cast<int>(state.q.size()) / 7; }
  void shift(int body, const Vec3& by) {
    for (int k = 0; k < 3; ++k) state.q[std::size_t(7 * body + k)] += by[k];
  }

  Model model;
  PairFilter filter;
  BroadPhase broad;
  State state;
  Input input;
  Derived derived;
  Random random;
  std::vector<double> reach;
};

TEST(BroadPhase, FindsWhatALookAtEveryPairFinds) {
  std::size_t pairs = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Scene s(seed);
    pairs += s.check();
    pairs += s.check(0.3);
  }
  EXPECT_GT(pairs, 1000u);
}

// Drifting, resting, jumping, growing and shrinking at random, step after step.
TEST(BroadPhase, StaysRightWhileEverythingMoves) {
  unsigned seed = 0;
  for (const Soak soak(0.5); soak.goes_on();) {
    ++seed;
    Scene s(seed, 5 + static_cast<int>(seed % 60), static_cast<int>(seed % 25) + 5);
    std::vector<Vec3> speed;
    for (int b = 0; b < s.count(); ++b) speed.push_back(s.random.vec(0.05));
    for (int step = 0; step < 25; ++step) {
      for (int b = 0; b < s.count(); ++b) {
        switch (s.random.integer(0, 19)) {
          case 0:
            s.shift(b, s.random.vec(5));  // jumps
            break;
          case 1:
            speed[std::size_t(b)] = s.random.vec(0.3);
            break;
          case 2:
            speed[std::size_t(b)] = Vec3::Zero();  // sleeps
            break;
          default:
            s.shift(b, speed[std::size_t(b)]);
        }
      }
      if (step % 7 == 3)
        for (double& r : s.reach) r = s.random.uniform(0, 0.4);
      if (step % 7 == 6)
        for (double& r : s.reach) r = 0;
      s.place();
      s.check(step % 3 == 0 ? 0.1 : 0.0);
      if (HasFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
  }
}

TEST(BroadPhase, CrowdsGatherAndScatter) {
  Scene s(5, 80);
  for (int step = 0; step < 40; ++step) {
    const double factor = step < 20 ? 0.75 : 1.6;
    for (int b = 0; b < s.count(); ++b)
      for (int k = 0; k < 3; ++k) s.state.q[std::size_t(7 * b + k)] *= factor;
    s.place();
    s.check();
  }
}

TEST(BroadPhase, RestingScenesKeepTheirLeaves) {
  Scene s(3);
  s.check();
  s.check();
  EXPECT_EQ(s.broad.leaves_moved(), 0);
  s.shift(2, {1e-4, 0, 0});
  s.place();
  s.check();
  EXPECT_LE(s.broad.leaves_moved(), 2);  // the geoms of one body, if at all
}

TEST(BroadPhase, NotANumberTouchesNothingAndComesBack) {
  Scene s(7);
  s.check(10);
  const double x = s.state.q[0];
  s.state.q[0] = kNaN;
  positions(s.model, s.state, s.input, s.derived);
  s.broad.update(s.model, s.filter, poses_of(s.model, s.derived), {10, {}});
  const int lost = s.model.joints[0].body;
  EXPECT_GT(s.broad.pairs().size(), 0u);
  for (const GeomPair& p : s.broad.pairs()) {
    EXPECT_NE(s.model.geoms[std::size_t(p.a)].body, lost);
    EXPECT_NE(s.model.geoms[std::size_t(p.b)].body, lost);
  }
  s.state.q[0] = x;
  s.place();
  s.check(10);
}

TEST(BroadPhase, InfiniteReachMeetsAll) {
  Scene s(8, 20, 5);
  int allowed = 0;
  s.filter.for_each_pair([&](int, int) { ++allowed; });
  s.check(0.1);
  s.broad.update(s.model, s.filter, poses_of(s.model, s.derived), {kInfinity, {}});
  EXPECT_EQ(static_cast<int>(s.broad.pairs().size()), allowed);
  s.reach[10] = kInfinity;
  const Reach one{0, s.reach};
  s.broad.update(s.model, s.filter, poses_of(s.model, s.derived), one);
  int with_it = 0;
  for (const GeomPair& p : s.broad.pairs()) with_it += p.a == 10 || p.b == 10;
  int allowed_with_it = 0;
  s.filter.for_each_pair([&](int a, int b) { allowed_with_it += a == 10 || b == 10; });
  EXPECT_EQ(with_it, allowed_with_it);
  s.reach[10] = 0;
  s.check();
}

// Kissing boxes far from the origin, where their coordinates are rounded.
TEST(BroadPhase, TouchIsFoundFarFromTheOrigin) {
  for (const double far : {0.0, 1e2, 1e4, 1e7}) {
    World w;
    const double size = 0.1;
    for (int i = 0; i < 30; ++i) {
      BodyDesc& b = w.worldbody.body("b" + std::to_string(i), Vec3(far, -far, far + 2 * size * i));
      b.free();
      b.box({size, size, size});
    }
    const Model m = compile(w);
    const PairFilter filter(m);
    BroadPhase broad(m, filter);
    Derived d(m);
    positions(m, State(m), Input(m), d);
    broad.update(m, filter, poses_of(m, d));
    EXPECT_EQ(broad.pairs().size(), 29u) << far;
  }
}

TEST(BroadPhase, EmptyWorldsHaveNoPairs) {
  for (const bool floor : {false, true}) {
    World w;
    if (floor) w.worldbody.plane();
    const Model m = compile(w);
    const PairFilter filter(m);
    BroadPhase broad(m, filter);
    Derived d(m);
    positions(m, State(m), Input(m), d);
    broad.update(m, filter, poses_of(m, d));
    EXPECT_THAT(broad.pairs(), IsEmpty());
  }
}

TEST(BroadPhase, WarmUpdatesDoNotAllocate) {
  Scene s(9, 100, 20);
  std::vector<Vec3> speed;
  for (int b = 0; b < s.count(); ++b) speed.push_back(s.random.vec(0.05));
  std::vector<Pose> poses;
  auto swing = [&](int step) {
    for (int b = 0; b < s.count(); ++b)
      s.shift(b, (step % 20 < 10 ? 1 : -1) * speed[std::size_t(b)]);
    s.place();
    geom_poses(s.model, s.derived, poses);
    s.broad.update(s.model, s.filter, poses, {0.05, {}});
  };
  for (int step = 0; step < 40; ++step) swing(step);
  const long before = allocation_count();
  for (int step = 0; step < 40; ++step) swing(step);
  EXPECT_EQ(allocation_count(), before);
}

TEST(AabbTree, StaysConsistent) {
  Random r(4);
  for (int leaves : {0, 1, 2, 3, 17, 200}) {
    AabbTree tree(leaves);
    EXPECT_TRUE(tree.consistent());
    std::vector<Aabb> boxes(static_cast<std::size_t>(leaves));
    for (int step = 0; step < 60; ++step) {
      for (int i = 0; i < leaves; ++i) {
        if (r.integer(0, 5) > step % 6) continue;
        Aabb& box = boxes[std::size_t(i)];
        const Vec3 c = r.integer(0, 9) == 0 ? r.vec(1e3) : r.vec(1);
        box = r.integer(0, 19) == 0 ? Aabb{} : inflated(Aabb{c, c}, r.uniform(0, 0.2));
        tree.move(i, box);
      }
      tree.update();
      ASSERT_TRUE(tree.consistent()) << leaves << ", step " << step;
      const Vec3 c = r.vec(1);
      const Aabb asked = inflated(Aabb{c, c}, 0.3);
      std::vector<int> found, expected;
      tree.query(asked, [&](int i) { found.push_back(i); });
      std::sort(found.begin(), found.end());
      for (int i = 0; i < leaves; ++i)
        if (overlap(boxes[std::size_t(i)], asked)) expected.push_back(i);
      ASSERT_EQ(found, expected) << leaves << ", step " << step;
    }
  }
}

TEST(AabbTree, HugeAndEqualBoxesDoNotBreakIt) {
  AabbTree tree(100);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 100; ++i) {
      const Vec3 c = round == 0 ? Vec3(1, 1, 1) : Vec3::Constant(i % 2 ? 1e300 : -1e300);
      tree.move(i, {c, c});
    }
    tree.update();
    EXPECT_TRUE(tree.consistent());
    int found = 0;
    tree.query({Vec3::Constant(0), Vec3::Constant(1e301)}, [&](int) { ++found; });
    EXPECT_EQ(found, round == 0 ? 100 : 50);
  }
}

}  // namespace
}  // namespace abut::test
