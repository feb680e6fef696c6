// The part of Peg that solves one branch: a plane for each of some pairs.
#include <cmath>

#include "abut/contact/complementarity/peg_search.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// Relative to the pair's size: a step that ends with no more overlap is without.
constexpr double kApart = 1e-9;
// Ditto: what presses touches.
constexpr double kTouches = 1e-7;
// Ditto: contacts that the next solve would move no further are where they belong.
constexpr double kStill = 1e-11;
// Ditto, where the solver's tolerance lets them come no nearer.
constexpr double kStillEnough = 1e-10;
constexpr int kMostIterations = 60;
constexpr int kPatience = 20;  // iterations without getting nearer
// Ditto, and enough where contacts move by less than this, relative to the pair's size: the gaps at
// the end that the last solve leads to are off by its square, and holds() looks at them.
constexpr int kSwings = 3;
constexpr double kSecondOrder = 3e-5;
// Iterations of the solver for cones. The problems of a step are alike: once one was too hard, it
// and the next ones are solved as proximal steps from its answer, and do not take as long.
constexpr int kMostOfCones = 200, kMostOfHard = 50;
// Of the contacts' diagonal: how much impulses resist to change from one problem to the next
// (StepTerms::proximal), once a problem of the step was too hard. Friction forces of a heap
// are not unique: without it each solve finds others, and some find none. With 1e-6 three times as
// many problems of dominoes that lie stay unsolved; with 1e-2 the iteration of the gaps does not
// come to an end.
constexpr double kProximal = 1e-4;
constexpr double kSettled = 1e-9;     // relative to the velocities
constexpr double kNearEnough = 1e-8;  // ditto, where the solver's tolerance lets it come no nearer
// A branch whose first solve moves so many times what the best does is given up.
constexpr double kHopeless = 4;

double largest(std::span<const double> x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

// Part t of the way.
Pose between(const Pose& from, const Pose& to, double t) {
  return {(1 - t) * from.p + t * to.p, from.q.slerp(t, to.q)};
}

double angle_between(const Pose& a, const Pose& b) { return a.q.angularDistance(b.q); }

PairKey key_of(const Patch& patch) { return patch.key(); }

}  // namespace

void PegSearch::go_to_end(std::span<const double> change) {
  if (has_end_ && std::equal(change.begin(), change.end(), end_change_.begin())) return;
  has_end_ = true;
  end_is_factored_ = false;
  end_change_.assign(change.begin(), change.end());
  end_state_ = step_->start.state;
  step_->move(end_state_, change);
  end_input_ = step_->start.input;
  for (std::size_t i = 0; i < end_input_.mocap.size(); ++i) {
    const Vec6& v = end_input_.mocap_velocity[i];
    Pose& X = end_input_.mocap[i];
    X.p += step_->h * v.head<3>();
    X.q = (exp_rotation(step_->h * v.tail<3>()) * X.q).normalized();
  }
  positions(model_, end_state_, end_input_, end_);
}

void PegSearch::factor_end() {
  if (end_is_factored_) return;
  end_is_factored_ = true;
  mass_matrix(model_, end_);
  factor(model_, end_, step_->damping);
}

bool PegSearch::view(const Choice& c, const Derived& d) {
  return view_.place(c.geom_a, c.geom_b, geom_pose(model_, d, c.geom_a),
                     geom_pose(model_, d, c.geom_b));
}

double PegSearch::start_separation(int geom_a, int geom_b, const SeparatingPlane& plane) {
  const Choice c{0, geom_a, geom_b, plane};
  Vec3 n;
  if (!view(c, step_->start.d) || !view_.normal(plane, n)) return -kInfinity;
  return view_.separation(n);
}

// How deep a pair may stay in each other, once the step has fallen back to that (m).
double PegSearch::slack_of(const Choice& c) {
  if (!let_stay_) return 0;
  const double s = start_separation(c.geom_a, c.geom_b, c.plane);
  return std::isfinite(s) ? std::max(-s, 0.0) : 0;
}

