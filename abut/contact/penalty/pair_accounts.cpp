#include "abut/contact/penalty/pair_accounts.h"

#include <algorithm>
#include <cmath>

#include "abut/dynamics/bias.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"

namespace abut {

namespace {

Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }

}  // namespace

PairAccounts::PairAccounts(const Model& model) : model_(model), links_(model.links.size()) {
  for (const Equality& e : model.equalities) has_loops_ = has_loops_ || e.active;
}

// Kinetic and potential, of a free body.
double PairAccounts::energy_of(const State& state, int l) const {
  const Link& link = model_.links[at(l)];
  const Joint& joint = model_.joints[at(model_.dofs[at(link.dof_begin)].joint)];
  const double *q = &state.q[at(joint.q)], *v = &state.v[at(link.dof_begin)];
  const Quat turn(q[3], q[4], q[5], q[6]);
  const Vec3 omega = vec(v + 3), velocity = vec(v) + turn * omega.cross(link.mass.com);
  return 0.5 * (link.mass.mass * velocity.squaredNorm() + omega.dot(link.mass.inertia * omega)) -
         link.mass.mass * gravity(model_).dot(vec(q) + turn * link.mass.com);
}

void PairAccounts::touch(const ForceScene& scene, const State& state, OfPair& pair, int body_a,
                         int body_b) {
  for (const int k : {0, 1}) {
    Side& s = pair.side[k];
    const int body = k == 0 ? body_a : body_b;
    s.sign = k == 0 ? -1 : 1;
    s.link = model_.bodies[at(body)].link;
    s.start = s.end = body_twist(model_, scene.input, scene.d, body, pair.point);
    s.free = s.link >= 0 && model_.trees[at(model_.links[at(s.link)].tree)].free_body;
    if (!s.free) continue;
    OfLink& l = links_[at(s.link)];
    const Link& link = model_.links[at(s.link)];
    if (!l.touched) {
      l = {};
      l.touched = true;
      touched_.push_back(s.link);
      l.energy = energy_of(state, s.link);
      l.com =
          scene.d.body_pose[at(link.body)].p + scene.d.body_rotation[at(link.body)] * link.mass.com;
      l.v_start = Eigen::Map<const Vec6>(&state.v[at(link.dof_begin)]);
    }
    s.arm = pair.point - l.com;
  }
}

void PairAccounts::open(double h, bool fresh, const ForceModel& law, const State& state,
                        const ForceScene& scene, std::span<const ContactForce> forces,
                        std::span<const ContactForce> impulses) {
  h_ = h;
  for (const int l : touched_) links_[at(l)].touched = false;
  touched_.clear();
  pairs_.assign(scene.data.patches.size(), {});
  for (const ContactForce& f : forces) {
    OfPair& pair = pairs_[at(f.patch)];
    if (!pair.pushes) pair.point = f.position;
    pair.pushes = true;
    pair.potential += f.energy;
  }
  at_start_ = at_end_ = 0;
  for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
    OfPair& pair = pairs_[at(p)];
    // a damper may hold a spring back for a step: what it has stored stays while solids overlap
    pair.open = pair.pushes || scene.data.patches[at(p)].distance < 0;
    if (!pair.open) continue;
    const PairView view(scene, p);
    if (pair.pushes) touch(scene, state, pair, view.body_a, view.body_b);
    // parts of a geom hand on what they have stored at every seam
    const bool is_part = view.patch.part_a >= 0 || view.patch.part_b >= 0;
    pair.limited = law.keeps_account(view.patch) && !is_part;
    pair.energy = fresh || !pair.limited ? pair.potential : state.contacts.pair_values(p).back();
    if (!fresh) pair.energy += view.recovery().gained * pair.potential;
  }
  for (const ContactForce& f : impulses) pairs_[at(f.patch)].energy += f.energy;
  // at most what the springs hold, half a step ago
  for (const ContactForce& f : forces) {
    const Side* s = pairs_[at(f.patch)].side;
    const Vec3 y = f.position - pairs_[at(f.patch)].point;
    const Vec3 turning = s[1].start.ang - s[0].start.ang;
    pairs_[at(f.patch)].work +=
        f.force.dot(s[1].start.lin - s[0].start.lin + turning.cross(y)) + f.couple.dot(turning);
  }
  for (OfPair& pair : pairs_) {
    const double most = pair.potential + 0.5 * h * std::max(pair.work, 0.0);
    if (!pair.open) pair.energy = 0;
    if (!pair.limited) pair.energy = pair.potential;
    if (pair.energy > most) pair.energy = most + kKept * (pair.energy - most);
    pair.work = 0;
    at_start_ += pair.energy;
  }
}

