#include "abut/contact/complementarity/peg/peg_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Iterations of the solver for cones. The problems of a step are alike: once one was too hard, it
// and the next ones are solved as proximal steps from its answer, and do not take as long.
constexpr int kMostOfCones = 200, kMostOfHard = 50;

}  // namespace

void PegProblem::begin(const PegScene& scene, TimeStepping& stepping) {
  const PegStep& step = scene.step();
  stepping_ = &stepping;
  warm_ = step.start.state;
  const int near = static_cast<int>(step.near.patches.size());
  report_.most_pairs = std::max(report_.most_pairs, near);
  // a half may spend half as much
  spent_ = 0;
  hard_.clear();
  allowed_ = static_cast<int>(
      std::ceil(PegStep::allowance(near) * std::min(1.0, step.h / scene.model().option.timestep)));
}

void PegProblem::take(const ContactData& near) {
  data_ = near;
  planes_.assign(data_.patches.size(), {});
  meets_.assign(data_.patches.size(), false);
}

void PegProblem::gather(PegScene& scene, std::span<const PegChoice> choices, Moment moment) {
  data_.clear();
  planes_.clear();
  meets_.clear();
  for (const PegChoice& c : choices) {
    const double slack = scene.slack_of(c);
    Vec3 n;
    if (!(moment == Moment::end ? scene.view_end(c) : scene.view_start(c))) continue;
    if (!scene.view().normal(c.plane, n)) continue;
    const int first = data_.points.count();
    append(scene, c, n, moment);
    if (data_.patches.size() == planes_.size()) continue;
    for (int i = first; i < data_.points.count(); ++i) data_.points.psi[at(i)] += slack;
    planes_.push_back(c.plane);
    meets_.push_back(c.meets);
  }
}

// One patch, or none.
void PegProblem::append(PegScene& scene, const PegChoice& c, const Vec3& n, Moment moment) {
  PlanePair& view = scene.view();
  // what may come down to the plane in the step, and some more, so that it does not come and go
  const double gap = std::abs(view.separation(n));
  const double travel = 2 * scene.reach(c);
  if (view.has_half_space() && moment == Moment::start) {
    append_near(scene, c);
  } else if (c.meets || view.has_half_space()) {
    // what meets at the rim of a face alone has no patch by rounding
    if (!view.append_patch(n, 2 * gap + std::min(travel, 0.05 * view.size()), data_,
                           kMostPatchPoints))
      view.append_witness(n, data_);
  } else {
    view.append_vertices(c.plane, n, 2 * gap + std::min(travel, 0.25 * view.size()), data_);
  }
}

// The contacts of a pair at the start, as st has them.
bool PegProblem::append_near(const PegScene& scene, const PegChoice& c) {
  const ContactData& near = scene.step().near;
  for (const Patch& patch : near.patches) {
    if (patch.geom_a != c.geom_a || patch.geom_b != c.geom_b) continue;
    if (patch.count() == 0) return false;
    Patch copy = patch;
    copy.begin = data_.points.count();
    const ContactPoints& from = near.points;
    for (int i = patch.begin; i < patch.end; ++i)
      data_.points.add(from.p_A[at(i)], from.p_B[at(i)], from.psi[at(i)], from.id[at(i)]);
    copy.end = data_.points.count();
    data_.patches.push_back(copy);
    return true;
  }
  return false;
}

void PegProblem::solve(const PegScene& scene, const Around* around, std::span<const double> u_free,
                       std::span<double> change, std::span<const std::uint8_t> kept) {
  solve_once(scene, around, u_free, change, kept);
  if (is_hard() || stepping_->report().unsolved == 0) return;
  note_hard();
  solve_once(scene, around, u_free, change, kept);
}

void PegProblem::solve_once(const PegScene& scene, const Around* around,
                            std::span<const double> u_free, std::span<double> change,
                            std::span<const std::uint8_t> kept) {
  const int pairs = std::max(1, static_cast<int>(data_.patches.size()));
  report_.most_pairs = std::max(report_.most_pairs, pairs);
  ++report_.iterations;
  report_.work += pairs;
  spent_ += pairs;
  const bool hard = is_hard();
  stepping_->solvers().limit_cones(hard ? kMostOfHard : kMostOfCones);
  const StepMoment start{warm_, scene.step().start.input, scene.start()};
  stepping_->solve(scene.step().h, start, around, data_, u_free, change,
                   {.proximal = hard ? peg_tolerance::kProximal : 0, .kept = kept});
  keep_impulses();
}

bool PegProblem::is_hard() const {
  return !hard_.empty() &&
         std::any_of(data_.patches.begin(), data_.patches.end(), [&](const Patch& p) {
           return std::binary_search(hard_.begin(), hard_.end(), p.key());
         });
}

void PegProblem::note_hard() {
  for (const Patch& patch : data_.patches) hard_.push_back(patch.key());
  std::sort(hard_.begin(), hard_.end());
}

// Of pairs that are in no patch up to that key. Pairs of the memory are ascending.
void PegProblem::keep_others(PairKey until) {
  for (; others_ < static_cast<int>(last_.pairs().size()); ++others_) {
    const PairMemory& pair = last_.pairs()[at(others_)];
    if (pair.key > until) return;
    if (pair.key == until) continue;
    const auto first = static_cast<int>(pair.point_begin);
    const int to =
        warm_.contacts.append(pair, last_.point_ids().subspan(pair.point_begin, pair.point_count));
    const auto begin = static_cast<int>(warm_.contacts.pairs()[at(to)].point_begin);
    for (int i = 0; i < static_cast<int>(pair.point_count); ++i)
      std::ranges::copy(last_.point_values(first + i),
                        warm_.contacts.point_values(begin + i).begin());
  }
}

void PegProblem::keep_impulses() {
  ContactMemory& memory = warm_.contacts;
  constexpr int kWidth = TimeStepping::kPointMemory;
  const bool keeps = has_islands_ && memory.pair_width() == 0 && memory.point_width() == kWidth;
  std::swap(memory, last_);
  others_ = keeps ? 0 : static_cast<int>(last_.pairs().size());
  memory.set_widths(0, kWidth);
  memory.clear();
  const std::vector<Contact>& contacts = stepping_->contacts();
  std::size_t contact = 0;
  for (int p = 0; p < static_cast<int>(data_.patches.size()); ++p) {
    const Patch& patch = data_.patches[at(p)];
    PairMemory header;
    header.key = patch.key();
    keep_others(header.key);
    ids_.assign(data_.points.id.begin() + patch.begin, data_.points.id.begin() + patch.end);
    const int pair = memory.append(header, ids_);
    const int first = static_cast<int>(memory.pairs()[at(pair)].point_begin) - patch.begin;
    for (; contact < contacts.size() && contacts[contact].patch == p; ++contact) {
      const std::span<double> values = memory.point_values(first + contacts[contact].point);
      for (int k = 0; k < 3; ++k) values[at(k)] = stepping_->impulses()[contact][k];
    }
  }
  keep_others(std::numeric_limits<PairKey>::max());
  stepping_->write_joints(memory);
}

}  // namespace abut
