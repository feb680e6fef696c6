// The contact model fast: the impulses of sweeps are those of the exact solver, kernels of all
// instruction sets and all numbers of threads give the same bits, overlap goes without energy, and
// what a step starts from is in State.
#include "abut/contact/fast/fast_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "abut/constrain/rows/step_contacts.h"
#include "abut/math/index.h"
#include "abut/math/random.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

// Boxes of half a metre at these heights, turned a little about the vertical.
std::string boxes(const std::vector<Vec3>& at, const std::string& more = "") {
  std::string bodies;
  for (std::size_t i = 0; i < at.size(); ++i)
    bodies += fmt::format(
        "<body pos='{} {} {}' euler='0 0 {}'><freejoint/><geom type='box' size='.25 .25 "
        ".25'/></body>",
        at[i].x(), at[i].y(), at[i].z(), 7.0 * static_cast<double>(i));
  return "<mujoco><option timestep='0.004'/><default><geom friction='.6' density='1000'/></default>"
         "<worldbody><geom type='plane' size='0 0 1'/>" +
         more + bodies + "</worldbody></mujoco>";
}

std::vector<Vec3> columns(int across, int high) {
  std::vector<Vec3> at;
  for (int z = 0; z < high; ++z)
    for (int x = 0; x < across; ++x)
      for (int y = 0; y < across; ++y)
        at.push_back({0.8 * x, 0.8 * y + 0.03 * z, 0.25 + 0.501 * z});
  return at;
}

// Swept whatever the number of bodies.
ContactSettings swept(int sweeps = 30, const std::string& accuracy = "1e-6") {
  ContactSettings s = test::settings("fast");
  s.own_words["fast.bodies"] = "1";
  s.own_words["fast.sweeps"] = std::to_string(sweeps);
  s.own_words["fast.accuracy"] = accuracy;
  return s;
}

const FastModel& model_of(const Scene& s) { return *s.simulator.contact().as<FastModel>(); }

// m/s: of a body's point after the step; the bodies are boxes with their centre at the origin.
Vec3 velocity_at(const Scene& s, int geom, const Vec3& p, const std::vector<Quat>& turned,
                 const std::vector<Vec3>& centre) {
  const int body = s.model.geoms[at(geom)].body - 1;
  if (body < 0) return Vec3::Zero();
  const double* v = &s.state.v[at(6 * body)];
  return Vec3(v[0], v[1], v[2]) +
         (turned[at(body)] * Vec3(v[3], v[4], v[5])).cross(p - centre[at(body)]);
}

// Boxes slide, stick and turn on each other. Pressure under a face of four points, and with it the
// friction of one that turns, is not unique; so the law itself is the referee.
TEST(Fast, ImpulsesObeyCoulombsLawAndMoveTheBodies) {
  Scene s(boxes({{0, 0, 0.25}, {0.1, 0.05, 0.75}, {-0.1, 0, 1.25}}), swept(100000, "1e-13"));
  s.step();             // the first is solved by st
  s.state.v[0] = 1.5;   // the lowest slides
  s.state.v[13] = 0.4;  // the highest is pushed across
  const std::vector<double> before = s.state.v;
  std::vector<Vec3> centre;
  for (int b = 0; b < 3; ++b) centre.push_back(s.position(b));
  s.step();
  ASSERT_EQ(model_of(s).wide().bodies, 3);
  EXPECT_LT(model_of(s).wide().change, 1e-12);
  std::vector<Quat> turned;  // v has angular velocities in the axes of the new poses
  for (int b = 0; b < 3; ++b) {
    const double* q = &s.state.q[at(7 * b)];
    turned.emplace_back(q[3], q[4], q[5], q[6]);
  }
  const ContactForces f = s.simulator.contact_forces();
  const double h = s.model.option.timestep, mu = 0.6, weight = 125 * 9.81;
  std::vector<Vec3> sum(3, Vec3::Zero());
  int sliding = 0;
  for (const PairForce& pair : f.pairs)
    for (int i = pair.begin; i < pair.end; ++i) {
      const PointForce& at_point = f.points[at(i)];
      const Vec3 w = velocity_at(s, pair.geom_b, at_point.position, turned, centre) -
                     velocity_at(s, pair.geom_a, at_point.position, turned, centre);
      const double n = at_point.normal, w_n = w.dot(pair.normal);
      const Vec3 p_t = at_point.force - n * pair.normal, w_t = w - w_n * pair.normal;
      EXPECT_GE(n, 0);
      EXPECT_GE(w_n, -1e-9);
      EXPECT_LT(n * w_n, 1e-9 * weight);
      EXPECT_LE(p_t.norm(), mu * n + 1e-9 * weight);
      if (w_t.norm() > 1e-6 && n > 0) {
        ++sliding;
        EXPECT_LT((p_t + mu * n * w_t.normalized()).norm(), 1e-5 * weight);
      }
      for (const auto& [geom, sign] : {std::pair{pair.geom_a, -1}, {pair.geom_b, 1}})
        if (const int body = s.model.geoms[at(geom)].body - 1; body >= 0)
          sum[at(body)] += sign * at_point.force;
    }
  EXPECT_GT(sliding, 3);
  for (int b = 0; b < 3; ++b) {
    const double* v = &before[at(6 * b)];
    const Vec3 free = Vec3(v[0], v[1], v[2]) + h * Vec3(0, 0, -9.81);
    EXPECT_LT((s.velocity(b) - free - h / 125 * sum[at(b)]).norm(), 1e-12) << b;
  }
}

