// The part of Peg that chooses the planes.
#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg_search.h"
#include "abut/dynamics/mass_matrix.h"

namespace abut {

namespace {

// Relative to the pair's size.
constexpr double kApart = 1e-9;
// Planes no further turned from each other (rad) are one: a box that rests has its own face and
// the other's.
constexpr double kSamePlane = 1e-3;
// Motions that differ by less than this part of them are equal.
constexpr double kTie = 1e-9;
// J: motion that is none, of what rests.
constexpr double kNothing = 1e-20;
constexpr int kMostRounds = 200;
// Beyond so many branches halving the step is quicker.
constexpr int kPatient = 48;
// Of a pair that are tried: enough that the cheapest is among them wherever the search began.
constexpr std::size_t kMostOptions = 48;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool comes_first(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(a[k] - b[k]) > 1e-9) return a[k] > b[k];
  return false;
}

// Of two options; equal ones in the order of the normals: is_better() looks again at what is equal
// to rounding.
template <class Option>
bool is_cheaper(const Option& a, const Option& b) {
  if (a.least != b.least) return a.least < b.least;
  for (int k = 0; k < 3; ++k)
    if (a.normal[k] != b.normal[k]) return a.normal[k] > b.normal[k];
  return std::pair(packed(a.plane.a), packed(a.plane.b)) <
         std::pair(packed(b.plane.a), packed(b.plane.b));
}

}  // namespace

SeparatingPlane PegSearch::remembered(PairKey key) const {
  const ContactMemory& memory = step_->start.state.contacts;
  const int pair = memory.find(key);
  return pair < 0 ? SeparatingPlane{} : unpacked_plane(memory.pairs()[at(pair)].branch);
}

// Pairs that overlap at the end of the step, or went through each other, and have no plane.
void PegSearch::find_violated(const Trial& trial) {
  violated_.clear();
  const auto chosen = [&](PairKey key) {
    return std::any_of(trial.choices.begin(), trial.choices.end(),
                       [&](const Choice& c) { return c.key == key; });
  };
  const std::vector<double>& sizes = step_->collider.sizes();
  step_->collider.find(model_, end_, no_memory_, {}, scratch_data_, queries_);
  for (const Patch& patch : scratch_data_.patches) {
    const Choice c{pair_key(patch.geom_a, patch.geom_b), patch.geom_a, patch.geom_b, {}};
    const double size = sizes[at(c.geom_a)] + sizes[at(c.geom_b)];
    if (patch.distance >= -kApart * size || chosen(c.key)) continue;
    if (let_stay_) {
      view(c, step_->start.d);
      if (patch.distance >= view_.proximity().distance - kApart * size) continue;
    }
    violated_.push_back(c);
  }
  const std::size_t overlapping = violated_.size();
  for (const Patch& patch : step_->near.patches) {
    const Choice c{pair_key(patch.geom_a, patch.geom_b), patch.geom_a, patch.geom_b, {}};
    const bool known =
        chosen(c.key) ||
        std::any_of(violated_.begin(), violated_.begin() + static_cast<long>(overlapping),
                    [&](const Choice& v) { return v.key == c.key; });
    if (!known && goes_through(c.geom_a, c.geom_b)) violated_.push_back(c);
  }
}

