// What the page is sent: scenes that parse, frames that say what the simulation found, films that
// stay small, and pages that hold them.
#include "abut/view/scene/film.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "abut/load/load.h"
#include "abut/simulate/record/record.h"
#include "abut/simulate/simulator.h"
#include "abut/view/page/report.h"
#include "abut/view/page/viewer_page.h"
#include "abut/view/scene/bytes.h"
#include "abut/view/scene/scene.h"
#include "support/tree.h"

namespace abut::view {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

// Numbers of a frame as the page reads them.
struct Read {
  const std::string& bytes;
  std::uint32_t word(std::size_t i) const {
    std::uint32_t x;
    std::memcpy(&x, bytes.data() + 4 * i, 4);
    return x;
  }
  double real(std::size_t i) const {
    float x;
    std::memcpy(&x, bytes.data() + 4 * i, 4);
    return static_cast<double>(x);
  }
  double time() const {
    double x;
    std::memcpy(&x, bytes.data() + 8, 8);
    return x;
  }
};

// A box of 2 kg on a plane, a millimetre in it.
World box_on_plane() {
  World w;
  w.name = "box";
  w.worldbody.plane().name = "floor";
  auto& box = w.body("box", {0.5, 0, 0.099});
  box.free();
  auto& geom = box.box({0.1, 0.1, 0.1});
  geom.mass = 2;
  geom.friction[0] = 0.5;
  return w;
}

TEST(Bytes, Base64IsThatOfTheStandard) {
  // the examples of RFC 4648
  const char* expected[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
  for (std::size_t n = 0; n <= 6; ++n)
    EXPECT_EQ(base64(std::string("foobar").substr(0, n)), expected[n]);
}

TEST(Scene, SaysWhatThereIs) {
  World w = box_on_plane();
  auto& driven = w.body("tray", {1, 2, 3});
  driven.mocap = true;
  driven.body("cup", {0, 0, 0.1}).sphere(0.02);
  w.body("post", {4, 0, 0}).sphere(0.1);
  const Model model = compile(w);
  EXPECT_EQ(moving_bodies(model), (std::vector<int>{1, 2, 3}));
  const Film film(model, State(model), Input(model));
  const auto scene = nlohmann::json::parse(film.scene());
  EXPECT_EQ(scene["name"], "box");
  ASSERT_EQ(scene["bodies"].size(), 5u);
  EXPECT_EQ(scene["bodies"][3]["name"], "cup");
  EXPECT_NEAR(scene["bodies"][3]["pos"][2].get<double>(), 3.1, 1e-12);
  EXPECT_TRUE(scene["bodies"][1]["link"]);
  EXPECT_FALSE(scene["bodies"][2]["link"]);
  EXPECT_EQ(scene["geoms"][0]["kind"], "plane");
}

// 32 bits have a micrometre 10 m from the origin, and 6 cm at 1000 km.
TEST(Scene, PositionsAreKeptFarFromTheOrigin) {
  World w;
  auto& box = w.body("box", {1e6, 0, 0});
  box.free();
  box.box({0.1, 0.1, 0.1});
  const Model model = compile(w);
  State state(model);
  state.q[0] += 0.001;
  Film film(model, State(model), Input(model));
  film.observe(state, Input(model), nullptr, nullptr);
  const Read frame{film.frames()[0]};
  const double origin = nlohmann::json::parse(film.scene())["origin"][0];
  EXPECT_NEAR(origin + frame.real(16 + Frame::count), 1e6 + 0.001, 1e-6);
}

TEST(Frame, HasTheForcesOfTheStep) {
  const Model model = compile(box_on_plane());
  State state(model);
  const Input input(model);
  Simulator simulator(model);
  for (int i = 0; i < 50; ++i) simulator.step(state, input);
  const ContactForces forces = simulator.contact_forces();
  Looker looker(model, Vec3::Zero());
  Frame frame;
  looker.look(state, input, &forces, {}, frame);
  ASSERT_EQ(frame.pairs.size(), 1u);
  EXPECT_NEAR(frame.pairs[0].force.z(), 2 * 9.81, 1e-6);
  EXPECT_EQ(frame.pairs[0].friction, 1);  // the larger of the floor's and the box's
  EXPECT_EQ(frame.pairs[0].phase, Phase::impact);
  EXPECT_EQ(frame.points.size(), 4u);
  looker.look(state, input, &forces, {}, frame);
  EXPECT_EQ(frame.pairs[0].phase, Phase::sticking);
  EXPECT_NEAR(frame.numbers[Frame::contact_force], 2 * 9.81, 1e-6);

  // slides where friction cannot hold
  Model slippery = model;
  slippery.option.gravity = {9.81 * 2, 0, -9.81};
  Simulator other(slippery);
  for (int i = 0; i < 50; ++i) other.step(state, input);
  const ContactForces dragged = other.contact_forces();
  looker.look(state, input, &dragged, {}, frame);
  EXPECT_EQ(frame.pairs[0].phase, Phase::sliding);
}

TEST(Frame, ShowsFeaturesVolumesAndBoxes) {
  const Model model = compile(box_on_plane());
  const State state(model);
  const Input input(model);
  Looker looker(model, Vec3::Zero());
  Frame frame;
  looker.look(state, input, nullptr, {.features = true, .volumes = true, .boxes = true}, frame);
  // the lower face of the box; the plane has no loop
  ASSERT_EQ(frame.features.size(), 1u);
  EXPECT_EQ(frame.features[0].points.size(), 4u);
  for (const Vec3& p : frame.features[0].points) EXPECT_NEAR(p.z(), -0.001, 1e-12);
  double six_volumes = 0;
  for (std::size_t i = 0; i < frame.volumes.size(); i += 3)
    six_volumes += frame.volumes[i].dot(frame.volumes[i + 1].cross(frame.volumes[i + 2]));
  EXPECT_NEAR(six_volumes / 6, 0.2 * 0.2 * 0.001, 1e-12);
  ASSERT_EQ(frame.boxes.size(), 1u);
  EXPECT_NEAR(frame.boxes[0][1].x(), 0.6, 1e-12);
}

TEST(Frame, ShowsWhereJointsHaveComeApart) {
  const Model model = load_model(fs::path(test::in_tree()) / "worlds" / "four_bar.xml");
  State state(model);
  state.q[0] += 0.1;
  Looker looker(model, Vec3::Zero());
  Frame frame;
  looker.look(state, Input(model), nullptr, {.joints = true}, frame);
  ASSERT_FALSE(frame.joints.empty());
  EXPECT_GT(frame.joints[0].error, 1e-3);
  EXPECT_NEAR((frame.joints[0].a - frame.joints[0].b).norm(), frame.joints[0].error,
              frame.joints[0].error);
}

// Bytes are where docs/viewer.md says.
TEST(Frame, BytesAreAsDescribed) {
  Frame f;
  f.time = 1.5, f.step = 7, f.generation = 2, f.paused = true;
  f.numbers[Frame::potential] = 3;
  f.poses.push_back({Vec3(1, 2, 3), Quat::Identity()});
  f.pairs.push_back({4, 5, Vec3::UnitZ(), Vec3(1, 0, 0), Vec3(0, 0, 9), 0.25, Phase::sliding, 1});
  f.points.push_back({Vec3(1, 1, 1), Vec3(0, 0, 9)});
  f.features.push_back({1, {Vec3::Zero(), Vec3::Ones()}});
  f.volumes.assign(3, Vec3::Ones());
  f.boxes.push_back({Vec3::Zero(), Vec3::Ones()});
  f.joints.push_back({Vec3::Zero(), Vec3::Ones(), 0.5});
  const std::string bytes = encoded(f, 3);
  const Read r{bytes};
  EXPECT_EQ(bytes.substr(0, 4), "ABF1");
  EXPECT_EQ(r.word(1), 3u);
  EXPECT_EQ(r.time(), 1.5);
  EXPECT_EQ(r.word(4), 7u);
  EXPECT_EQ(r.word(5), 2u);
  EXPECT_EQ(r.word(6), 1u);
  const std::uint32_t counts[] = {1, 1, 1, 8, 1, 1, 1, Frame::count};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(r.word(7 + i), counts[i]) << i;
  std::size_t at = 16;
  EXPECT_EQ(r.real(at + Frame::potential), 3);
  at += Frame::count;
  EXPECT_EQ(r.real(at + 2), 3);
  EXPECT_EQ(r.real(at + 6), 1);  // w of the quaternion
  at += 7;
  EXPECT_EQ(r.word(at + 1), 5u);
  EXPECT_EQ(r.word(at + 2), 3u);
  EXPECT_EQ(r.real(at + 12), 9);
  EXPECT_EQ(r.real(at + 13), 0.25);
  at += 14 + 6;
  EXPECT_EQ(r.word(at), 1u);
  EXPECT_EQ(r.word(at + 1), 2u);
  at += 8 + 9 + 6;
  EXPECT_EQ(r.real(at + 6), 0.5);
  EXPECT_EQ(bytes.size(), 4 * (at + 7));
}

Film filmed(const Model& model, double time, const FilmSettings& settings) {
  State state(model);
  const Input input(model);
  Simulator simulator(model);
  Film film(model, state, input, settings);
  film.observe(state, input, nullptr, nullptr);
  while (state.time < time - 1e-9) {
    simulator.step(state, input);
    const ContactForces forces = simulator.contact_forces();
    film.observe(state, input, nullptr, &forces);
  }
  film.close(state, input, nullptr, nullptr);
  return film;
}

TEST(Film, FramesAreAtEvenTimesAndTheLastIsThere) {
  const Model model = compile(box_on_plane());  // steps of 2 ms
  const Film film = filmed(model, 1, {});
  EXPECT_NEAR(static_cast<double>(film.frames().size()), 61, 1);
  for (std::size_t i = 0; i + 1 < film.frames().size(); ++i)
    EXPECT_NEAR(Read{film.frames()[i]}.time(), static_cast<double>(i) / 60, 2e-3 + 1e-9);
  EXPECT_NEAR(Read{film.frames().back()}.time(), 1, 1e-9);
}

TEST(Film, LongRunsStaySmall) {
  const Model model = compile(box_on_plane());
  FilmSettings settings;
  settings.most_bytes = 20'000;
  const Film film = filmed(model, 4, settings);
  std::size_t bytes = 0;
  for (const std::string& frame : film.frames()) bytes += frame.size();
  EXPECT_LT(bytes, 21'000u);
  EXPECT_GT(film.frames().size(), 8u);
  double gap = 0;
  for (std::size_t i = 2; i + 1 < film.frames().size(); ++i)
    gap = std::max(gap, std::abs(Read{film.frames()[i]}.time() - Read{film.frames()[i - 1]}.time() -
                                 film.interval()));
  EXPECT_LT(gap, 5e-3);
}

TEST(Film, ARecordingMakesTheSameFilm) {
  const Model model = compile(box_on_plane());
  const fs::path file = fs::path(testing::TempDir()) / ("film_" + std::to_string(getpid()) + ".h5");
  State state(model);
  const Input input(model);
  Simulator simulator(model);
  Film film(model, state, input);
  Measure measure(model);
  ContactForces forces;
  {
    Recorder recorder(model, file);
    for (int i = 0; i <= 100; ++i) {
      if (i > 0) simulator.step(state, input), simulator.contact_forces(forces);
      recorder.record(i, state, input, &forces);
      const Sample sample = measure.sample(state, input);
      film.observe(state, input, &sample, &forces);
      if (i == 100) film.close(state, input, &sample, &forces);
    }
    recorder.close();
  }
  const Film replay = film_of(Recording(file), model);
  fs::remove(file);
  EXPECT_EQ(replay.scene(), film.scene());
  ASSERT_EQ(replay.frames().size(), film.frames().size());
  for (std::size_t i = 0; i < film.frames().size(); ++i) {
    // steps are counted by the live run alone
    EXPECT_EQ(replay.frames()[i].substr(24), film.frames()[i].substr(24)) << i;
  }
}

TEST(Film, LanesAreWovenByTime) {
  const Model model = compile(box_on_plane());
  const Film a = filmed(model, 0.1, {}), b = filmed(model, 0.05, {});
  const Film* lanes[] = {&a, &b};
  const std::string bytes = film_bytes(lanes);
  EXPECT_EQ(bytes.substr(0, 4), "ABC1");
  std::uint32_t count;
  std::memcpy(&count, bytes.data() + 4, 4);
  EXPECT_EQ(count, a.frames().size() + b.frames().size());
  double last = -1;
  std::size_t at = 8, of_b = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t length;
    std::memcpy(&length, bytes.data() + at, 4);
    const std::string frame = bytes.substr(at + 4, length);
    EXPECT_GE(Read{frame}.time(), last);
    last = Read{frame}.time();
    of_b += Read{frame}.word(1) == 1;
    at += 4 + length;
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_EQ(of_b, b.frames().size());
}

TEST(Player, NamesCannotBreakThePage) {
  World w = box_on_plane();
  w.name = "</script><script>alert(1)</script>";
  w.body("]]><!--", {0, 0, 1}).sphere(0.1);
  const Model model = compile(w);
  Film film(model, State(model), Input(model));
  film.observe(State(model), Input(model), nullptr, nullptr);
  film.label = "\"><script>";
  const Film* lanes[] = {&film};
  const std::string piece = player(lanes, "x");
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(("<div>" + piece + "</div>").c_str()));
  EXPECT_EQ(document.select_nodes("//script").size(), 2u);
  EXPECT_THAT(piece, Not(HasSubstr("alert(1)</script>")));
  EXPECT_EQ(nlohmann::json::parse(film.scene())["name"], w.name);
}

TEST(Player, AReportHasOneAndIsSealed) {
  if (!has_viewer()) GTEST_SKIP() << "built without npm: there is no viewer";
  const Model model = compile(box_on_plane());
  Report report(model);
  Film film = filmed(model, 0.1, {});
  const std::string page = report.page({}, &film);
  pugi::xml_document document;
  const auto result = document.load_string(page.c_str(), pugi::parse_full);
  EXPECT_TRUE(result) << result.description();
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_EQ(document.select_nodes("//div[@class='abut-player']").size(), 1u);
  // nothing is asked for by the page's own elements
  EXPECT_TRUE(document.select_nodes("//*[@src or @href]").empty());
  EXPECT_LT(page.size(), 2'000'000u);
}

}  // namespace
}  // namespace abut::view