// The contacts of each pair's plane: the vertices over it, wherever they are beside its face, as
// the paper has them; where that would press at a distance (`meets`), those where the surfaces
// meet.
void PegSearch::gather(const std::vector<Choice>& choices, bool at_end) {
  data_.clear();
  planes_of_data_.clear();
  meets_of_data_.clear();
  for (const Choice& c : choices) {
    const double slack = slack_of(c);
    Vec3 n;
    if (!view(c, at_end ? end_ : step_->start.d)) continue;
    if (!view_.normal(c.plane, n)) continue;
    const int first = data_.points.count();
    // what may come down to the plane in the step, and some more, so that it does not come and go
    const double gap = std::abs(view_.separation(n));
    const double travel = 2 * (step_->reach[at(c.geom_a)] + step_->reach[at(c.geom_b)]);
    if (view_.has_half_space() && !at_end) {
      if (!append_near(c)) continue;
    } else if (c.meets || view_.has_half_space()) {
      // what meets at the rim of a face alone has no patch by rounding
      if (!view_.append_patch(n, 2 * gap + std::min(travel, 0.05 * view_.size()), data_,
                              kMostPatchPoints) &&
          !view_.append_witness(n, data_))
        continue;
    } else if (!view_.append_vertices(c.plane, n, 2 * gap + std::min(travel, 0.25 * view_.size()),
                                      data_)) {
      continue;
    }
    for (int i = first; i < data_.points.count(); ++i) data_.points.psi[at(i)] += slack;
    planes_of_data_.push_back(c.plane);
    meets_of_data_.push_back(c.meets);
  }
}

// The contacts of a pair at the start, as st has them.
bool PegSearch::append_near(const Choice& c) {
  for (const Patch& patch : step_->near.patches) {
    if (patch.geom_a != c.geom_a || patch.geom_b != c.geom_b) continue;
    Patch copy = patch;
    copy.begin = data_.points.count();
    const ContactPoints& from = step_->near.points;
    for (int i = patch.begin; i < patch.end; ++i)
      data_.points.add(from.p_A[at(i)], from.p_B[at(i)], from.psi[at(i)], from.id[at(i)]);
    copy.end = data_.points.count();
    data_.patches.push_back(copy);
    return copy.count() > 0;
  }
  return false;
}

// The problem of data_, from the impulses of the one before.
void PegSearch::solve_rows(const Around* around, std::span<const double> u_free,
                           std::span<double> change) {
  const int pairs = std::max(1, static_cast<int>(data_.patches.size()));
  report_.most_pairs = std::max(report_.most_pairs, pairs);
  const StepMoment start{warm_, step_->start.input, step_->start.d};
  const auto solve = [&] {
    ++report_.iterations;
    report_.work += pairs;
    spent_ += pairs;
    stepping_->solvers().limit_cones(is_hard_ ? kMostOfHard : kMostOfCones);
    stepping_->solve(step_->h, start, around, data_, u_free, change,
                     {.proximal = is_hard_ ? kProximal : 0});
    keep_impulses();
  };
  solve();
  if (is_hard_ || stepping_->report().unsolved == 0) return;
  is_hard_ = true;
  solve();
}

void PegSearch::keep_impulses() {
  ContactMemory& memory = warm_.contacts;
  memory.set_widths(0, TimeStepping::kPointMemory);
  memory.clear();
  const std::vector<Contact>& contacts = stepping_->contacts();
  std::size_t contact = 0;
  for (int p = 0; p < static_cast<int>(data_.patches.size()); ++p) {
    const Patch& patch = data_.patches[at(p)];
    PairMemory header;
    header.key = key_of(patch);
    ids_.assign(data_.points.id.begin() + patch.begin, data_.points.id.begin() + patch.end);
    const int pair = memory.append(header, ids_);
    const int first = static_cast<int>(memory.pairs()[at(pair)].point_begin) - patch.begin;
    for (; contact < contacts.size() && contacts[contact].patch == p; ++contact) {
      const std::span<double> values = memory.point_values(first + contacts[contact].point);
      for (int k = 0; k < 3; ++k) values[at(k)] = stepping_->impulses()[contact][k];
    }
  }
  stepping_->remember_joints(memory);
}

