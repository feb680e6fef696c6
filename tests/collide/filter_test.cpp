// Which pairs may touch: each rule of MJCF by itself, and all together against a brute
// reading of them.
#include "abut/collide/broad/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/random_worlds.h"

namespace abut::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "a-b" by name, in the order of for_each_pair.
std::vector<std::string> allowed(const Model& model) {
  std::vector<std::string> names;
  PairFilter(model).for_each_pair([&](int a, int b) {
    EXPECT_LT(a, b);
    names.push_back(model.geom_names[a] + "-" + model.geom_names[b]);
  });
  return names;
}

GeomDesc& ball(BodyDesc& body, const std::string& name) {
  GeomDesc& g = body.sphere(0.1);
  g.name = name;
  return g;
}

TEST(PairFilter, BodiesThatMoveTouchEachOtherAndTheWorld) {
  World w;
  w.worldbody.plane().name = "floor";
  for (const char* name : {"x", "y"}) {
    BodyDesc& b = w.worldbody.body(std::string("body_") + name);
    b.free();
    ball(b, name);
  }
  EXPECT_THAT(allowed(compile(w)), ElementsAre("floor-x", "floor-y", "x-y"));
}

TEST(PairFilter, OneBodyAndItsWeldedPartsDoNotTouchThemselves) {
  World w;
  BodyDesc& b = w.worldbody.body("b");
  b.free();
  ball(b, "one");
  ball(b, "two");
  ball(b.body("part").body("part_of_part"), "three");
  EXPECT_THAT(allowed(compile(w)), IsEmpty());
}

TEST(PairFilter, WhatIsFixedDoesNotTouchWhatIsFixed) {
  World w;
  ball(w.worldbody, "ground");
  ball(w.worldbody.body("table"), "table");
  ball(w.worldbody.body("shelf").body("book"), "book");
  EXPECT_THAT(allowed(compile(w)), IsEmpty());
}

// MuJoCo 2.2 and 3.14 give a mocap body the weldid 0.
TEST(PairFilter, DrivenBodiesTouchWhatCanBeMovedOnly) {
  World w;
  ball(w.worldbody, "ground");
  for (const char* name : {"hand", "other_hand"}) {
    BodyDesc& hand = w.worldbody.body(name);
    hand.mocap = true;
    ball(hand, name);
  }
  BodyDesc& b = w.worldbody.body("thing");
  b.free();
  ball(b, "thing");
  EXPECT_THAT(allowed(compile(w)), ElementsAre("ground-thing", "hand-thing", "other_hand-thing"));
}

// base - arm - plate (welded to arm) - tip: neighbours by welded group are left out.
World arm() {
  World w;
  ball(w.worldbody, "ground");
  BodyDesc& base = w.worldbody.body("base");
  base.hinge("j1", {0, 0, 1});
  ball(base, "base");
  BodyDesc& arm = base.body("arm");
  arm.hinge("j2", {0, 0, 1});
  ball(arm, "arm");
  BodyDesc& plate = arm.body("plate");
  ball(plate, "plate");
  BodyDesc& tip = plate.body("tip");
  tip.hinge("j3", {0, 0, 1});
  ball(tip, "tip");
  return w;
}

TEST(PairFilter, ParentAndChildDoNotTouchButForTheWorld) {
  EXPECT_THAT(allowed(compile(arm())),
              ElementsAre("ground-base", "ground-arm", "ground-plate", "ground-tip", "base-tip"));
}

TEST(PairFilter, ParentAndChildTouchWhenTheFlagSaysSo) {
  World w = arm();
  w.option.filter_parent = false;
  EXPECT_THAT(allowed(compile(w)),
              ElementsAre("ground-base", "ground-arm", "ground-plate", "ground-tip", "base-arm",
                          "base-plate", "base-tip", "arm-tip", "plate-tip"));
}

TEST(PairFilter, ExcludesNameBodiesNotWhatIsWeldedToThem) {
  World w = arm();
  w.excludes.push_back({"", "arm", "world", {}});
  EXPECT_THAT(allowed(compile(w)),
              ElementsAre("ground-base", "ground-plate", "ground-tip", "base-tip"));
}