TEST(Fast, SmallScenesAreThoseOfSt) {
  const std::string world = boxes({{0, 0, 0.25}, {0.1, 0.05, 0.76}, {-0.1, 0, 1.27}});
  Scene fast(world, test::settings("fast")), st(world, test::settings("st"));
  for (Scene* s : {&fast, &st}) s->run(1);
  EXPECT_GT(model_of(fast).wide().bodies, 0);  // at rest: one check
  EXPECT_LE(model_of(fast).wide().sweeps, 2);
  for (std::size_t i = 0; i < fast.state.q.size(); ++i)
    EXPECT_NEAR(fast.state.q[i], st.state.q[i], 1e-8) << i;
  EXPECT_LT(kinetic(fast), 1e-12);
}

TEST(Fast, ManyBoxesComeToRest) {
  Scene s(boxes(columns(4, 4)), test::settings("fast"));
  s.run(3);
  EXPECT_EQ(model_of(s).wide().bodies, 64);
  EXPECT_LT(kinetic(s), 1e-6 * 64 * 125);
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  for (int i = 0; i < 64; ++i) {
    EXPECT_NEAR(s.position(i).z(), 0.25 + 0.5 * (i / 16), 1e-4) << i;
  }
}

// 10 mm in each contact: 37 J of weight lifted, where overlap over h would give 2.5 m/s (1,600 J).
// What is left are small gaps, through which the boxes fall.
TEST(Fast, OverlapGoesWithoutEnergy) {
  Scene s(boxes({{0, 0, 0.24}, {0, 0.02, 0.73}}), swept(1000, "1e-10"));
  for (int i = 0; i < 100; ++i) {
    s.step();
    EXPECT_LT(kinetic(s), 0.01) << "step " << i;
  }
  EXPECT_LT(kinetic(s), 1e-9);
  EXPECT_NEAR(s.position(0).z(), 0.25, 1e-5);
  EXPECT_NEAR(s.position(1).z(), 0.75, 2e-5);
}

// What is not in State is a cache: a new simulator every step, and any number of threads, lead to
// the same bits.
TEST(Fast, StateHoldsAllThatDecidesTheFuture) {
  const std::string world = boxes(columns(5, 3));
  Scene one(world, test::settings("fast")), two(world, test::settings("fast")),
      cold(world, test::settings("fast"));
  two.simulator.set_threads(2);
  for (int i = 0; i < 150; ++i) {
    one.step();
    two.step();
    Simulator anew(cold.model, test::settings("fast"));
    anew.step(cold.state, cold.input);
    ASSERT_EQ(one.state.hash(), two.state.hash()) << "threads, step " << i;
    ASSERT_EQ(one.state.hash(), cold.state.hash()) << "cold, step " << i;
  }
  EXPECT_EQ(model_of(one).wide().bodies, 75);
}

