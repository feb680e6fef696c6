// A haptic run in the browser, without a browser: frames, status, the mouse.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "abut/math/rotation.h"
#include "abut/view/live/haptic_view.h"
#include "abut/view/scene/scene.h"
#include "haptic_scene.h"

namespace abut::test {
namespace {

struct SeenByPage {
  std::mutex mutex;
  std::vector<std::string> texts;
  int frames = 0;

  view::Outlet outlet() {
    const auto keep = [this](view::LiveText t) {
      const std::lock_guard lock(mutex);
      texts.push_back(*t);
    };
    return {[keep](std::uint64_t, view::LiveText t) { keep(std::move(t)); }, keep,
            [this](int, view::LiveText) {
              const std::lock_guard lock(mutex);
              ++frames;
            }};
  }
  bool says(const std::string& part) {
    const std::lock_guard lock(mutex);
    for (const std::string& t : texts)
      if (t.find(part) != std::string::npos) return true;
    return false;
  }
};

TEST(HapticView, ShowsARunAndTakesTheMouse) {
  SeenByPage page;
  HapticScene s(haptic_world("virtual_wall"), "st", 500);
  MouseDevice mouse;
  // 2 cm to the side, free of the wall; positions of the page are from the scene's origin
  Derived poses(s.model);
  positions(s.model, s.cycle.state(), Input(s.model), poses);
  const Vec3 to = Vec3(0.02, 0, 0.015) - view::scene_origin(s.model, poses);
  view::HapticView run(s.cycle, mouse, {.time = 1.5}, page.outlet(), &mouse);
  run.opened(1);
  run.received(1, nlohmann::json({{"do", "grab"},
                                  {"body", s.settings.pointer},
                                  {"point", {0, 0, 0}},
                                  {"target", {to.x(), to.y(), to.z()}}})
                      .dump());
  run.received(1, R"({"do": "back"})");
  run.received(1, "junk");
  for (int i = 0; i < 500 && !run.ended(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  run.stop();
  EXPECT_TRUE(run.ended());
  EXPECT_GT(run.report().cycles, 300);
  EXPECT_GT(page.frames, 5);
  EXPECT_TRUE(page.says("\"is\":\"scene\""));
  EXPECT_TRUE(page.says("\"rate\":500"));
  EXPECT_TRUE(page.says("is not for it"));
  EXPECT_TRUE(page.says("no JSON"));
  EXPECT_NEAR(s.cycle.pointer().X.p.x(), 0.02, 1e-3);
}

// The camera sees wherever the hand goes, and what it may meet there: of a wall that is far larger
// than the pointer, the part that is pressed.
TEST(HapticView, TheCameraSeesThePathOfTheHand) {
  for (const std::string world : {"virtual_wall", "along_a_wall", "assembly"}) {
    SeenByPage page;
    HapticScene s(haptic_world(world), "volumetric", 500);
    const Vec3 start = s.cycle.pointer().X.p;
    {
      view::HapticView run(s.cycle, s.device, {.time = 0.2}, page.outlet());
      run.opened(1);
      for (int i = 0; i < 500 && !page.says("\"extent\""); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (const std::string& text : page.texts) {
      const auto j = nlohmann::json::parse(text);
      if (j["is"] != "scene") continue;
      const std::vector<double> low = j["extent"]["low"], high = j["extent"]["high"],
                                origin = j["origin"];
      for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        for (double t = 0; t < s.settings.path.duration(); t += 0.05) {
          const double x = start[axis] + s.settings.path.at(t).position[axis] - origin[i];
          EXPECT_GT(x, low[i] - 1e-3) << world << ", " << t << " s";
          EXPECT_LT(x, high[i] + 1e-3) << world << ", " << t << " s";
        }
        EXPECT_GT(high[i] - low[i], 0.05) << world;
      }
    }
    EXPECT_TRUE(page.says("\"extent\"")) << world;
  }
}

// Keys and gamepads move the hand by steps, and turn it.
TEST(HapticView, TakesStepsOfTheHand) {
  SeenByPage page;
  HapticScene s(haptic_world("virtual_wall"), "st", 500);
  MouseDevice mouse;
  const Vec3 start = s.cycle.pointer().X.p;
  view::HapticView run(s.cycle, mouse, {.time = 1}, page.outlet(), &mouse);
  for (int i = 0; i < 4; ++i)
    run.received(1, R"({"do": "hand", "move": [0.005, 0, 0.001], "turn": [0, 0, 0.1]})");
  run.received(1, R"({"do": "hand", "move": [1e300, 0, 0], "turn": [0, 0, 0]})");
  for (int i = 0; i < 500 && !run.ended(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  run.stop();
  const Pose pointer = s.cycle.pointer().X;
  EXPECT_NEAR(pointer.p.x() - start.x(), 0.02, 1e-3);
  EXPECT_NEAR(pointer.p.z() - start.z(), 0.004, 1e-3);
  EXPECT_NEAR(log_rotation(pointer.q).z(), 0.4, 2e-2);
  EXPECT_TRUE(page.says("out of range"));
}

TEST(HapticView, StopsWhenAsked) {
  SeenByPage page;
  HapticScene s(haptic_world("virtual_wall"), "st", 500);
  view::HapticView run(s.cycle, s.device, {}, page.outlet());
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  run.stop();
  EXPECT_GE(run.report().cycles, 1);
}

}  // namespace
}  // namespace abut::test
