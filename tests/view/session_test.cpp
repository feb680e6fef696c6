// A live run: what hands do, and that every earlier moment can be had again, bit for bit.
#include "abut/view/live/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "abut/load/load.h"
#include "support/tree.h"

namespace abut::view {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Two boxes on a floor; a hinge with a motor.
World boxes() {
  World w;
  w.name = "boxes";
  w.option.timestep = 0.005;
  w.worldbody.plane();
  for (int i = 0; i < 2; ++i) {
    auto& box = w.body("box" + std::to_string(i), {0.0, 0.0, 0.1 + 0.21 * i});
    box.free();
    box.box({0.1, 0.1, 0.1});
  }
  auto& arm = w.body("arm", {1, 0, 0.5});
  arm.hinge("pivot", {0, 1, 0});
  arm.capsule({0, 0, 0}, {0.3, 0, 0}, 0.03);
  w.motor("turn", "pivot");
  return w;
}

Session session_of(const World& world, std::vector<std::string> contacts = {"st"},
                   std::size_t bytes = 400'000'000) {
  SessionSettings s;
  s.world = world;
  s.build = [](const World& w) { return compile(w); };
  s.lanes = [contacts](const Model& model) {
    std::vector<ContactSettings> all;
    for (const std::string& name : contacts) {
      all.push_back(contact_settings(model));
      set_contact(all.back(), name);
    }
    return all;
  };
  s.most_bytes = bytes;
  return Session(std::move(s));
}

void run(Session& s, int steps) {
  for (int i = 0; i < steps; ++i) s.step();
}
void tell(Session& s, const std::string& command) { s.apply(parse_command(command)); }

Vec3 place(const Session& s, int free_body, int lane = 0) {
  const auto& q = s.state(lane).q;
  return Vec3(q[static_cast<std::size_t>(7 * free_body)],
              q[static_cast<std::size_t>(7 * free_body + 1)],
              q[static_cast<std::size_t>(7 * free_body + 2)]);
}

// A replay in parts ends where one in a piece ends, whoever looks in between.
TEST(Session, ALongReplayGoesOnInParts) {
  Session s = session_of(boxes());
  run(s, 40);
  const auto hash = s.hash();
  run(s, 5);
  int parts = 1;
  while (!s.seek(40, 0)) ++parts;
  EXPECT_EQ(s.hash(), hash);
  EXPECT_EQ(s.position(), 40);
  EXPECT_EQ(parts, 40);  // a step each, from the snapshot at the start
  EXPECT_EQ(s.last(), 45);
}

TEST(Session, ThrownBoxesAreOfTheWorldsSize) {
  Session s = session_of(boxes());
  EXPECT_THAT(
      [&] { tell(s, R"({"do":"throw","position":[0,0,2],"velocity":[0,0,0],"size":200000})"); },
      testing::ThrowsMessage<CommandError>(HasSubstr("too large")));
  EXPECT_EQ(s.model().nbody(), 4);
  tell(s, R"({"do":"throw","position":[0,0,2],"velocity":[0,0,0],"size":2})");
  EXPECT_EQ(s.model().nbody(), 5);
}

TEST(Session, ASpringPullsABodyToWhereTheHandIs) {
  Session s = session_of(boxes());
  run(s, 50);
  tell(s, R"({"do":"grab","body":2,"point":[0,0,0],"target":[0.5,0.3,0.9]})");
  run(s, 600);
  // it hangs a little below the hand, by its weight
  const Vec3 at = place(s, 1);
  EXPECT_NEAR(at.x(), 0.5, 0.01);
  EXPECT_NEAR(at.y(), 0.3, 0.01);
  EXPECT_LT(at.z(), 0.9);
  EXPECT_GT(at.z(), 0.8);
  tell(s, R"({"do":"release"})");
  run(s, 200);
  EXPECT_LT(place(s, 1).z(), 0.5);
}

TEST(Session, ATwistTurnsABody) {
  Session s = session_of(boxes());
  tell(s, R"({"do":"twist","body":2,"turn":[0,0,1]})");
  run(s, 60);
  EXPECT_GT(std::abs(s.state(0).q[13]), 0.05);  // z of the quaternion
}

// Cline and Pai, VI-B: bodies near the cursor are pushed away from it, and those far from it are
// not.
TEST(Session, TheCursorRepels) {
  Session s = session_of(boxes());
  run(s, 20);
  tell(s, R"({"do":"push","point":[-0.3,0,0.3],"radius":0.4})");
  run(s, 60);
  EXPECT_GT(place(s, 1).x(), 0.02);
  Session far = session_of(boxes());
  run(far, 20);
  tell(far, R"({"do":"push","point":[-3,0,0.3],"radius":0.4})");
  run(far, 60);
  EXPECT_NEAR(place(far, 1).x(), 0, 1e-6);
}

TEST(Session, GoingBackAndForthGivesTheSameBits) {
  Session s = session_of(boxes(), {"st", "deepest"});
  std::vector<std::uint64_t> hashes = {s.hash()};
  for (int i = 0; i < 400; ++i) {
    if (i == 60) tell(s, R"({"do":"grab","body":2,"point":[0.05,0,0],"target":[0.4,0,0.8]})");
    if (i == 120) tell(s, R"({"do":"grab","body":2,"point":[0.05,0,0],"target":[-0.4,0,0.8]})");
    if (i == 180) tell(s, R"({"do":"release"})");
    if (i == 200) tell(s, R"({"do":"control","index":0,"value":2})");
    if (i == 250) tell(s, R"({"do":"push","point":[0,0,0],"radius":1})");
    s.step();
    hashes.push_back(s.hash());
  }
  for (const std::int64_t step : {399, 400, 0, 1, 59, 60, 61, 125, 333, 200, 201, 400, 7}) {
    s.seek(step);
    EXPECT_EQ(s.position(), step);
    EXPECT_EQ(s.hash(), hashes[static_cast<std::size_t>(step)]) << step;
  }
  EXPECT_EQ(s.last(), 400);
}

// Reset keeps what was chosen, and undo returns to the run before.
TEST(Session, ResetKeepsModelsLanesAndStep) {
  Session s = session_of(boxes());
  run(s, 30);
  tell(s, R"({"do":"lanes","contact":["ap","deepest"]})");
  tell(s, R"({"do":"friction","lane":0,"value":"pyramid"})");
  tell(s, R"({"do":"timestep","value":0.002})");
  tell(s, R"({"do":"throw","position":[1,0,1],"velocity":[-1,0,0],"size":0.05})");
  run(s, 20);
  const std::uint64_t before = s.hash();
  tell(s, R"({"do":"reset"})");
  EXPECT_EQ(s.position(), 0);
  EXPECT_EQ(s.last(), 0);
  EXPECT_EQ(s.time(), 0);
  EXPECT_EQ(s.timestep(), 0.002);
  EXPECT_EQ(s.lanes(), 2);
  EXPECT_EQ(s.model().find_body("thrown box"), -1);
  EXPECT_THAT(s.status(false, 1, 1), HasSubstr(R"("contact":"ap","friction":"pyramid)"));

  // the same future as a session that was so from the start
  Session fresh = session_of(boxes(), {"ap", "deepest"});
  tell(fresh, R"({"do":"friction","lane":0,"value":"pyramid"})");
  tell(fresh, R"({"do":"timestep","value":0.002})");
  run(s, 40);
  run(fresh, 40);
  EXPECT_EQ(s.hash(), fresh.hash());
  s.seek(10);
  s.seek(40);
  EXPECT_EQ(s.hash(), fresh.hash());
  tell(s, R"({"do":"reset"})");  // nothing was chosen since: the run stays
  EXPECT_EQ(s.last(), 40);

  tell(s, R"({"do":"undo"})");
  EXPECT_EQ(s.hash(), before);
  EXPECT_EQ(s.position(), 50);
  run(s, 5);
  s.seek(53);
  EXPECT_EQ(s.position(), 53);
}

TEST(Session, AJointIsPutWhereTheSliderIs) {
  World world;
  BodyDesc& arm = world.body("arm", {0, 0, 1});
  arm.hinge("shoulder", {0, 1, 0});
  arm.capsule({0, 0, 0}, {0.4, 0, 0}, 0.03);
  Session s = session_of(world);
  run(s, 10);
  const std::uint64_t before = s.hash();
  for (const char* value : {"0.1", "0.2", "0.3"})
    tell(s, std::string(R"({"do":"joint","index":0,"value":)") + value + "}");
  EXPECT_EQ(s.state(0).q[0], 0.3);
  EXPECT_EQ(s.state(0).v[0], 0);
  EXPECT_THAT(s.status(false, 1, 1), HasSubstr(R"("joints":[0.3])"));
  run(s, 10);
  const std::uint64_t after = s.hash();
  s.seek(3);
  s.seek(20);
  EXPECT_EQ(s.hash(), after);
  s.seek(10);
  tell(s, R"({"do":"undo"})");  // the whole drag
  EXPECT_EQ(s.hash(), before);
  EXPECT_THROW(tell(s, R"({"do":"joint","index":1,"value":0})"), CommandError);
  EXPECT_THROW(tell(s, R"({"do":"joint","index":0})"), CommandError);
}

// Little room: snapshots go, and every step is still there.
TEST(Session, ALongPastIsKeptInLittleRoom) {
  Session s = session_of(boxes(), {"st"}, 40'000);
  std::vector<std::uint64_t> hashes = {s.hash()};
  for (int i = 0; i < 3000; ++i) {
    s.step();
    hashes.push_back(s.hash());
  }
  for (const std::int64_t step : {2999, 1500, 3, 0}) {
    s.seek(step);
    EXPECT_EQ(s.hash(), hashes[static_cast<std::size_t>(step)]) << step;
  }
}

// Thousands of interactions: the past has an end, and what is left of it is right.
TEST(Session, FloodsOfInteractionsAreForgotten) {
  Session s = session_of(boxes());
  std::vector<std::uint64_t> hashes = {s.hash()};
  for (int i = 0; i < 3000; ++i) {
    tell(s, i % 2 ? R"({"do":"release"})" : R"({"do":"push","point":[0.3,0,0.3],"radius":0.2})");
    if (i % 500 == 250) tell(s, R"({"do":"stabilize","lane":0,"value":"post"})");
    if (i % 3 == 0) s.step(), hashes.push_back(s.hash());
  }
  for (const std::int64_t step : {999, 501, 17, 0}) {
    s.seek(step);
    EXPECT_EQ(s.hash(), hashes[static_cast<std::size_t>(s.position())]) << step;
  }
}

// What the allocator has handed out.
std::size_t heap_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

World many_boxes(int n) {
  World w;
  w.name = "many";
  w.option.timestep = 0.005;
  w.worldbody.plane();
  for (int i = 0; i < n; ++i) {
    auto& box = w.body("box" + std::to_string(i), {0.3 * (i % 20), 0.3 * (i / 20), 0.1});
    box.free();
    box.box({0.1, 0.1, 0.1});
  }
  return w;
}

// Changes of settings, which no replay knows, as fast as they can be asked for.
TEST(Session, ManyChangesStayWithinTheBound) {
  constexpr std::size_t kBound = 4'000'000;
  Session s = session_of(many_boxes(100), {"st"}, kBound);
  run(s, 3);
  const std::size_t before = heap_bytes();
  for (int i = 0; i < 150; ++i) {
    tell(s, i % 2 ? R"({"do":"friction","lane":0,"value":"cone"})"
                  : R"({"do":"friction","lane":0,"value":"none"})");
    if (i % 5 == 0) s.step();
    EXPECT_LE(s.past_bytes(), kBound);
  }
  EXPECT_GT(s.past_bytes(), kBound / 4);  // and it is made use of
  EXPECT_LT(heap_bytes(), before + kBound + kBound / 8);
  // what is left can be undone, and the start is there
  for (int i = 0; i < 5; ++i) tell(s, R"({"do":"undo"})");
  s.seek(0);
  EXPECT_EQ(s.position(), 0);
}

// A box more is a new model: it is built again when somebody goes back to it, and not kept.
TEST(Session, ThrownBoxesStayWithinTheBound) {
  constexpr std::size_t kBound = 4'000'000;
  Session s = session_of(many_boxes(100), {"st"}, kBound);
  int thrown = 0;
  const auto throw_one = [&] {
    tell(s, R"({"do":"throw","position":[)" + std::to_string(0.3 * thrown++) +
                R"(,1,3],"velocity":[0,0,-1],"size":0.05})");
    run(s, 2);
  };
  for (int i = 0; i < 3; ++i) throw_one();
  const std::size_t before = heap_bytes();
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 25; ++i) {
    hashes.push_back(s.hash());
    throw_one();
  }
  EXPECT_LE(s.past_bytes(), kBound);
  // a model alone takes a megabyte here
  EXPECT_LT(heap_bytes(), before + kBound + 4'000'000);
  // back through them, bit for bit
  for (int i = 24; i > 18; --i) {
    tell(s, R"({"do":"undo"})");
    EXPECT_EQ(s.hash(), hashes[static_cast<std::size_t>(i)]) << i;
    EXPECT_EQ(s.model().nbody(), 1 + 100 + 3 + i);
  }
}

// A hand that moves for hours.
TEST(Session, HandsStayWithinTheBound) {
  constexpr std::size_t kBound = 300'000;
  Session s = session_of(boxes(), {"st"}, kBound);
  for (int i = 0; i < 3000; ++i) {
    tell(s, R"({"do":"grab","body":2,"point":[0,0,0],"target":[0.1,0,0.)" +
                std::to_string(1 + i % 9) + "]}");
    s.step();
    ASSERT_LE(s.past_bytes(), kBound) << i;
  }
  const std::uint64_t end = s.hash();
  s.seek(2990);
  s.seek(3000);
  EXPECT_EQ(s.hash(), end);
}

TEST(Session, UndoTakesBackWhatWasDone) {
  Session s = session_of(boxes());
  run(s, 30);
  const std::uint64_t before = s.hash();
  tell(s, R"({"do":"grab","body":2,"point":[0,0,0],"target":[1,0,1]})");
  run(s, 40);
  tell(s, R"({"do":"release"})");
  run(s, 10);
  const std::uint64_t between = s.hash();
  tell(s, R"({"do":"contact","lane":0,"value":"ap"})");
  run(s, 10);
  tell(s, R"({"do":"undo"})");
  EXPECT_EQ(s.hash(), between);
  EXPECT_NE(s.status(false, 1, 0).find("\"contact\":\"st\""), std::string::npos);
  tell(s, R"({"do":"undo"})");
  EXPECT_EQ(s.hash(), before);
  EXPECT_EQ(s.position(), 30);
  // and the run goes on as if nothing had been
  Session other = session_of(boxes());
  run(other, 60), run(s, 30);
  EXPECT_EQ(s.hash(), other.hash());
  EXPECT_THROW(tell(s, R"({"do":"undo"})"), CommandError);
}

// What is ahead goes when something new happens, not before.
TEST(Session, TheFutureIsKeptUntilItChanges) {
  Session s = session_of(boxes());
  run(s, 100);
  const std::uint64_t end = s.hash();
  s.seek(40);
  EXPECT_EQ(s.last(), 100);
  s.seek(100);
  EXPECT_EQ(s.hash(), end);
  s.seek(40);
  s.step();
  EXPECT_EQ(s.last(), 41);
}

TEST(Session, ThrownBoxesJoinTheWorld) {
  Session s = session_of(boxes());
  run(s, 100);
  const State before = s.state(0);
  const int bodies = s.model().nbody(), generation = s.generation();
  tell(s, R"({"do":"throw","position":[-1,0,0.35],"velocity":[8,0,0.3],"size":0.09})");
  EXPECT_EQ(s.model().nbody(), bodies + 1);
  EXPECT_NE(s.generation(), generation);
  // what there was is where it was
  for (std::size_t i = 0; i < before.q.size(); ++i) EXPECT_EQ(s.state(0).q[i], before.q[i]);
  EXPECT_TRUE(s.state(0).contacts == before.contacts);
  tell(s, R"({"do":"throw","position":[-1,1,0.3],"velocity":[0,0,0],"size":0.05})");
  run(s, 100);
  EXPECT_GT((place(s, 1) - Vec3(before.q[7], before.q[8], before.q[9])).norm(), 0.01);
  // from before the throw and back: the model changes with it
  const std::uint64_t end = s.hash();
  s.seek(50);
  EXPECT_EQ(s.model().nbody(), bodies);
  s.seek(200);
  EXPECT_EQ(s.model().nbody(), bodies + 2);
  EXPECT_EQ(s.hash(), end);
  EXPECT_EQ(nlohmann::json::parse(s.scene())["bodies"].size(),
            static_cast<std::size_t>(bodies + 2));
}

TEST(Session, KeyframesStillFitAfterAThrow) {
  World w = boxes();
  KeyframeDesc key;
  key.name = "up";
  key.qpos = {0, 0, 1, 1, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0.5};
  w.keyframes.push_back(key);
  Session s = session_of(w);
  tell(s, R"({"do":"throw","position":[-1,0,0.3],"velocity":[4,0,1],"size":0.05})");
  tell(s, R"({"do":"keyframe","name":"up"})");
  EXPECT_EQ(place(s, 1).z(), 2);
  EXPECT_THROW(tell(s, R"({"do":"keyframe","name":"down"})"), CommandError);
}

TEST(Session, ModelStabiliserAndStepChangeWhileItRuns) {
  Session s = session_of(boxes());
  run(s, 50);
  for (const char* command : {R"({"do":"contact","lane":0,"value":"ap"})",
                              R"({"do":"stabilize","lane":0,"value":"none"})",
                              R"({"do":"friction","lane":0,"value":"pyramid:6"})",
                              R"({"do":"timestep","value":0.002})"}) {
    const double time = s.time();
    tell(s, command);
    EXPECT_EQ(s.time(), time);
    run(s, 20);
    EXPECT_NEAR(place(s, 1).z(), 0.3, 0.02) << command;
  }
  EXPECT_EQ(s.timestep(), 0.002);
  const auto status = nlohmann::json::parse(s.status(true, 2, 3));
  EXPECT_EQ(status["lanes"][0]["contact"], "ap");
  EXPECT_EQ(status["lanes"][0]["friction"], "pyramid:6");
  EXPECT_EQ(status["lanes"][0]["stabilize"], "none");
}

TEST(Session, WhatCannotBeIsToldAndChangesNothing) {
  Session s = session_of(boxes());
  run(s, 5);
  const std::uint64_t before = s.hash();
  for (const char* command :
       {R"({"do":"contact","lane":0,"value":"magic"})", R"({"do":"contact","lane":3,"value":"ap"})",
        R"({"do":"friction","lane":0,"value":"slip"})",
        R"({"do":"lanes","contact":["st","magic"]})",
        R"({"do":"grab","body":0,"point":[0,0,0],"target":[0,0,0]})",
        R"({"do":"grab","body":99,"point":[0,0,0],"target":[0,0,0]})",
        R"({"do":"control","index":9,"value":1})"})
    EXPECT_THROW(tell(s, command), CommandError) << command;
  EXPECT_EQ(s.hash(), before);
  EXPECT_EQ(s.last(), 5);
  EXPECT_NE(s.status(false, 1, 1).find("\"undo\":0"), std::string::npos);
}

// A planar world has no place for a box that can fall out of its plane.
TEST(Session, PlanarWorldsRefuseBoxes) {
  Session s = session_of(load_world(fs::path(test::in_tree()) / "worlds/pushed_rectangle.xml"));
  EXPECT_THROW(tell(s, R"({"do":"throw","position":[0,0,1],"velocity":[0,0,0],"size":0.1})"),
               CommandError);
  run(s, 3);
}

TEST(Session, LanesShareTheirHands) {
  Session s = session_of(boxes());
  run(s, 20);
  tell(s, R"({"do":"lanes","contact":["st","ap","deepest"]})");
  ASSERT_EQ(s.lanes(), 3);
  tell(s, R"({"do":"grab","body":2,"point":[0,0,0],"target":[0.5,0,0.9]})");
  run(s, 300);
  for (int lane = 0; lane < 3; ++lane) EXPECT_NEAR(place(s, 1, lane).x(), 0.5, 0.02) << lane;
  EXPECT_NE(s.state(0).hash(), s.state(2).hash());
  tell(s, R"({"do":"lanes","contact":["st"]})");
  EXPECT_EQ(s.lanes(), 1);
}

TEST(Session, ALostLaneStopsAlone) {
  World w = boxes();
  w.option.timestep = 0.05;
  Session s = session_of(w, {"st", "st"});
  tell(s, R"({"do":"throw","position":[0,0,3],"velocity":[0,0,-1e6],"size":0.001})");
  for (int i = 0; i < 40; ++i) s.step();
  EXPECT_TRUE(s.state(0).q[0] == s.state(0).q[0]);  // the last good state
}

}  // namespace
}  // namespace abut::view