TEST(PairFilter, EitherContypeMayMatch) {
  for (const auto& [type1, affinity1, type2, affinity2, expected] :
       {std::array{1, 1, 1, 1, 1}, std::array{1, 0, 0, 1, 1}, std::array{0, 1, 1, 0, 1},
        std::array{2, 4, 4, 8, 1}, std::array{1, 2, 4, 8, 0}, std::array{0, 0, 1, 1, 0},
        std::array{3, 0, 0, 4, 0}, std::array{1, 0, 1, 0, 0}}) {
    World w;
    for (int i = 0; i < 2; ++i) {
      BodyDesc& b = w.worldbody.body(i ? "b" : "a");
      b.free();
      GeomDesc& g = ball(b, i ? "y" : "x");
      g.contype = i ? type2 : type1;
      g.conaffinity = i ? affinity2 : affinity1;
    }
    EXPECT_EQ(static_cast<int>(allowed(compile(w)).size()), expected)
        << type1 << affinity1 << type2 << affinity2;
  }
}

TEST(PairFilter, AnExplicitPairPassesEveryRule) {
  World w = arm();
  w.pairs.push_back({"", "arm", "base", {}, {}, {}, {}, {}});    // parent and child
  w.pairs.push_back({"", "plate", "arm", {}, {}, {}, {}, {}});   // welded
  w.excludes.push_back({"", "tip", "base", {}});                 // excluded ..
  w.pairs.push_back({"", "base", "tip", {}, {}, {}, {}, {}});    // .. and asked for
  w.pairs.push_back({"", "tip", "ground", {}, {}, {}, {}, {}});  // allowed anyway: once
  EXPECT_THAT(allowed(compile(w)), ElementsAre("ground-base", "ground-arm", "ground-plate",
                                               "ground-tip", "base-arm", "base-tip", "arm-plate"));
}

TEST(PairFilter, ExplicitPairsAtRestAreListed) {
  World w;
  ball(w.worldbody, "ground");
  w.worldbody.plane().name = "floor";
  w.worldbody.plane().name = "wall";
  ball(w.worldbody.body("table"), "table");
  w.pairs.push_back({"", "table", "ground", {}, {}, {}, {}, {}});
  w.pairs.push_back(
      {"", "wall", "floor", {}, {}, {}, {}, {}});  // two half-spaces: nothing to touch
  const Model model = compile(w);
  EXPECT_THAT(allowed(model), ElementsAre("ground-table"));
  EXPECT_THAT(PairFilter(model).pairs_at_rest(), ElementsAre(pair_key(0, 3)));
}

// The rules as prose has them, for every pair of a random tree.
bool by_the_book(const Model& m, int a, int b) {
  const Geom &ga = m.geoms[std::size_t(a)], &gb = m.geoms[std::size_t(b)];
  for (const ContactPair& p : m.pairs)
    if ((p.geom1 == a && p.geom2 == b) || (p.geom1 == b && p.geom2 == a)) return true;
  for (const auto& e : m.excludes)
    if ((e[0] == ga.body && e[1] == gb.body) || (e[1] == ga.body && e[0] == gb.body)) return false;
  if (!(ga.contype & gb.conaffinity) && !(gb.contype & ga.conaffinity)) return false;
  auto group = [&](int body) {
    while (body > 0 && m.bodies[std::size_t(body)].joint_count == 0)
      body = m.bodies[std::size_t(body)].parent;
    return body;
  };
  auto parent = [&](int g) { return group(m.bodies[std::size_t(g)].parent); };
  const int wa = group(ga.body), wb = group(gb.body);
  if (wa == wb) return false;
  if (wa == 0 || wb == 0) return true;
  return parent(wa) != wb && parent(wb) != wa;
}

TEST(PairFilter, RandomTreesAreReadByTheBook) {
  int pairs = 0, kept = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    World w = random_world(seed, 12);
    Random r(seed);
    auto paint = [&](auto& self, BodyDesc& body) -> void {
      for (GeomDesc& g : body.geoms) {
        g.contype = r.integer(0, 3);
        g.conaffinity = r.integer(0, 3);
      }
      for (BodyDesc& child : body.bodies) self(self, child);
    };
    paint(paint, w.worldbody);
    w.excludes.push_back({"", "b1", "b7", {}});
    w.excludes.push_back({"", "world", "b3", {}});
    Model m = compile(w);
    m.pairs.push_back({0, 1, 3, {}, 0, 0});
    m.pairs.push_back({5, 2, 3, {}, 0, 0});
    const PairFilter filter(m);
    for (int a = 0; a < filter.count(); ++a)
      for (int b = a + 1; b < filter.count(); ++b) {
        const bool expected = by_the_book(m, a, b);
        EXPECT_EQ(filter.allows(a, b), expected) << seed << ": " << a << " " << b;
        EXPECT_EQ(filter.allows(b, a), expected);
        ++pairs;
        kept += expected;
      }
  }
  EXPECT_GT(kept, pairs / 10);
  EXPECT_LT(kept, pairs * 9 / 10);
}

}  // namespace
}  // namespace abut::test
