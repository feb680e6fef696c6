// The run behind a page: nothing that comes in, however much or wrong, stops it.
#include "abut/view/live/live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>

namespace abut::view {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

// What went out, kept.
struct Heard {
  std::mutex mutex;
  std::vector<std::string> texts;
  std::map<int, std::string> frames;
  int frame_count = 0;

  Outlet outlet() {
    const auto keep = [this](const LiveText& t) {
      const std::lock_guard lock(mutex);
      texts.push_back(*t);
    };
    return {[keep](std::uint64_t, LiveText t) { keep(t); }, [keep](LiveText t) { keep(t); },
            [this](int lane, LiveText t) {
              const std::lock_guard lock(mutex);
              frames[lane] = *t;
              ++frame_count;
            }};
  }
  bool has(const std::string& part) {
    const std::lock_guard lock(mutex);
    for (const std::string& t : texts)
      if (t.find(part) != std::string::npos) return true;
    return false;
  }
  double time() {
    const std::lock_guard lock(mutex);
    double t = -1;
    if (frames.count(0)) std::memcpy(&t, frames[0].data() + 8, 8);
    return t;
  }
};

template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

std::unique_ptr<Session> falling_box() {
  SessionSettings s;
  s.world.worldbody.plane();
  auto& box = s.world.body("box", {0, 0, 1});
  box.free();
  box.box({0.1, 0.1, 0.1});
  s.build = [](const World& w) { return compile(w); };
  return std::make_unique<Session>(std::move(s));
}

TEST(Live, GreetsAndPlaysAndPauses) {
  Heard heard;
  Live live(falling_box(), heard.outlet());
  live.opened(1);
  EXPECT_TRUE(
      soon([&] { return heard.has("\"is\":\"scene\"") && heard.has("\"is\":\"choices\""); }));
  std::this_thread::sleep_for(30ms);
  EXPECT_EQ(live.steps(), 0);
  live.received(1, R"({"do":"play"})");
  EXPECT_TRUE(soon([&] { return heard.time() > 0.1; }));
  live.received(1, R"({"do":"pause"})");
  EXPECT_TRUE(soon([&] { return heard.has("\"playing\":false"); }));
  std::this_thread::sleep_for(50ms);
  const auto steps = live.steps();
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(live.steps(), steps);
}

// Frames in which nothing was measured repeat the numbers of their own lane, not of another's.
TEST(Live, LanesKeepTheirOwnNumbers) {
  SessionSettings s;
  s.world.worldbody.plane();
  for (int i = 0; i < 150; ++i) {
    auto& box = s.world.body("box" + std::to_string(i), {0.3 * i, 0, 0.1});
    box.free();
    box.box({0.1, 0.1, 0.1});
  }
  s.build = [](const World& w) { return compile(w); };
  auto session = std::make_unique<Session>(std::move(s));
  session->apply(parse_command(R"({"do":"lanes","contact":["none","st"]})"));
  while (session->time() < 0.2) session->step();

  std::mutex mutex;
  std::array<float, 2> least{1e9f, 1e9f}, most{};
  int frames = 0;
  Outlet outlet{[](std::uint64_t, LiveText) {}, [](LiveText) {},
                [&](int lane, LiveText t) {
                  float kinetic = 0;
                  std::memcpy(&kinetic, t->data() + 64, 4);
                  const std::lock_guard lock(mutex);
                  const auto i = static_cast<std::size_t>(lane);
                  least[i] = std::min(least[i], kinetic), most[i] = std::max(most[i], kinetic);
                  ++frames;
                }};
  {
    const Live live(std::move(session), outlet, true);
    EXPECT_TRUE(soon([&] {
      const std::lock_guard lock(mutex);
      return frames > 40;
    }));
  }
  EXPECT_GT(least[0], 100);  // these fall, J
  EXPECT_LT(most[1], 1);     // and these stand
}

// A world whose steps take time: `ms` each, by sleep, whatever the machine.
std::unique_ptr<Session> slow_box(int ms) {
  SessionSettings s;
  s.world.worldbody.plane();
  auto& box = s.world.body("box", {0, 0, 1});
  box.free();
  box.box({0.1, 0.1, 0.1});
  s.build = [](const World& w) { return compile(w); };
  s.before_step = [ms] { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); };
  return std::make_unique<Session>(std::move(s));
}

