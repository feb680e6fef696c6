// The cycle of a haptic loop on a simulated clock: what the hand feels, late ticks, devices that
// fail.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "abut/haptic/loop/snapshot.h"
#include "haptic_scene.h"
#include "support/allocations.h"

namespace abut::test {
namespace {

// H-T5: a posed cube among the paper's blocks of 1 m, at 200 Hz. The wrench is finite, minus the
// wrench on what is pushed, and changes in a cycle by no more than spring and damper say; graphics
// get every tenth cycle.
TEST(HapticCycle, PosedFeelsMinusWhatItTouches) {
  World world = load_world(in_tree("/worlds/four_blocks.xml"));
  BodyDesc& pointer = world.body("pointer", {0, -1, 2.5});
  pointer.mocap = true;
  pointer.box(Vec3::Constant(0.15)).friction[0] = 0.5;
  world.numerics.push_back({"abut.haptic.path", {0, 0, 0, 0, 2, 0, 0.7, 0, 4, 0, 0, 0}, {}});
  world.numerics.push_back({"abut.haptic.limit", {200, 50}, {}});
  // a script that nothing turns aside: a hand of flesh would shake at this stiffness and rate
  world.numerics.push_back(
      {"abut.haptic.impedance", {1000, 60'000, 1'000'000, 100, 6'000, 100'000}, {}});
  HapticScene s(world, "", 200);
  ASSERT_EQ(s.settings.hold, Hold::posed);
  double most = 0, jump = 0, unbalanced = 0, speed = 0;
  Vec3 last = Vec3::Zero();
  int cycles = 0, pictures = 0;
  Snapshot<int> graphics;
  s.run({.time = 4, .after_step = [&](const HapticCycle& c) {
           if (++cycles % 10 == 0) graphics.back() = cycles, graphics.publish();
           if (graphics.refresh()) ++pictures;
           ASSERT_TRUE(c.asked().lin.allFinite() && c.asked().ang.allFinite());
           Vec3 on_others = Vec3::Zero();
           for (const PairForce& p : c.forces().pairs) {
             if (s.model.geoms[size_t(p.geom_a)].body == s.settings.pointer) on_others += p.force;
             if (s.model.geoms[size_t(p.geom_b)].body == s.settings.pointer) on_others -= p.force;
           }
           unbalanced = std::max(unbalanced, (c.asked().lin + on_others).norm());
           most = std::max(most, c.asked().lin.norm());
           jump = std::max(jump, (c.asked().lin - last).norm());
           last = c.asked().lin;
           double moves = 0;  // of any block or of the hand
           for (size_t b = 0; b + 6 <= c.state().v.size(); b += 6)
             moves = std::max(moves,
                              Vec3(c.state().v[b], c.state().v[b + 1], c.state().v[b + 2]).norm());
           speed = std::max(speed, moves + c.hand().twist.lin.norm());
         }});
  EXPECT_EQ(cycles, 800);
  EXPECT_EQ(pictures, 80);
  EXPECT_GT(most, 1) << "it does push";
  EXPECT_LT(unbalanced, 1e-12);
  // the world's gains for a block of 1 kg and something that gives no way: 6168.5 N/m, 62.8 N s/m
  EXPECT_LT(jump, (6168.5 * 0.005 + 62.8) * speed);
  RecordProperty("force_max_mN", static_cast<int>(1000 * most));
  RecordProperty("jump_max_mN", static_cast<int>(1000 * jump));
}

// Through the coupling the hand feels the coupling; contact, coupling and the pointer's own
// momentum balance in every step.
TEST(HapticCycle, CoupledFeelsContactAndMomentum) {
  for (const char* contact : {"volumetric", "fast", "st"}) {
    HapticScene s(haptic_world("virtual_wall", "coupled"), contact, 1000);
    const double m = s.model.bodies[size_t(s.settings.pointer)].mass.mass;
    Vec3 before = Vec3::Zero();
    double worst = 0, most = 0;
    s.run({.time = 3, .after_step = [&](const HapticCycle& c) {
             const Vec3 v = c.pointer().twist.lin;
             const Vec3 change = m * (v - before) / s.settings.cycle();
             before = v;
             worst = std::max(worst, (change - c.contact_wrench().lin + c.asked().lin).norm());
             most = std::max(most, c.asked().lin.norm());
           }});
    EXPECT_GT(most, 2) << contact;
    EXPECT_LT(worst, 1e-9) << contact;
  }
}

// At rest against the wall the coupling, the muscles and the wall carry the same force.
TEST(HapticCycle, WallIsAsStiffAsTheCoupling) {
  for (const char* contact : {"st", "fast", "volumetric"}) {
    HapticScene s(haptic_world("virtual_wall"), contact, 1000);
    s.run({.time = 2});
    const double force = s.cycle.asked().lin.z(), hand = s.cycle.hand().X.p.z(),
                 start = s.model.qpos0[2], goal = start + s.settings.path.at(2).position.z();
    EXPECT_GT(force, 2.9) << contact;
    EXPECT_NEAR(force, s.settings.gains.stiffness * (s.cycle.pointer().X.p.z() - hand),
                0.003 * force)
        << contact;
    EXPECT_NEAR(force, s.settings.impedance.stiffness * (hand - goal), 0.003 * force) << contact;
    EXPECT_NEAR(force, s.cycle.contact_wrench().lin.z(), 0.003 * force) << contact;
    // impulses let the pointer no deeper: the hand feels the coupling's stiffness alone
    if (std::string(contact) != "volumetric") {
      EXPECT_NEAR(s.cycle.pointer().X.p.z(), 0.01, 1e-6) << contact;
    }
    EXPECT_LT(s.cycle.energy_out(), 1e-4) << contact;
  }
}

TEST(HapticCycle, TheSameHandTwiceIsTheSameBits) {
  const auto hash = [] {
    HapticScene s(haptic_world("four_blocks"), "volumetric", 1000);
    s.run({.time = 1.5, .late = [](std::int64_t tick) { return tick % 100 == 99; }, .late_for = 4});
    return s.cycle.state().hash();
  };
  EXPECT_EQ(hash(), hash());
}

// What was told of a run is enough to do it again, late ticks included.
TEST(HapticCycle, EventsAreEnoughForAReplay) {
  std::vector<TickEvent> events;
  HapticScene s(haptic_world("four_blocks"), "fast", 1000);
  s.run({.time = 1.2,
         .late = [](std::int64_t tick) { return tick % 77 == 5; },
         .late_for = 6,
         .on_event = [&](const TickEvent& e) { events.push_back(e); }});
  HapticScene again(haptic_world("four_blocks"), "fast", 1000);
  again.cycle.warm_up(3);  // buffers are no part of what happens
  int written = 0;
  for (const TickEvent& e : events) {
    const HandWrench w = replay(e, again.cycle);
    if (e.kind != TickEvent::Kind::step && e.kind != TickEvent::Kind::late) continue;
    ++written;
    ASSERT_EQ(w.force, e.wrench.force);
    ASSERT_EQ(w.torque, e.wrench.torque);
  }
  EXPECT_GT(written, 1100);
  EXPECT_EQ(again.cycle.state().hash(), s.cycle.state().hash());
}

// The largest change of the force from tick to tick is about that of the run without late ticks.
TEST(HapticCycle, LateStepsMakeNoForceJump) {
  for (const char* hold : {"coupled", "posed"}) {
    const auto jump = [&](int late_for) {
      HapticScene s(haptic_world("four_blocks", hold), "volumetric", 1000);
      Vec3 last = Vec3::Zero();
      double most = 0;
      s.run({.time = 2,
             .late = [&](std::int64_t tick) { return late_for > 0 && tick % 50 == 49; },
             .late_for = late_for,
             .on_event =
                 [&](const TickEvent& e) {
                   if (e.kind != TickEvent::Kind::step && e.kind != TickEvent::Kind::late) return;
                   most = std::max(most, (e.wrench.force - last).norm());
                   last = e.wrench.force;
                 }});
      return most;
    };
    const double without = jump(0);
    EXPECT_GT(without, 0) << hold;
    EXPECT_LT(jump(1), 2 * without + 0.02) << hold;
    EXPECT_LT(jump(5), 3 * without + 0.05) << hold;
    EXPECT_LT(jump(20), 3 * without + 0.1) << hold;
  }
}

TEST(HapticCycle, AllocatesNothing) {
  for (const char* contact : {"volumetric", "fast", "st"}) {
    World world = haptic_world("four_blocks");
    for (NumericDesc& n : world.numerics)
      if (n.name == "abut.haptic.path") n.data = {0, 0, 0, 0, 0.4, 0, 0.012, 0, 0.8, 0, 0, 0};
    HapticScene s(world, contact, 1000);
    long before = 0, after = 0;
    int cycles = 0;
    // once the pile has been pushed, every buffer has its size
    s.run({.time = 2.4, .after_step = [&](const HapticCycle&) {
             ++cycles;
             if (cycles == 1600) before = allocation_count();
             after = allocation_count();
           }});
    EXPECT_EQ(after - before, 0) << contact;
  }
}

// --- Devices that fail.

struct Felt {
  double most = 0, jump = 0, end = 0;
};
// From `from` on: that a wall is met is a jump of its own.
Felt feel(HapticScene& s, double time, double from = 0) {
  Felt felt;
  double last = 0;
  s.run({.time = time, .on_event = [&](const TickEvent& e) {
           const double f = e.wrench.force.norm();
           EXPECT_TRUE(e.wrench.force.allFinite() && e.wrench.torque.allFinite());
           felt.most = std::max(felt.most, f);
           if (static_cast<double>(e.tick) * s.settings.cycle() > from)
             felt.jump = std::max(felt.jump, std::abs(f - last));
           felt.end = last = f;
         }});
  return felt;
}

TEST(HapticDevice, JunkIsNotFelt) {
  HapticScene clean(haptic_world("virtual_wall"), "st", 1000);
  const Felt without = feel(clean, 3);
  HapticScene s(haptic_world("virtual_wall"), "st", 1000);
  int n = 0;
  s.device.disturb = [&](double, HandSample& hand) {
    switch (++n % 20) {
      case 3:
        hand.pose.p.x() = std::numeric_limits<double>::quiet_NaN();
        break;
      case 7:
        hand.pose.q.coeffs().setZero();
        break;
      case 11:
        hand.pose.p.z() += 3;
        break;
      case 15:
        hand.linear_velocity.setConstant(1e300);
        break;
    }
    return true;
  };
  const Felt felt = feel(s, 3);
  EXPECT_GT(s.cycle.refused(), 500);
  EXPECT_NEAR(felt.most, without.most, 0.05 * without.most);
  EXPECT_LT(felt.jump, 3 * without.jump);
  EXPECT_EQ(s.cycle.guard().silences(), 0);
}

TEST(HapticDevice, OneThatDiesIsLetGoGently) {
  HapticScene s(haptic_world("virtual_wall"), "st", 1000);
  s.device.disturb = [](double time, HandSample&) { return time < 1.5; };
  const Felt felt = feel(s, 2.5, 1.4);
  EXPECT_GT(felt.most, 2);
  EXPECT_EQ(felt.end, 0);
  // two ramps of 50 ms, of the gate and of the coupling
  EXPECT_LT(felt.jump, 2.5 * 0.001 / Guard::kClosing * felt.most);
  EXPECT_EQ(s.cycle.guard().silences(), 1);
  EXPECT_LT(s.cycle.pointer().twist.lin.norm(), 0.05) << "the pointer is not thrown away";
}

TEST(HapticDevice, SilenceAndBackIsNoJump) {
  HapticScene s(haptic_world("virtual_wall"), "st", 1000);
  // it comes back elsewhere
  s.device.disturb = [](double time, HandSample& hand) {
    if (time > 1.6) hand.pose.p.x() += 0.2;
    return time < 1.5 || time > 1.6;
  };
  const Felt felt = feel(s, 3.5, 1.4);
  // two ramps of 50 ms, of the gate and of the coupling
  EXPECT_LT(felt.jump, 2.5 * 0.001 / Guard::kClosing * felt.most);
  EXPECT_LT(std::abs(s.cycle.pointer().X.p.x()), 0.01) << "caught where it was";
}

TEST(HapticDevice, ForceBeyondTheLimitIsLetGo) {
  HapticScene s(wall_world(R"(<numeric name="abut.haptic.stiffness" data="4000"/>
      <numeric name="abut.haptic.limit" data="5 1"/>
      <numeric name="abut.haptic.path" data="0 0 0 0  1 0 0 -0.03"/>)"),
                "st", 1000);
  // the coupling keeps below the limit by itself: 5 N
  const Felt felt = feel(s, 1.5);
  EXPECT_LE(felt.most, 5 + 1e-9);
  EXPECT_EQ(s.cycle.guard().trips(), 0);

  // posed, contact forces have no limit but the fail-safe's
  World world = haptic_world("four_blocks", "posed");
  for (NumericDesc& n : world.numerics)
    if (n.name == "abut.haptic.path") n.data = {0, 0, 0, 0, 1, 0, 0.04, 0.05, 2, 0, 0.04, -0.1};
  world.numerics.push_back({"abut.haptic.limit", {5, 1}, {}});
  HapticScene posed(world, "volumetric", 1000);
  const Felt pressed = feel(posed, 2.2);
  EXPECT_LE(pressed.most, 5 + 1e-9);
  EXPECT_GE(posed.cycle.guard().trips(), 1);
}

TEST(HapticDevice, ClutchMovesTheHandAlone) {
  HapticScene s(wall_world(), "st", 1000);
  s.device.disturb = [](double time, HandSample& hand) {
    hand.pose.p.x() = 0.1 * std::min(time, 1.0);
    hand.linear_velocity = time < 1 ? Vec3(0.1, 0, 0) : Vec3::Zero();
    hand.buttons = time > 0.2 && time < 0.7 ? kClutchButton : 0;
    return true;
  };
  s.run({.time = 1.5});
  EXPECT_NEAR(s.cycle.hand().X.p.x(), 0.05, 2e-4);
  EXPECT_NEAR(s.cycle.pointer().X.p.x(), 0.05, 1e-3);
}

// --- What cannot be.

TEST(HapticSettings, SayWhatIsWrong) {
  const auto why = [](const World& world, double rate = 1000) -> std::string {
    Model model = compile(world);
    model.option.timestep = 0.001;
    try {
      haptic_settings(model, rate);
    } catch (const WorldError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(why(wall_world()), "");
  EXPECT_NE(why(wall_world(), 300).find("whole number of steps"), std::string::npos);
  EXPECT_EQ(why(wall_world(), 250), "");
  EXPECT_NE(why(wall_world(), 0).find("Hz"), std::string::npos);
  const auto with = [&](const char* text) { return why(wall_world(text)); };
  EXPECT_NE(
      with(R"(<text name="abut.haptic.pointer" data="pointr"/>)").find("did you mean 'pointer'"),
      std::string::npos);
  EXPECT_NE(with(R"(<numeric name="abut.haptic.stiffness" data="-1"/>)").find("positive"),
            std::string::npos);
  EXPECT_NE(with(R"(<numeric name="abut.haptic.limit" data="1 2 3"/>)").find("3 numbers"),
            std::string::npos);
  EXPECT_NE(with(R"(<numeric name="abut.haptic.path" data="0 0 0"/>)").find("rows of four"),
            std::string::npos);
  EXPECT_NE(with(R"(<numeric name="abut.haptic.axes" data="0 0 0 0"/>)").find("unit quaternion"),
            std::string::npos);
  World fixed;
  fixed.body("pointer").sphere(0.1);
  EXPECT_NE(why(fixed).find("freejoint"), std::string::npos);
  EXPECT_NE(why(World()).find("no pointer"), std::string::npos);
}

// --- In real time: short, and judged by nothing that depends on the machine's speed.

TEST(HapticLoop, RunsInRealTimeAndEndsGently) {
  HapticScene s(haptic_world("virtual_wall"), "st", 500);
  std::vector<TickEvent> events;
  events.reserve(10'000);
  HapticLoop loop(s.cycle, s.device,
                  {.time = 0.4, .on_event = [&](const TickEvent& e) { events.push_back(e); }});
  loop.run();
  const LoopReport& r = loop.report();
  EXPECT_GE(r.cycles, 150);
  EXPECT_LE(r.cycles, 201);
  EXPECT_EQ(r.compute.count(), s.cycle.steps());
  EXPECT_EQ(s.device.felt().force, Vec3::Zero());
  // what happened can be done again, whatever was late
  HapticScene again(haptic_world("virtual_wall"), "st", 500);
  for (const TickEvent& e : events) replay(e, again.cycle);
  EXPECT_EQ(again.cycle.state().hash(), s.cycle.state().hash());
}

// A device that blocks a tick now and then makes steps late: the stand-by answers, nothing breaks.
TEST(HapticLoop, StandByAnswersWhatIsLate) {
  class SlowDevice final : public Device {
   public:
    DeviceInfo info() const override { return {.name = "slow"}; }
    bool read(HandSample& sample) override {
      sample = {};
      sample.pose.p.z() = -0.01;
      return true;
    }
    void write(const HandWrench& wrench) override { finite = finite && wrench.force.allFinite(); }
    bool finite = true;
  } device;
  HapticScene s(haptic_world("virtual_wall"), "st", 500);
  int n = 0;
  LoopSettings settings;
  settings.time = 0.3;
  std::int64_t late = 0;
  settings.on_event = [&](const TickEvent& e) { late += e.kind == TickEvent::Kind::late; };
  s.cycle.simulator().on_contact([&](auto&) {
    timespec t{0, 20'000'000};
    if (++n % 20 == 0) nanosleep(&t, nullptr);
  });
  HapticLoop loop(s.cycle, device, settings);
  loop.run();
  EXPECT_TRUE(device.finite);
  EXPECT_EQ(loop.report().stand_by, late);
  EXPECT_GE(loop.report().cycles, s.cycle.steps());
}

}  // namespace
}  // namespace abut::test