// 55 boxes in one island: st solves the first step, from impulses of zero.
TEST(Fast, APyramidStands) {
  std::vector<Vec3> at;
  for (int row = 0; row < 10; ++row)
    for (int i = 0; i < 10 - row; ++i) at.push_back({0.52 * (i + 0.5 * row), 0, 0.25 + 0.5 * row});
  std::string world = boxes(at);
  for (std::size_t e; (e = world.find("euler='0 0 ")) != std::string::npos;)
    world.erase(e, world.find('\'', e + 7) + 1 - e);
  Scene s(world, test::settings("fast"));
  s.run(2);
  EXPECT_EQ(model_of(s).wide().bodies, 55);
  for (int i = 0; i < 55; ++i) EXPECT_LT((s.position(i) - at[abut::at(i)]).norm(), 1e-5) << i;
  EXPECT_LT(kinetic(s), 1e-9);
}

// Each box is turned in another way, so that they fall into a heap, which is one island.
TEST(Fast, AMessyHeapComesToRest) {
  std::string bodies;
  SplitMix random(3);
  for (int i = 0; i < 60; ++i) {
    const Vec3 turn = random.direction();
    bodies += fmt::format(
        "<body pos='{} {} {}' axisangle='{} {} {} {}'><freejoint/><geom type='box' size='.25 .25 "
        ".25'/></body>",
        0.9 * (i % 2), 0.9 * (i / 2 % 2), 0.5 + 0.9 * (i / 4), turn.x(), turn.y(), turn.z(),
        random.uniform(0, 180));
  }
  const std::string walls =
      "<geom type='box' size='.1 2 9' pos='-.6 .45 9'/><geom type='box' size='.1 2 9' pos='1.5 .45 "
      "9'/><geom type='box' size='2 .1 9' pos='.45 -.6 9'/><geom type='box' size='2 .1 9' pos='.45 "
      "1.5 9'/>";
  Scene s(boxes({}, walls + bodies), swept(20, "1e-5"));
  s.run(6);
  double overlap = 0;
  for (int i = 0; i < 200; ++i) {
    s.step();
    for (const double psi : s.simulator.contact().data().points.psi)
      overlap = std::max(overlap, -psi);
  }
  EXPECT_LT(overlap, 1e-4);
  EXPECT_LT(kinetic(s), 1e-6);
}

TEST(Fast, ABodyMayTouchMoreOthersThanThereAreColours) {
  // a slab on 81 small boxes
  std::vector<Vec3> feet;
  for (int i = 0; i < 81; ++i) feet.push_back({0.7 * (i % 9), 0.7 * (i / 9), 0.25});
  Scene s(boxes(feet, "<body pos='2.8 2.8 .6'><freejoint/><geom type='box' size='4 4 .1'/></body>"),
          swept(2000, "1e-8"));
  s.run(0.1);
  EXPECT_EQ(model_of(s).wide().bodies, 82);
  EXPECT_LT(kinetic(s), 1e-6);
}

TEST(Fast, KeepsMomentumOfBodiesThatTouchOnlyEachOther) {
  std::string world = boxes(columns(1, 3));
  world.replace(world.find("<geom type='plane' size='0 0 1'/>"), 33, "");
  world.replace(world.find("<option timestep='0.004'/>"), 26,
                "<option timestep='0.004' gravity='0 0 0'/>");
  Scene s(world, swept());
  s.state.v[2] = 1;
  s.state.v[14] = -1.5;
  s.state.v[15] = 0.3;
  for (int i = 0; i < 50; ++i) s.step();
  Vec3 sum = Vec3::Zero();
  for (int b = 0; b < 3; ++b) sum += s.velocity(b);
  EXPECT_GT(std::abs(s.velocity(1).z()), 0.1);  // they have met
  EXPECT_LT((sum - Vec3(0, 0, -0.5)).norm(), 1e-12);
}

TEST(Fast, JointsBesidePilesAreSolvedExactly) {
  Scene s(boxes(columns(4, 4),
                "<body pos='9 0 2'><joint type='hinge' axis='0 1 0'/><geom type='box' "
                "size='1 .1 .1' pos='1 0 0' friction='0'/></body>"),
          test::settings("fast"));
  s.run(1.5);
  EXPECT_EQ(model_of(s).wide().bodies, 64);
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  // the bar hangs, or has fallen onto the ground
  EXPECT_GT(s.simulator.contact_forces().pairs.size(), 64u - 1);
}

