#include "abut/contact/complementarity/feature_model.h"

#include <algorithm>

#include "abut/contact/complementarity/peg_model.h"

namespace abut {

FeatureModel::FeatureModel(const ContactWorld& world)
    : ImpulseModel(world), stepping_(world.model, world.settings, world.collider) {
  check_faces(world);
}

void FeatureModel::find(double h, const StepMoment& start, std::span<const double> u_free) {
  ImpulseModel::find(h, start, u_free);
  hold_patches();
}

Solved FeatureModel::solve(const StepToSolve& step, std::span<double> change) {
  const Peg::Step now{step.h,          step.start, step.damping,   step.u_free,  near_,
                      world_.collider, step.move,  step.may_halve, reach_.last()};
  stepping_.solve(now, reach_.last(), world_.stepping, change);
  level_ = std::max(level_, stepping_.report().level);
  memory_.write(data(), near_, queries_, world_.stepping);
  return Solved::done;
}

void FeatureModel::add_to(SolveReport& report) const {
  report.level = level_;
  report.fallbacks = level_ > 0 ? 1 : 0;
}

namespace {

// Of lnc and peg-paper alike.
std::vector<ModelSetting> feature_settings() {
  return {{"angle", "17.46: a sine of 0.3", "degree",
           "relaxation of applicability: contacts turned away by less may press"},
          {"velocity",
           "off",
           "",
           "on: what is apart and does not come nearer freely gets no force",
           {"off", "on"}},
          {"order",
           "least",
           "",
           "which of several solutions: that of least motion, or the first or last contact that "
           "does, in the order of the constraints",
           {"least", "first", "last"}}};
}

}  // namespace

const ModelInfo& lnc_info() {
  static const ModelInfo info = [] {
    ModelInfo i = feature_model_info();
    i.name = "lnc";
    i.summary = "locally non-convex: a vertex is in front of one of the faces near it; no more";
    i.settings = feature_settings();
    return i;
  }();
  return info;
}

const ModelInfo& peg_paper_info() {
  static const ModelInfo info = [] {
    ModelInfo i = feature_model_info();
    i.name = "peg-paper";
    i.summary = "the same with the constraints as printed in the paper, to first order";
    i.settings = feature_settings();
    i.settings.push_back({"crossings",
                          "joined",
                          "",
                          "X of two vertices: one over all their planes, or one for each pair of "
                          "faces as printed (24)",
                          {"joined", "printed"}});
    return i;
  }();
  return info;
}

std::unique_ptr<ContactModel> make_lnc(const ContactWorld& world) {
  return std::make_unique<FeatureModel>(world);
}
std::unique_ptr<ContactModel> make_peg_paper(const ContactWorld& world) {
  return std::make_unique<FeatureModel>(world);
}

}  // namespace abut