// The planes that a pair could have, the cheapest first. `least`: the mean of the patch's rows is
// implied by them, and one row alone costs 1/2 r^2 / (J M^-1 J'). `own` is that of the plane the
// pair has. Wants go_to_end(change).
void PegSearch::find_options(const Choice& c, std::span<const double> change,
                             std::vector<Option>& out, double& own) {
  out.clear();
  own = kInfinity;
  if (!view(c, end_)) return;
  view_.planes(planes_);
  if (!c.plane.is_none() && std::find(planes_.begin(), planes_.end(), c.plane) == planes_.end())
    planes_.push_back(c.plane);
  const int body_a = model_.geoms[at(c.geom_a)].body, body_b = model_.geoms[at(c.geom_b)].body;
  for (const SeparatingPlane& plane : planes_) {
    Option o;
    o.plane = plane;
    if (!view_.normal(plane, o.normal)) continue;
    const double gap = view_.separation(o.normal);
    scratch_data_.clear();
    if (!view_.append_patch(o.normal, gap + 0.01 * view_.size(), scratch_data_) &&
        !view_.append_patch(o.normal, std::abs(gap) + 0.5 * view_.size(), scratch_data_))
      continue;
    Vec3 point = Vec3::Zero();
    double psi = 0;
    const int count = scratch_data_.points.count();
    for (int i = 0; i < count; ++i) {
      point += 0.5 / count * (scratch_data_.points.p_A[at(i)] + scratch_data_.points.p_B[at(i)]);
      psi += scratch_data_.points.psi[at(i)] / count;
    }
    scratch_data_.clear();
    o.meets = view_.append_vertices(plane, o.normal, gap + 1e-6 * view_.size(), scratch_data_);
    for (const Vec3& p : scratch_data_.points.p_A)
      o.meets = o.meets && view_.is_on_features(plane, p);
    probe_.begin(end_);
    const int g = probe_.add(1, body_a, body_b);
    probe_.add_point(g, 0, body_b, point, o.normal, 1);
    probe_.add_point(g, 0, body_a, point, o.normal, -1);
    probe_.finish();
    probe_.delassus(probe_block_);
    const double inertia = probe_block_.values.empty() ? 0 : probe_block_.values[0];
    if (!(inertia > 0)) continue;
    row_.resize(1);
    probe_.velocities(change, row_);
    const double r = std::max(row_[0] - psi / step_->h, 0.0);
    o.least = 0.5 * r * r / inertia;
    if (plane == c.plane) own = o.least;
    out.push_back(o);
  }
  // solids that overlap before the step have none that parts them: those of least depth then
  view(c, step_->start.d);
  const double slack = std::max(-view_.proximity().distance, 0.0) + 1e-6 * view_.size();
  for (Option& o : out) {
    Vec3 n;
    o.parted = view_.normal(o.plane, n) && view_.separation(n) >= -slack;
  }
  view(c, end_);
  std::sort(out.begin(), out.end(), [](const Option& a, const Option& b) {
    return a.parted != b.parted ? a.parted : is_cheaper(a, b);
  });
}

// Gives planes to pairs that overlap until none does. False if that does not come to an end.
bool PegSearch::descend(Trial& trial) {
  std::vector<Tried>& tried = tried_;
  tried.clear();
  const auto was_tried = [&](PairKey key, const SeparatingPlane& plane) {
    return std::any_of(tried.begin(), tried.end(),
                       [&](const Tried& t) { return t.key == key && t.plane == plane; });
  };
  // the cheapest plane of a pair that has not failed
  const auto pick = [&](Choice& c) {
    double own = 0;
    find_options(c, trial.change, options_, own);
    const SeparatingPlane last = remembered(c.key);
    const Option* best = nullptr;
    std::size_t looked = 0;
    for (const Option& o : options_) {
      if (looked >= kMostOptions) break;
      if (was_tried(c.key, o.plane)) continue;
      ++looked;
      if (best == nullptr) best = &o;
      if (o.plane == last && o.least <= best->least * (1 + kTie)) best = &o;
      // of two faces that lie on each other the one that the other's vertices are over: those of a
      // table are far from the box on it
      if (o.meets && !best->meets && o.least <= best->least * (1 + 1e-6) + kNothing &&
          (o.normal - best->normal).norm() < kSamePlane && best->plane != last)
        best = &o;
    }
    if (best == nullptr) return false;
    c.plane = best->plane;
    return true;
  };

  for (int round = 0; round < kMostRounds; ++round) {
    if (!evaluate(trial)) {
      if (step_->may_halve && static_cast<int>(tried.size()) > kPatient) return false;
      Choice& c = trial.choices[at(trial.failed)];
      tried.push_back({c.key, c.plane});
      // as it would go without
      Trial& without = without_;
      without = trial;
      without.choices.erase(without.choices.begin() + trial.failed);
      without.change.assign(trial.change.size(), 0.0);
      without.fresh = true;
      if (!evaluate(without)) return false;
      trial.change = without.change;
      trial.fresh = true;
      mass_matrix(model_, end_);
      factor(model_, end_, step_->damping);
      if (!pick(c)) return false;
      continue;
    }
    find_violated(trial);
    if (violated_.empty()) return true;
    mass_matrix(model_, end_);
    factor(model_, end_, step_->damping);
    for (Choice& c : violated_) {
      if (!pick(c)) return false;
      trial.add(c);
    }
    trial.fresh = true;
  }
  return false;
}