void PairAccounts::sum_up(const ForceScene& scene, std::span<const ContactForce> forces) {
  for (const ContactForce& f : forces) {
    OfPair& pair = pairs_[at(f.patch)];
    pair.force += f.force;
    pair.couple += f.couple + (f.position - pair.point).cross(f.force);
  }
  for (const OfPair& pair : pairs_)
    for (const Side& s : pair.side)
      if (s.free) links_[at(s.link)].pushed += pair.force.norm();
  const Vec3 g = has_loops_ ? Vec3(Vec3::Zero()) : gravity(model_);
  for (OfPair& pair : pairs_)
    for (Side& s : pair.side) {
      if (!s.free) continue;
      const Link& link = model_.links[at(s.link)];
      const double pushed = links_[at(s.link)].pushed;
      s.share = pushed > 0 ? pair.force.norm() / pushed : 0;
      pair.sinks -= s.share * 0.5 * h_ * h_ * s.sign * g.dot(pair.force);
      const Mat3& R = scene.d.body_rotation[at(link.body)];
      const Vec3 moment = s.sign * (pair.couple + s.arm.cross(pair.force));
      s.response = {h_ * s.sign / link.mass.mass * pair.force,
                    h_ * (R * (link.inverse_inertia * (R.transpose() * moment)))};
      const Spatial there = shift_twist(s.response, s.arm);
      pair.own += 0.5 * h_ * s.sign * (pair.force.dot(there.lin) + pair.couple.dot(there.ang));
    }
}

Spatial PairAccounts::end_motion(const Side& s) const {
  if (!s.free) return s.end;
  const OfLink& l = links_[at(s.link)];
  return {l.velocity + l.turning.cross(s.arm), l.turning};
}

// Of what is fixed or driven too: what the pair gives is what both sides get.
double PairAccounts::work_on(const OfPair& pair, int k) const {
  const Side& s = pair.side[k];
  const Spatial mean = (s.start + end_motion(s)) * 0.5;
  return h_ * pair.scale * s.sign * (pair.force.dot(mean.lin) + pair.couple.dot(mean.ang));
}

// The pair's share of what its bodies gain by falling h v' instead of h (v + v') / 2.
double PairAccounts::fall_of(const OfPair& pair) const {
  double energy = 0;
  for (const Side& s : pair.side) {
    if (!s.free || has_loops_) continue;
    const OfLink& l = links_[at(s.link)];
    energy += s.share * 0.5 * h_ * model_.links[at(s.link)].mass.mass *
              gravity(model_).dot(l.before - l.velocity);
  }
  return energy;
}

// The largest part s of its forces that does no more than the pair can pay: work and fall are
// s l + s^2 own + the rest.
void PairAccounts::scale_down(OfPair& pair, double work, double fall) {
  const double before = pair.scale, own = pair.own;
  const double l = work / before - before * own + pair.sinks;
  const double most = pair.energy - (fall - before * pair.sinks);
  const double root = std::sqrt(std::max(l * l + 4 * own * most, 0.0));
  double s = 0;
  if (l > 0) {
    s = 2 * std::max(most, 0.0) / (l + root);
  } else {
    s = own > 0 ? (root - l) / (2 * own) : before;  // in debt: as near to it as forces can get
  }
  pair.scale = std::clamp(s, 0.0, before);
  for (const Side& side : pair.side) {
    if (!side.free) continue;
    links_[at(side.link)].velocity += (pair.scale - before) * side.response.lin;
    links_[at(side.link)].turning += (pair.scale - before) * side.response.ang;
  }
}

