#include "abut/contact/complementarity/peg_search.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// Relative to the pair's size: a step that ends with no more overlap is without.
constexpr double kApart = 1e-9;
// Ditto: what presses touches.
constexpr double kTouches = 1e-7;
constexpr int kMostIterations = 60;
constexpr int kPatience = 20;         // iterations without getting nearer
constexpr double kSettled = 1e-9;     // relative to the velocities
constexpr double kNearEnough = 1e-8;  // ditto, where the solver's tolerance lets it come no nearer
constexpr double kFinished = 1e-8;    // ditto: impulses of the motion that was found

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double largest(std::span<const double> x) {
  double most = 0;
  for (const double v : x) most = std::max(most, std::abs(v));
  return most;
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// Part t of the way.
Pose between(const Pose& from, const Pose& to, double t) {
  return {(1 - t) * from.p + t * to.p, from.q.slerp(t, to.q)};
}

double angle_between(const Pose& a, const Pose& b) { return a.q.angularDistance(b.q); }

}  // namespace

void Mixing::begin(int n) {
  df_.resize(n, kDepth);
  dg_.resize(n, kDepth);
  f_.resize(n), g_.resize(n), new_f_.resize(n);
  count_ = 0;
}

void Mixing::advance(std::span<const double> next, std::span<double> x) {
  const Eigen::Map<const VectorX> g(next.data(), f_.size());
  Eigen::Map<VectorX> to(x.data(), f_.size());
  new_f_ = g - to;
  if (count_ > 0 && new_f_.norm() > 4 * f_.norm()) count_ = 0;  // what is known misleads
  if (count_ > 0) {
    const int k = (count_ - 1) % kDepth;
    df_.col(k) = new_f_ - f_;
    dg_.col(k) = g - g_;
  }
  f_ = new_f_;
  g_ = g;
  const int m = std::min(count_, kDepth);
  ++count_;
  to = g;
  if (m == 0) return;
  // least squares by the normal equations: of four columns, with a little of their diagonal
  normal_.setZero();
  gamma_.setZero();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) normal_(i, j) = df_.col(i).dot(df_.col(j));
    gamma_[i] = df_.col(i).dot(f_);
  }
  for (int i = 0; i < kDepth; ++i) normal_(i, i) = i < m ? normal_(i, i) * (1 + 1e-14) : 1;
  gamma_ = normal_.ldlt().solve(gamma_).eval();
  if (gamma_.allFinite())
    for (int i = 0; i < m; ++i) to -= gamma_[i] * dg_.col(i);
}

Peg::Peg(const Model& model, const ContactSettings& settings, const Collider& collider)
    : search_(std::make_unique<PegSearch>(model, settings, collider)) {}
Peg::~Peg() = default;

bool Peg::solve(const Step& step, TimeStepping& stepping, std::span<double> change) {
  return search_->solve(step, stepping, change);
}
const ContactData& Peg::data() const { return search_->data(); }
std::span<const SeparatingPlane> Peg::planes() const { return search_->planes(); }
const PegReport& Peg::report() const { return search_->report(); }
std::span<const double> Peg::end_velocity() const { return search_->end_velocity(); }

PegSearch::PegSearch(const Model& model, const ContactSettings& settings, const Collider& collider)
    : model_(model), settings_(settings), view_(collider), probe_(model), end_(model) {
  u_end_.resize(at(model.nv));
}

bool PegSearch::solve(const Peg::Step& step, TimeStepping& stepping, std::span<double> change) {
  step_ = &step;
  stepping_ = &stepping;
  report_ = {};
  let_stay_ = false;
  end_velocity_.clear();

  // from the planes of the step before, as far as their pairs are still near
  Trial& best = best_;
  best.clear();
  for (const Patch& patch : step.near.patches) {
    Choice c{pair_key(patch.geom_a, patch.geom_b), patch.geom_a, patch.geom_b, {}};
    c.plane = remembered(c.key);
    if (!c.plane.is_none()) best.choices.push_back(c);
  }
  bool found = descend(best);
  if (!found && !best.choices.empty()) {
    best.clear();
    found = descend(best);
  }
  if (!found && step.may_halve) return false;
  if (!found) {
    report_.level = 2;
    let_stay_ = true;
    best.clear();
    found = descend(best);
  }
  if (!found) {
    fall_back(change);
    return true;
  }
  improve(best);
  finish(best);
  calm(best);
  report_.motion = best.motion;
  report_.pairs = static_cast<int>(best.choices.size());
  std::copy(best.change.begin(), best.change.end(), change.begin());
  return true;
}