// Solves the branch, and says whether its planes part their pairs.
bool PegSearch::evaluate(Trial& trial) {
  ++report_.branches;
  is_current_ = &trial == &best_;
  for (Choice& c : trial.choices) c.failed = false;
  trial.change.resize(at(model_.nv), 0.0);
  next_.resize(at(model_.nv));
  if (relinearizes_) {
    relinearize(trial);
  } else {
    solve_at_start(trial);
    go_to_end(trial.change);
    trial.settled = stepping_->report().unsolved == 0;
  }
  trial.motion = stepping_->motion();
  if (!trial.settled && !trial.choices.empty()) {
    trial.choices[at(trial.restless)].failed = true;
    return false;
  }
  // contacts are in the order of the patches, and these in that of the choices
  bool all = true;
  std::size_t contact = 0;
  const std::vector<Contact>& contacts = stepping_->contacts();
  for (Choice& c : trial.choices) {
    bool pressed = false;
    for (; contact < contacts.size(); ++contact) {
      if (key_of(data_.patches[at(contacts[contact].patch)]) != c.key) break;
      pressed |= stepping_->impulses()[contact].squaredNorm() > 0;
    }
    c.failed = !holds(c, pressed);
    all = all && !c.failed;
  }
  return all;
}

// To first order, from what the start of the step shows.
void PegSearch::solve_at_start(Trial& trial) {
  gather(trial.choices, false);
  solve_rows(nullptr, step_->u_free, trial.change);
}

// Rows of the vertices over each plane first: where they press beside the face, once more with what
// meets there.
void PegSearch::relinearize(Trial& trial) {
  if (trial.fresh) {
    for (Choice& c : trial.choices) c.meets = c.met;
    if (!trial.choices.empty()) {
      solve_at_start(trial);
      trial.settled = false;
      if (stepping_->motion() > kHopeless * bound_) return;
    }
    trial.fresh = false;
  }
  settle(trial);
  if (trial.settled && find_remote(trial)) settle(trial);
}

// Whether some pair is pressed where its features are not; those are marked.
bool PegSearch::find_remote(Trial& trial) {
  bool any = false;
  const std::vector<Contact>& contacts = stepping_->contacts();
  std::size_t choice = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!(stepping_->impulses()[i].squaredNorm() > 0)) continue;
    const PairKey key = key_of(data_.patches[at(contacts[i].patch)]);
    while (trial.choices[choice].key != key) ++choice;
    Choice& c = trial.choices[choice];
    if (c.meets) continue;
    view(c, end_);
    if (view_.is_on_features(c.plane, contacts[i].position)) continue;
    c.meets = true;
    any = true;
  }
  return any;
}

// next_: the change with rows of the end that trial.change leads to.
void PegSearch::solve_at_end(const Trial& trial) {
  go_to_end(trial.change);
  factor_end();
  gather(trial.choices, true);
  const Around around{{end_state_, end_input_, end_}, trial.change};
  solve_rows(&around, step_->u_free, next_);
}

// How far, of their pair's size, contacts are moved by what the last solve changed; notes whose
// move most.
double PegSearch::greatest_shift(Trial& trial) {
  difference_.resize(next_.size());
  for (std::size_t i = 0; i < next_.size(); ++i) difference_[i] = next_[i] - trial.change[i];
  const ConstraintRows& rows = stepping_->rows();
  const std::vector<Contact>& contacts = stepping_->contacts();
  if (contacts.empty()) return kInfinity;
  const std::vector<double>& sizes = step_->collider.sizes();
  rates_.resize(at(rows.rows()));
  rows.velocities(difference_, rates_);
  double most = -1;
  std::size_t choice = 0;
  trial.restless = 0;
  for (const Contact& c : contacts) {
    const Patch& patch = data_.patches[at(c.patch)];
    const RowGroup& g = rows.groups()[at(c.group)];
    const double rate = largest({&rates_[at(g.row)], at(g.size)});
    const double shift = step_->h * rate / (sizes[at(patch.geom_a)] + sizes[at(patch.geom_b)]);
    while (trial.choices[choice].key != key_of(patch)) ++choice;
    if (!(shift > most)) continue;
    most = shift;
    trial.restless = static_cast<int>(choice);
  }
  return most;
}