bool PairAccounts::limit(const ForceScene& scene, std::span<const double> tau,
                         std::span<const double> u, std::span<const double> u_rate,
                         std::span<ContactForce> forces) {
  sum_up(scene, forces);
  for (const int index : touched_) {
    OfLink& l = links_[at(index)];
    const std::size_t dof = at(model_.links[at(index)].dof_begin);
    l.elsewhere = Eigen::Map<const Vec6>(&tau[dof]);
    l.before = vec(&u[dof]);
    l.velocity = l.before + h_ * vec(&u_rate[dof]);
    l.turning = vec(&u[dof + 3]) + h_ * vec(&u_rate[dof + 3]);
  }
  for (int p = 0; p < static_cast<int>(pairs_.size()); ++p)
    for (Side& s : pairs_[at(p)].side)
      if (s.link >= 0 && !s.free)
        s.end = s.start + solver_twist(model_, scene.d, u_rate, model_.links[at(s.link)].body,
                                       pairs_[at(p)].point) *
                              h_;
  bool any = false, more = true;
  for (int k = 0; k < kSweeps && more; ++k) {
    more = false;
    for (OfPair& pair : pairs_) {
      if (!pair.limited || !(pair.scale > 0)) continue;
      const double work = work_of(pair), fall = fall_of(pair);
      if (!(work + fall > pair.energy)) continue;
      scale_down(pair, work, fall);
      any = more = true;
    }
  }
  if (!any) return false;
  for (ContactForce& f : forces) {
    f.force *= scale(f.patch);
    f.couple *= scale(f.patch);
  }
  return true;
}

void PairAccounts::close(const State& end, ContactMemory& after) {
  for (const int index : touched_) {
    OfLink& l = links_[at(index)];
    const Link& link = model_.links[at(index)];
    const double *v = &end.v[at(link.dof_begin)],
                 *q = &end.q[at(model_.joints[at(model_.dofs[at(link.dof_begin)].joint)].q)];
    const Quat turn(q[3], q[4], q[5], q[6]);
    l.velocity = vec(v) + turn * vec(v + 3).cross(link.mass.com);
    l.turning = turn * vec(v + 3);
  }
  for (OfPair& pair : pairs_) {
    if (!pair.pushes) continue;
    for (const int k : {0, 1}) {
      const double work = work_on(pair, k);
      pair.work += work;
      if (!pair.side[k].free) continue;
      links_[at(pair.side[k].link)].work += work;
    }
  }
  // what a body has gained beyond that
  for (const int index : touched_) {
    OfLink& l = links_[at(index)];
    const Vec6 v = Eigen::Map<const Vec6>(&end.v[at(model_.links[at(index)].dof_begin)]);
    l.energy = has_loops_ ? 0
                          : energy_of(end, index) - l.energy - l.work -
                                0.5 * h_ * l.elsewhere.dot(l.v_start + v);
  }
  at_end_ = 0;
  for (int p = 0; p < static_cast<int>(pairs_.size()); ++p) {
    OfPair& pair = pairs_[at(p)];
    for (const Side& s : pair.side)
      if (s.free) pair.work += links_[at(s.link)].energy * s.share;
    at_end_ += after.pair_values(p).back() = pair.energy - pair.work;
  }
}

void PairAccounts::close_as_stored(ContactMemory& after) {
  at_end_ = at_start_;
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    after.pair_values(static_cast<int>(p)).back() = pairs_[p].energy;
}

}  // namespace abut
