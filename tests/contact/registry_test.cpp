// The registry of contact models: what each says of itself fits, names are found or answered by the
// nearest, and a program can add a model of its own.
#include "abut/contact/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "abut/contact/combinations.h"
#include "abut/contact/penalty/penalty_model.h"
#include "abut/math/index.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsSubsetOf;

std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(Registry, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const ContactModelEntry& m : contact_models()) {
    EXPECT_TRUE(names.insert(m.info->name).second) << m.info->name;
    EXPECT_TRUE(m.info->alias.empty() || names.insert(m.info->alias).second) << m.info->alias;
    EXPECT_FALSE(m.info->summary.empty()) << m.info->name;
  }
  EXPECT_EQ(find_contact_model("pm"), find_contact_model("deepest"));
  EXPECT_EQ(find_contact_model(""), nullptr);
}

// What a model goes with exists, and every other value has a reason.
TEST(Registry, EveryValueIsTakenOrRefusedWithAReason) {
  for (const ContactModelEntry& m : contact_models()) {
    SCOPED_TRACE(m.info->name);
    for (const auto& [axis, taken] :
         {std::pair{Axis::data, &m.info->data}, std::pair{Axis::friction, &m.info->friction},
          std::pair{Axis::stabilize, &m.info->stabilize},
          std::pair{Axis::integrator, &m.info->integrator}}) {
      EXPECT_THAT(*taken, IsSubsetOf(values(axis)));
      if (taken->empty()) continue;
      for (const std::string_view value : values(axis)) {
        const bool refused = std::ranges::any_of(
            m.info->not_with, [&](const NotWith& n) { return n.axis == axis && n.value == value; });
        const bool is_taken = std::ranges::find(*taken, value) != taken->end();
        EXPECT_NE(is_taken, refused) << name(axis) << " " << value;
      }
    }
    EXPECT_THAT(m.info->stabilize, testing::AnyOf(testing::IsEmpty(), Contains("post")));
    EXPECT_THAT(m.info->stabilizes_contacts, IsSubsetOf(m.info->stabilize));
    for (const ModelSetting& s : m.info->settings) {
      EXPECT_FALSE(s.standard.empty() || s.meaning.empty()) << s.name;
      EXPECT_TRUE(s.words.empty() || std::ranges::find(s.words, s.standard) != s.words.end())
          << s.name;
    }
  }
}

TEST(Registry, AnswersAMisspeltNameByTheNearest) {
  ContactSettings s;
  EXPECT_THAT(message_of([&] { set_contact(s, "multipoin"); }), HasSubstr("'multipoint'"));
  EXPECT_THAT(message_of([&] { set_contact(s, "qqqqqq"); }),
              HasSubstr("there are fast, st, ap, peg"));
  EXPECT_THAT(message_of([&] { set_friction(s, "pyramd:8"); }), HasSubstr("'pyramid'"));
  EXPECT_THAT(message_of([&] { set_stabilize(s, "baumgart:8"); }), HasSubstr("'baumgarte'"));
  EXPECT_THAT(message_of([&] { set_data(s, "manifolds"); }), HasSubstr("'manifold'"));
  EXPECT_THAT(message_of([&] { set_own(s, "st.recovr", "post"); }), HasSubstr("'recover'"));
  EXPECT_THAT(message_of([&] { set_own(s, "st.recover", "soon"); }), HasSubstr("post, velocity"));
  EXPECT_EQ(s.model, "st") << "what is refused changes nothing";
}

TEST(Registry, FillsInWhatNobodyChose) {
  ContactSettings s;
  s.model = "pm";
  const ContactSettings deepest = resolved(s);
  EXPECT_EQ(deepest.model, "deepest");
  EXPECT_EQ(deepest.data, ContactSource::deepest);
  EXPECT_EQ(deepest.friction, FrictionKind::anchor);
  EXPECT_EQ(own(deepest, "deepest.law"), "pid");
  s.model = "quasirigid";
  EXPECT_EQ(resolved(s).friction, FrictionKind::cone);
  s.own_words["quasirigid.step"] = "explicit";
  EXPECT_EQ(resolved(s).friction, FrictionKind::anchor);
  EXPECT_EQ(resolved(resolved(s)).friction, FrictionKind::anchor);
}

// A spring at every point that overlaps, as a program would write it.
struct Springs {
  static constexpr int kPairWidth = 0, kPointWidth = 0;
  bool keeps_accounts() const { return false; }
  void advance(const PairView&, const PairRecall&, PairKeep, PairKeep) const {}
  template <class Push>
  void forces(const PairView& pair, const PairRecall&, Push&& push) const {
    for (int i = pair.patch.begin; i < pair.patch.end; ++i) {
      const double depth = -pair.points().psi[at(i)];
      const Vec3 p = 0.5 * (pair.points().p_A[at(i)] + pair.points().p_B[at(i)]);
      const double f = 1e6 * depth - 1e4 * pair.velocity(p).dot(pair.patch.normal);
      if (depth > 0 && f > 0) push({.position = p, .force = f * pair.patch.normal});
    }
  }
};

const ModelInfo& springs_info() {
  static const ModelInfo info{.name = "test-springs",
                              .summary = "a spring at every point",
                              .family = ContactFamily::forces,
                              .data = {"manifold"},
                              .friction = {"none"},
                              .stabilize = {"post"},
                              .integrator = {"euler"},
                              .bouncing = Bouncing::damping};
  return info;
}

TEST(Registry, TakesAModelOfAProgram) {
  const ContactModelEntry entry{&springs_info(), [](const ContactWorld& world) {
                                  return make_penalty_model(
                                      world, std::make_unique<PairLaws<Springs>>(Springs{}));
                                }};
  if (find_contact_model("test-springs") == nullptr) add_contact_model(entry);
  EXPECT_THAT(message_of([&] { add_contact_model(entry); }), HasSubstr("already"));
  EXPECT_THAT(message_of([] { add_contact_model({nullptr, nullptr}); }), HasSubstr("needs a name"));

  test::Scene s(test::stack_of_boxes(1), test::settings("test-springs"));
  s.run(3);
  // four corners carry the weight: m g = 4 k depth
  double weight = 0;
  for (const ContactForce& f : *s.simulator.contact().forces()) weight += f.force.z();
  EXPECT_NEAR(weight, s.model.links[0].mass.mass * 9.81, 1e-3 * weight);
  EXPECT_THAT(values(Axis::contact), Contains("test-springs"));
  EXPECT_THAT(why_not({.contact = "test-springs", .friction = "cone"}), HasSubstr("does not go"));
}

}  // namespace
}  // namespace abut
