#include "abut/contact/settings.h"

#include <array>
#include <utility>

#include "abut/collide/patch/patch.h"

namespace abut {

namespace {

template <class Value, std::size_t N>
using Names = std::array<std::pair<Value, std::string_view>, N>;

template <class Value, std::size_t N>
std::string_view find(const Names<Value, N>& names, Value value) {
  for (const auto& [v, name] : names)
    if (v == value) return name;
  return "";
}

}  // namespace

std::string_view name(FrictionKind friction) {
  using enum FrictionKind;
  static constexpr Names<FrictionKind, 10> kNames{{{natural, "natural"},
                                                   {none, "none"},
                                                   {cone, "cone"},
                                                   {pyramid, "pyramid"},
                                                   {slip, "slip"},
                                                   {viscous, "viscous"},
                                                   {springs, "springs"},
                                                   {anchor, "anchor"},
                                                   {stribeck, "stribeck"},
                                                   {linear, "linear"}}};
  return find(kNames, friction);
}

std::string_view name(ContactSource data) {
  using enum ContactSource;
  static constexpr Names<ContactSource, 8> kNames{{{natural, "natural"},
                                                   {manifold, "manifold"},
                                                   {patch, "patch"},
                                                   {features, "features"},
                                                   {kissing, "kissing"},
                                                   {deepest, "deepest"},
                                                   {volume, "volume"},
                                                   {vertices, "vertices"}}};
  return find(kNames, data);
}

std::string_view name(Stabilize stabilize) {
  using enum Stabilize;
  static constexpr Names<Stabilize, 7> kNames{{{none, "none"},
                                               {post, "post"},
                                               {post_pinv, "post-pinv"},
                                               {post_plain, "post-plain"},
                                               {baumgarte, "baumgarte"},
                                               {baumgarte_acc, "baumgarte-acc"},
                                               {gamma, "gamma"}}};
  return find(kNames, stabilize);
}

std::string_view name(StabilizeContacts which) {
  using enum StabilizeContacts;
  static constexpr Names<StabilizeContacts, 3> kNames{
      {{automatic, "auto"}, {on, "on"}, {off, "off"}}};
  return find(kNames, which);
}

std::string_view name(RestitutionLaw law) {
  using enum RestitutionLaw;
  static constexpr Names<RestitutionLaw, 4> kNames{
      {{newton, "newton"}, {poisson, "poisson"}, {stronge, "stronge"}, {sequential, "sequential"}}};
  return find(kNames, law);
}

int max_patch_points(const ContactSettings& s) {
  return s.data == ContactSource::patch ? 0 : kMostPatchPoints;
}

std::span<const FrictionKind> frictions() {
  using enum FrictionKind;
  static constexpr std::array kAll{cone,    pyramid, none,     slip,  viscous,
                                   springs, anchor,  stribeck, linear};
  return kAll;
}

std::span<const ContactSource> contact_sources() {
  using enum ContactSource;
  static constexpr std::array kAll{manifold, patch, features, kissing, deepest, volume, vertices};
  return kAll;
}

std::span<const Stabilize> stabilizers() {
  using enum Stabilize;
  static constexpr std::array kAll{post,          post_pinv, post_plain, baumgarte,
                                   baumgarte_acc, gamma,     none};
  return kAll;
}

std::string_view own(const ContactSettings& s, std::string_view key) {
  const auto it = s.own_words.find(key);
  return it == s.own_words.end() ? std::string_view() : std::string_view(it->second);
}

StepSettings step_settings(const ContactSettings& s, GapRule gaps) {
  const FrictionCone cone = s.friction == FrictionKind::none      ? FrictionCone::none
                            : s.friction == FrictionKind::pyramid ? FrictionCone::pyramid
                                                                  : FrictionCone::round;
  return {
      .gaps = gaps,
      .cone = cone,
      .directions = s.directions,
      .stabilizer = {s.stabilize, s.rate, s.stiff, s.stabilize_contacts == StabilizeContacts::on},
      .tolerance = s.tolerance,
      .solver = s.solver,
      .accuracy = s.accuracy,
      .iterations = s.iterations,
      .limit = s.budget_ms > 0 ? std::make_shared<TimeLimit>(s.budget_ms / 1000) : nullptr};
}

}  // namespace abut