// A thousand steps of 10 ms are ten seconds: frames come meanwhile, and a pause ends them.
TEST(Live, ManyStepsAreSeenAndCanBeEnded) {
  Heard heard;
  Live live(slow_box(10), heard.outlet());
  live.opened(1);
  live.received(1, R"({"do":"step","n":1000})");
  EXPECT_TRUE(soon([&] { return heard.time() > 0.02; }));
  live.received(1, R"({"do":"pause"})");
  std::this_thread::sleep_for(100ms);
  const auto steps = live.steps();
  EXPECT_LT(steps, 900);
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(live.steps(), steps);
  // and back, by a replay that can be seen too
  live.received(1, R"({"do":"seek","step":3})");
  EXPECT_TRUE(soon([&] { return std::abs(heard.time() - 0.006) < 1e-9; }));
}

TEST(Live, APageHearsOfAStepThatTakesLong) {
  Heard heard;
  Live live(slow_box(2500), heard.outlet());
  live.received(1, R"({"do":"step"})");
  EXPECT_TRUE(soon([&] { return heard.has("\"is\":\"busy\""); }));
  EXPECT_TRUE(heard.has("\"doing\":\"step\""));
  EXPECT_TRUE(soon([&] { return live.steps() == 1; }));
}

TEST(Live, KeepsTheClock) {
  Heard heard;
  Live live(falling_box(), heard.outlet(), true);
  std::this_thread::sleep_for(400ms);
  live.stop();
  // loose: the machine may be busy
  EXPECT_GT(static_cast<double>(live.steps()) * 0.002, 0.1);
  EXPECT_LT(static_cast<double>(live.steps()) * 0.002, 0.45);
}

TEST(Live, JunkIsAnsweredAndFloodsAreDropped) {
  Heard heard;
  Live live(falling_box(), heard.outlet(), true);
  live.opened(1), live.opened(2);
  live.received(1, "\xff\x00 junk");
  EXPECT_TRUE(soon([&] { return heard.has("\"is\":\"error\""); }));
  live.received(2, R"({"do":"contact","lane":0,"value":"magic"})");
  EXPECT_TRUE(soon([&] { return heard.has("magic"); }));
  const auto before = live.steps();
  for (int i = 0; i < 50000; ++i)
    live.received(1,
                  i % 2 ? R"({"do":"push","point":[9,9,9],"radius":0.1})" : R"({"do":"release"})");
  EXPECT_TRUE(soon([&] { return live.steps() > before + 20; }));
}

TEST(Live, TwoClientsSeeWhatEitherAsksFor) {
  Heard heard;
  Live live(falling_box(), heard.outlet(), true);
  live.opened(1), live.opened(2);
  live.received(1, R"({"do":"show"})");
  live.received(2, R"({"do":"show","boxes":true})");
  const auto boxes = [&] {
    const std::lock_guard lock(heard.mutex);
    std::uint32_t n = 0;
    if (heard.frames.count(0)) std::memcpy(&n, heard.frames[0].data() + 48, 4);
    return n;
  };
  EXPECT_TRUE(soon([&] { return boxes() == 1; }));
  live.closed(2);
  EXPECT_TRUE(soon([&] { return boxes() == 0; }));
}

TEST(Live, WhoeverLeavesLetsGo) {
  Heard heard;
  Live live(falling_box(), heard.outlet(), true);
  live.opened(1);
  live.received(1, R"({"do":"grab","body":1,"point":[0,0,0],"target":[0,0,3]})");
  const auto height = [&] {
    const std::lock_guard lock(heard.mutex);
    float z = 0;
    if (heard.frames.count(0))
      std::memcpy(&z, heard.frames[0].data() + 64 + 4 * Frame::count + 8, 4);
    return z;
  };
  EXPECT_TRUE(soon([&] { return height() > 2.5f; }));
  live.closed(1);
  EXPECT_TRUE(soon([&] { return height() < 1.f; }));
}

}  // namespace
}  // namespace abut::view