// Solves the best once more, so that contacts and impulses are its own. Its motion stays as it was
// found: the iteration need not come back to where it was.
void PegSearch::finish(Trial& best) {
  if (!settings_.relinearize) {
    evaluate(best);
    return;
  }
  solve_at_end(best);
  if (largest_difference(next_, best.change) <=
      kFinished * (largest(step_->u_free) + largest(best.change)))
    return;
  // edges that face each other or not, by rounding: by the way that it was found, then
  kept_ = best.change;
  const double motion = best.motion;
  best.fresh = true;
  evaluate(best);
  best.change = kept_;
  best.motion = motion;
}

// Velocities at the end of the step with J u >= min(J u', 0), by the rows of finish() that touch:
// what would part by the curvature of its way alone does not. Where J u = b <= 0 on rows that
// press, p . J (u + u_alone) / 2 = p . b - p A p / 2 is not positive: no energy comes of it.
void PegSearch::calm(const Trial& best) {
  if (!settings_.relinearize) return;
  to_solver_velocity(model_, end_, end_state_.v, u_end_);
  const std::vector<Contact>& contacts = stepping_->contacts();
  const double least = kSettled * largest(u_end_);
  stepping_->partings(u_end_, parting_);
  bool any = false;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    any |= parting_[i] > least && stepping_->impulses()[i].squaredNorm() > 0;
  if (!any) return;
  keep_touching();
  // the free velocities, with the spin of free bodies as they are turned at the end: their energy
  // is that of the free motion
  u_alone_.assign(step_->u_free.begin(), step_->u_free.end());
  for (const Tree& tree : model_.trees) {
    if (!tree.free_body) continue;
    const std::size_t body = at(model_.links[at(tree.link_begin)].body);
    Eigen::Map<Vec3> spin(&u_alone_[at(tree.dof_begin + 3)]);
    spin =
        (end_.body_rotation[body] * step_->start.d.body_rotation[body].transpose() * spin).eval();
  }
  const Around around{{end_state_, end_input_, end_}, best.change};
  stepping_->solve(step_->h, step_->start, &around, data_, u_alone_, next_);
  data_.points.psi = gaps_;  // as they are
  for (std::size_t i = 0; i < u_end_.size(); ++i) u_end_[i] = u_alone_[i] + next_[i];
  end_velocity_.resize(u_end_.size());
  from_solver_velocity(model_, end_, u_end_, end_velocity_);
}

// Of the contacts of the end those that touch, with what J u' lets them part for a gap; gaps_ has
// their own.
void PegSearch::keep_touching() {
  const std::vector<double>& sizes = step_->collider.sizes();
  ContactPoints& points = data_.points;
  row_.assign(points.psi.size(), 0.0);
  for (std::size_t i = 0; i < stepping_->contacts().size(); ++i)
    row_[at(stepping_->contacts()[i].point)] = step_->h * std::max(parting_[i], 0.0);
  gaps_.clear();
  int kept = 0;
  for (Patch& patch : data_.patches) {
    const double touch = kTouches * (sizes[at(patch.geom_a)] + sizes[at(patch.geom_b)]);
    const int first = kept;
    for (int i = patch.begin; i < patch.end; ++i) {
      if (points.psi[at(i)] > touch) continue;
      gaps_.push_back(points.psi[at(i)]);
      points.p_A[at(kept)] = points.p_A[at(i)];
      points.p_B[at(kept)] = points.p_B[at(i)];
      points.id[at(kept)] = points.id[at(i)];
      points.psi[at(kept)] = points.psi[at(i)] + row_[at(i)];
      ++kept;
    }
    patch.begin = first, patch.end = kept;
  }
  points.resize(kept);
}

// No branch does: rows on all that is near, at the start (P-N4).
void PegSearch::fall_back(std::span<double> change) {
  data_ = step_->near;
  planes_of_data_.assign(data_.patches.size(), {});
  report_.level = 3;
  stepping_->solve(step_->h, step_->start, nullptr, data_, step_->u_free, change);
  if (stepping_->report().unsolved == 0) return;
  report_.level = 4;
  for (double& psi : data_.points.psi) psi = std::max(psi, 0.0);
  stepping_->solve(step_->h, step_->start, nullptr, data_, step_->u_free, change);
}