// --- kernels

std::vector<LaneMotion> random_motions(SplitMix& random, int count) {
  std::vector<LaneMotion> u(at(count) + 1, LaneMotion{});
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      u[at(i)].lin[k] = random.uniform(-1, 1);
      u[at(i)].ang[k] = random.uniform(-1, 1);
    }
  return u;
}

TEST(Fast, KernelsOfAllInstructionSetsGiveTheSameBits) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  SplitMix random(5);
  const int bodies = 8, blocks = 40;
  std::vector<LaneMass> masses(bodies + 1, LaneMass{});
  for (int i = 0; i < bodies; ++i)
    masses[at(i)] = {
        random.uniform(0.1, 2), random.uniform(3, 5),  random.uniform(3, 5),  random.uniform(3, 5),
        random.uniform(-1, 1),  random.uniform(-1, 1), random.uniform(-1, 1), 0};
  std::vector<LanePair> pairs(blocks, LanePair{});
  std::vector<LanePoint> points(3 * blocks, LanePoint{});
  for (int b = 0; b < blocks; ++b) {
    pairs[at(b)].begin = 3 * b;
    pairs[at(b)].end = 3 * b + 3;
    for (int k = 0; k < kLanes; ++k) {
      pairs[at(b)].body_a[k] = k;
      pairs[at(b)].body_b[k] = b % 3 == 0 ? bodies : 4 + (k + b) % 4;
      const Mat3 frame = contact_frame(random.direction());
      for (int i = 0; i < 3; ++i)
        for (int x = 0; x < 3; ++x) pairs[at(b)].axis[i][x][k] = frame(x, i);
      pairs[at(b)].friction[k] = random.uniform(0, 1);
      for (int i = 3 * b; i < 3 * b + (k == 1 ? 2 : 3); ++i) {
        LanePoint& p = points[at(i)];
        p.D[0][k] = 1;
        for (int x = 0; x < 3; ++x) {
          p.arm_a[x][k] = random.uniform(-1, 1);
          p.arm_b[x][k] = random.uniform(-1, 1);
          p.b[x][k] = random.uniform(-0.1, 0.1);
          p.p[x][k] = x == 0 ? random.uniform(0, 1) : random.uniform(-0.1, 0.1);
        }
        p.gap[k] = random.uniform(-0.01, 0.01);
      }
    }
  }
  std::vector<std::int32_t> stirred(bodies, 0);
  const auto run = [&](const LaneKernels& kernels) {
    std::fill(stirred.begin(), stirred.end(), 0);
    SplitMix same(9);
    std::vector<LanePair> pair = pairs;
    std::vector<LanePoint> point = points;
    std::vector<LaneMotion> u = random_motions(same, bodies), s(bodies + 1, LaneMotion{});
    LanePair *first = pair.data(), *last = first + blocks;
    kernels.prepare(first, last, point.data(), masses.data());
    kernels.push(first, last, point.data(), masses.data(), u.data(), bodies);
    for (int i = 0; i < 5; ++i)
      kernels.sweep(first, last, point.data(), masses.data(), u.data(), bodies,
                    {stirred.data(), i + 1});
    const double overlap = kernels.advance_gaps(first, last, point.data(), 0.01, u.data());
    std::fill(stirred.begin(), stirred.end(), 0);
    for (int i = 0; i < 3; ++i)
      kernels.lift(first, last, point.data(), masses.data(), s.data(), bodies,
                   {stirred.data(), i + 1});
    std::vector<unsigned char> bytes(sizeof(double) + point.size() * sizeof(LanePoint) +
                                     2 * u.size() * sizeof(LaneMotion));
    unsigned char* to = bytes.data();
    std::memcpy(to, &overlap, sizeof overlap);
    std::memcpy(to += sizeof overlap, point.data(), point.size() * sizeof(LanePoint));
    std::memcpy(to += point.size() * sizeof(LanePoint), u.data(), u.size() * sizeof(LaneMotion));
    std::memcpy(to += u.size() * sizeof(LaneMotion), s.data(), s.size() * sizeof(LaneMotion));
    return bytes;
  };
  EXPECT_EQ(run(lane_kernels_sse2()), run(lane_kernels_avx2()));
}

}  // namespace
}  // namespace abut