// Whether a branch will cost more than the best so far. What is left of the iteration is taken to
// change it by no more than a few times what the last solve did.
bool PegSearch::is_beaten(double moved) const {
  if (!std::isfinite(bound_)) return false;
  const double rest = std::max(0.0, 1 - 4 * moved / largest(next_));
  return stepping_->motion() * rest * rest > bound_ * (1 + 1e-6);
}

// Newton's method on the gaps at the end of the step: each solve is st's with the rows of the end
// that the one before led to.
void PegSearch::settle(Trial& trial) {
  mixing_.begin(static_cast<int>(next_.size()));
  double least = kInfinity;
  int least_at = 0;
  trial.settled = false;
  for (int i = 0; i < kMostIterations && !trial.settled; ++i) {
    solve_at_end(trial);
    const double shift = greatest_shift(trial), moved = largest(difference_);
    const double scale = largest(step_->u_free) + largest(next_);
    // to rounding, or as near as the solver's own tolerance lets it come
    trial.settled = !(moved > 1e-12 * scale) || shift <= kStill ||
                    (moved <= kSettled * scale && i >= least_at + 3);
    const bool better = moved < 0.9 * least;
    if (better) {
      least = moved;
      least_at = i;
    }
    // forces that are not unique: each solve has others, and leads to an end of its own
    if (i - least_at > kSwings && shift <= kSecondOrder) trial.settled = true;
    if (!trial.settled && (i - least_at > kPatience || is_spent())) {
      trial.settled = moved <= kNearEnough * scale || shift <= kStillEnough;
      if (!trial.settled) break;
    }
    if (!trial.settled && ((i >= 6 && stepping_->motion() > 1.5 * bound_) || is_beaten(moved)))
      break;
    if (trial.settled)
      std::copy(next_.begin(), next_.end(), trial.change.begin());
    else
      mixing_.advance(next_, trial.change);
  }
  go_to_end(trial.change);
}

bool PegSearch::holds(const Choice& c, bool pressed) {
  if (!relinearizes_) return true;
  const double slack = slack_of(c);
  Vec3 n;
  if (!view(c, end_)) return false;
  const double tolerance = kApart * view_.size() + slack;
  const bool parts = view_.normal(c.plane, n) && view_.separation(n) >= -tolerance;
  const double distance = view_.proximity().distance;
  if (!parts && (pressed || distance < -tolerance)) return false;
  if (pressed && distance > kTouches * view_.size() + slack) return false;
  if (let_stay_) return true;
  if (parts && start_separation(c.geom_a, c.geom_b, c.plane) >= -1e-6 * view_.size()) return true;
  return !goes_through(c.geom_a, c.geom_b);
}

// Whether the two pass through each other on the way, as they move from the start to where they
// are at the end: clipping a corner by less than half of the thinner one's width is let pass.
bool PegSearch::goes_through(int geom_a, int geom_b) {
  const Derived& start = step_->start.d;
  const Pose A0 = geom_pose(model_, start, geom_a), A1 = geom_pose(model_, end_, geom_a);
  const Pose B0 = geom_pose(model_, start, geom_b), B1 = geom_pose(model_, end_, geom_b);
  const Convex& A = step_->collider.solids()[geom_a];
  const Convex& B = step_->collider.solids()[geom_b];
  const auto turn = [](const Convex& s, const Pose& from, const Pose& to) {
    return s.is_half_space() ? 0.0 : angle_between(from, to) * (s.radius + s.center.norm());
  };
  const double sweep = ((B1.p - B0.p) - (A1.p - A0.p)).norm() + turn(A, A0, A1) + turn(B, B0, B1);
  if (!view_.place(geom_a, geom_b, A0, B0) || view_.has_half_space()) return false;
  const double width = view_.width(), deep = 0.5 * width;
  if (!(sweep > 0.25 * width) || view_.proximity().distance < -deep) return false;
  double t = 0;
  for (int i = 0; i < 400 && t < 1; ++i) {
    view_.place(geom_a, geom_b, between(A0, A1, t), between(B0, B1, t));
    const double distance = view_.proximity().distance;
    if (distance < -deep) return true;
    t += std::max(distance, 0.5 * deep) / sweep;
  }
  return false;
}

}  // namespace abut