void PegSearch::go_to_end(std::span<const double> change) {
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
  for (const Choice& c : choices) {
    const double slack = slack_of(c);
    Vec3 n;
    if (!view(c, at_end ? end_ : step_->start.d)) continue;
    if (!view_.normal(c.plane, n)) continue;
    const int first = data_.points.count();
    const double gap = std::abs(view_.separation(n)), reach = 2 * gap + 0.25 * view_.size();
    if (at_end && (c.meets || view_.has_half_space())) {
      // what meets at the rim of a face alone has no patch by rounding
      if (!view_.append_patch(n, 2 * gap + 0.05 * view_.size(), data_) &&
          !view_.append_witness(n, data_))
        continue;
    } else if (view_.has_half_space()) {
      // as st has it
      for (const Patch& patch : step_->near.patches) {
        if (patch.geom_a != c.geom_a || patch.geom_b != c.geom_b) continue;
        Patch copy = patch;
        copy.begin = first;
        const ContactPoints& from = step_->near.points;
        for (int i = patch.begin; i < patch.end; ++i)
          data_.points.add(from.p_A[at(i)], from.p_B[at(i)], from.psi[at(i)], from.id[at(i)]);
        copy.end = data_.points.count();
        data_.patches.push_back(copy);
      }
      if (data_.points.count() == first) continue;
    } else if (!view_.append_vertices(c.plane, n, reach, data_)) {
      continue;
    }
    for (int i = first; i < data_.points.count(); ++i) data_.points.psi[at(i)] += slack;
    planes_of_data_.push_back(c.plane);
  }
}

// Solves the branch, and says whether its planes part their pairs.
bool PegSearch::evaluate(Trial& trial) {
  ++report_.branches;
  trial.failed = -1;
  trial.change.resize(at(model_.nv), 0.0);
  next_.resize(at(model_.nv));
  if (settings_.relinearize) {
    relinearize(trial);
  } else {
    ++report_.iterations;
    gather(trial.choices, false);
    stepping_->solve(step_->h, step_->start, nullptr, data_, step_->u_free, trial.change);
    go_to_end(trial.change);
    trial.settled = true;
  }
  trial.motion = stepping_->motion();
  if ((stepping_->report().unsolved > 0 || !trial.settled) && !trial.choices.empty()) {
    trial.failed = 0;
    return false;
  }
  // contacts are in the order of the patches, and these in that of the choices
  std::size_t contact = 0;
  const std::vector<Contact>& contacts = stepping_->contacts();
  for (std::size_t i = 0; i < trial.choices.size(); ++i) {
    const Choice& c = trial.choices[i];
    bool pressed = false;
    for (; contact < contacts.size(); ++contact) {
      const Patch& patch = data_.patches[at(contacts[contact].patch)];
      if (pair_key(patch.geom_a, patch.geom_b) != c.key) break;
      pressed |= stepping_->impulses()[contact].squaredNorm() > 0;
    }
    if (holds(c, pressed)) continue;
    trial.failed = static_cast<int>(i);
    return false;
  }
  return true;
}

// Rows of the vertices over each plane first: where they press beside the face, once more with what
// meets there.
void PegSearch::relinearize(Trial& trial) {
  if (trial.fresh) {
    for (Choice& c : trial.choices) c.meets = false;
    if (!trial.choices.empty()) {
      gather(trial.choices, false);
      ++report_.iterations;
      stepping_->solve(step_->h, step_->start, nullptr, data_, step_->u_free, trial.change);
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
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!(stepping_->impulses()[i].squaredNorm() > 0)) continue;
    const Patch& patch = data_.patches[at(contacts[i].patch)];
    const PairKey key = pair_key(patch.geom_a, patch.geom_b);
    for (Choice& c : trial.choices) {
      if (c.key != key || c.meets) continue;
      view(c, end_);
      if (view_.is_on_features(c.plane, contacts[i].position)) continue;
      c.meets = true;
      any = true;
    }
  }
  return any;
}

// next_: the change with rows of the end that trial.change leads to.
void PegSearch::solve_at_end(const Trial& trial) {
  go_to_end(trial.change);
  mass_matrix(model_, end_);
  factor(model_, end_, step_->damping);
  gather(trial.choices, true);
  ++report_.iterations;
  const Around around{{end_state_, end_input_, end_}, trial.change};
  stepping_->solve(step_->h, step_->start, &around, data_, step_->u_free, next_);
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
    const double moved = largest_difference(next_, trial.change);
    const double scale = largest(step_->u_free) + largest(next_);
    // to rounding, or as near as the solver's own tolerance lets it come
    trial.settled = !(moved > 1e-12 * scale) || (moved <= kSettled * scale && i >= least_at + 3);
    if (moved < 0.9 * least) {
      least = moved;
      least_at = i;
    } else if (i - least_at > kPatience) {
      trial.settled = moved <= kNearEnough * scale;
      break;
    }
    // a branch that costs more than the best so far will not do
    if (i >= 6 && stepping_->motion() > 1.5 * bound_) break;
    if (trial.settled)
      std::copy(next_.begin(), next_.end(), trial.change.begin());
    else
      mixing_.advance(next_, trial.change);
  }
  go_to_end(trial.change);
}

bool PegSearch::holds(const Choice& c, bool pressed) {
  if (!settings_.relinearize) return true;
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