bool PegSearch::is_better(const Trial& trial, const Trial& best) {
  const double tie = kTie * std::max(trial.motion, best.motion);
  if (std::abs(trial.motion - best.motion) > tie) return trial.motion < best.motion;
  const auto kept = [&](const Trial& t) {
    return std::count_if(t.choices.begin(), t.choices.end(),
                         [&](const Choice& c) { return c.plane == remembered(c.key); });
  };
  const auto kept_trial = kept(trial), kept_best = kept(best);
  if (kept_trial != kept_best) return kept_trial > kept_best;
  // in the order of the normals at the start, whatever the pairs are called
  const auto first_normal = [&](const Trial& t) {
    Vec3 first = Vec3::Constant(-2);
    for (const Choice& c : t.choices) {
      Vec3 n;
      if (view(c, step_->start.d) && view_.normal(c.plane, n) && comes_first(n, first)) first = n;
    }
    return first;
  };
  return comes_first(first_normal(trial), first_normal(best));
}

// Other planes that could do with less motion, in place of those that were picked.
void PegSearch::improve(Trial& best) {
  if (best.choices.empty() || report_.level > 0) return;
  go_to_end(best.change);
  mass_matrix(model_, end_);
  factor(model_, end_, step_->damping);
  others_.resize(best.choices.size());
  std::int64_t count = 1;
  bool any = false;
  for (std::size_t i = 0; i < best.choices.size(); ++i) {
    double own = 0;
    find_options(best.choices[i], best.change, others_[i], own);
    // of several pairs each accounts for a part of the motion
    const double most = best.choices.size() > 1 ? std::min(best.motion, 4 * own) : best.motion;
    Vec3 n;
    const bool has_normal = view_.normal(best.choices[i].plane, n);
    std::erase_if(others_[i], [&](const Option& o) {
      return o.plane == best.choices[i].plane || !(o.least <= most * (1 + kTie)) ||
             (has_normal && (o.normal - n).norm() < kSamePlane);
    });
    std::sort(others_[i].begin(), others_[i].end(), is_cheaper<Option>);
    if (others_[i].size() > kMostOptions) others_[i].resize(kMostOptions);
    any |= !others_[i].empty();
    count = std::min<std::int64_t>(count * static_cast<std::int64_t>(others_[i].size() + 1),
                                   Peg::kMostBranches + 1);
  }
  if (!any) return;
  report_.exhaustive = count <= Peg::kMostBranches;
  if (report_.exhaustive)
    try_combinations(best, count);
  else
    try_one_by_one(best);
}

// picked: 0 keeps the plane of `from`, k takes the k-th of the others.
void PegSearch::try_planes(const Trial& from, std::span<const int> picked, Trial& best) {
  Trial& trial = trial_;
  trial.clear();
  trial.choices = from.choices;
  for (std::size_t i = 0; i < picked.size(); ++i) {
    if (picked[i] == 0) continue;
    const Option& o = others_[i][at(picked[i] - 1)];
    if (o.least > best.motion * (1 + kTie)) return;
    trial.choices[i].plane = o.plane;
  }
  // pairs that only overlap under this choice get theirs too
  bound_ = best.motion;
  struct Unbound {
    double& bound;
    ~Unbound() { bound = kInfinity; }
  } unbound{bound_};
  for (int round = 0; round < 20; ++round) {
    if (!evaluate(trial) || trial.motion > best.motion * (1 + kTie)) return;
    find_violated(trial);
    if (violated_.empty()) break;
    if (round == 19) return;
    mass_matrix(model_, end_);
    factor(model_, end_, step_->damping);
    for (Choice& c : violated_) {
      double own = 0;
      find_options(c, trial.change, options_, own);
      if (options_.empty()) return;
      c.plane = options_.front().plane;
      trial.add(c);
    }
    trial.fresh = true;
  }
  if (is_better(trial, best)) best = trial;
}

void PegSearch::try_combinations(Trial& best, std::int64_t count) {
  const Trial& from = from_ = best;
  std::vector<int>& picked = picked_;
  picked.assign(from.choices.size(), 0);
  for (std::int64_t k = 1; k < count; ++k) {
    for (std::size_t i = 0; i < picked.size(); ++i) {
      if (++picked[i] <= static_cast<int>(others_[i].size())) break;
      picked[i] = 0;
    }
    try_planes(from, picked, best);
  }
}

void PegSearch::try_one_by_one(Trial& best) {
  std::vector<int>&now = now_, &picked = picked_;
  now.assign(best.choices.size(), 0);
  const Trial& from = from_ = best;
  for (int pass = 0; pass < 3; ++pass) {
    bool changed = false;
    for (std::size_t i = 0; i < now.size(); ++i)
      for (int k = 0; k <= static_cast<int>(others_[i].size()); ++k) {
        if (k == now[i]) continue;
        picked = now;
        picked[i] = k;
        const double before = best.motion;
        try_planes(from, picked, best);
        if (best.motion < before) {
          now = picked;
          changed = true;
        }
      }
    if (!changed) return;
  }
}

}  // namespace abut
