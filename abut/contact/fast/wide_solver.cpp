#include "abut/contact/fast/wide_solver.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/fast/tolerances.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"

namespace abut {

namespace {

// Blocks of a task. Fewer are swept by the caller: waking a thread takes longer.
constexpr int kBlocksPerTask = 64;
// Sweeps that show whether an island rests.
constexpr int kRestSweeps = 2;
// Bodies of an island: more are not corrected,
constexpr int kMostCorrected = 256;
// Multiplications of a system, a body: arches and towers take fewer, islands with loops all over more.
constexpr double kThin = 1e4;

Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }

}  // namespace

WideSolver::WideSolver(const Model& model, const WideSettings& settings, const LaneKernels& kernels,
                       Threads* threads)
    : model_(model), settings_(settings), kernels_(kernels), threads_(threads) {}

// The largest result of call(first, last) over all blocks, colour by colour.
template <class Call>
double WideSolver::over_blocks(WideContacts& contacts, const Call& call) {
  double worst = 0;
  LanePair* blocks = contacts.pairs().data();
  for (const WideContacts::Colour& c : contacts.colours()) {
    const int tasks = (c.end - c.begin) / kBlocksPerTask;
    if (!c.apart || threads_ == nullptr || threads_->count() == 1 || tasks < 2) {
      worst = std::max(worst, call(blocks + c.begin, blocks + c.end));
      continue;
    }
    results_.assign(at(tasks), 0.0);
    threads_->run(tasks, [&](int task) {
      const int n = c.end - c.begin;
      results_[at(task)] =
          call(blocks + c.begin + n * task / tasks, blocks + c.begin + n * (task + 1) / tasks);
    });
    for (const double r : results_) worst = std::max(worst, r);
  }
  return worst;
}

void WideSolver::solve(std::span<const double> u_free, WideContacts& contacts) {
  start(u_free, contacts);
  sweep(settings_.most_sweeps, settings_.accuracy, contacts);
  if (report_.change > settings_.accuracy) correct(contacts);
}

void WideSolver::finish(double h, const StepMoment& moment, WideContacts& contacts) {
  set_idle(contacts, [](const Island&) { return false; });
  find_work(moment, contacts);
  if (settings_.removes_overlap && find_overlap(h, contacts) > 0) lift(contacts);
}

bool WideSolver::rests(double h, std::span<const double> u_free, WideContacts& contacts) {
  start(u_free, contacts);
  sweep(kRestSweeps, kRests, contacts);
  return report_.change <= kRests && !contacts.closes_gaps() &&
         h * fastest_turn(contacts.movers()) <= kRestTurn && !(find_overlap(h, contacts) > 0);
}

double WideSolver::fastest_turn(int movers) const {
  double fastest = 0;
  for (int m = 0; m < movers; ++m) fastest = std::max(fastest, vec(u_[at(m)].ang).norm());
  return fastest;
}

void WideSolver::add_change(const WideContacts& contacts, std::span<double> change) const {
  for (int m = 0; m < contacts.movers(); ++m) {
    const int dof = model_.trees[at(contacts.trees()[at(m)])].dof_begin;
    for (int k = 0; k < 3; ++k) {
      change[at(dof + k)] += u_[at(m)].lin[k] - free_[at(m)].lin[k];
      change[at(dof + 3 + k)] += u_[at(m)].ang[k] - free_[at(m)].ang[k];
    }
  }
}

// Velocities that the impulses of the step before lead to.
void WideSolver::start(std::span<const double> u_free, WideContacts& contacts) {
  report_ = {.contacts = contacts.contacts(),
             .bodies = contacts.movers(),
             .colours = static_cast<int>(contacts.colours().size())};
  islands_.assign(at(contacts.islands()), {});
  island_of_mover_.assign(at(contacts.movers()), 0);
  for (const LanePair& pair : contacts.pairs())
    for (int k = 0; k < kLanes; ++k)
      for (const std::int32_t body : {pair.body_a[k], pair.body_b[k]})
        if (body < contacts.movers()) island_of_mover_[at(body)] = pair.island[k];
  free_.assign(at(contacts.movers()) + 1, {});
  for (int m = 0; m < contacts.movers(); ++m) {
    const double* u = &u_free[at(model_.trees[at(contacts.trees()[at(m)])].dof_begin)];
    std::copy_n(u, 3, free_[at(m)].lin);
    std::copy_n(u + 3, 3, free_[at(m)].ang);
  }
  u_ = free_;
  LanePoint* points = contacts.points().data();
  const LaneMass* masses = contacts.masses().data();
  over_blocks(contacts, [&](const LanePair* first, const LanePair* last) {
    kernels_.prepare(first, last, points, masses);
    kernels_.push(first, last, points, masses, u_.data(), contacts.movers());
    return 0.0;
  });
}

void WideSolver::sweep_once(WideContacts& contacts) {
  LanePoint* points = contacts.points().data();
  const LaneMass* masses = contacts.masses().data();
  const LaneStir stir{stirred_.data(), ++report_.sweeps};
  over_blocks(contacts, [&](LanePair* first, LanePair* last) {
    kernels_.sweep(first, last, points, masses, u_.data(), contacts.movers(), stir);
    return 0.0;
  });
}

void WideSolver::sweep(int most, double accuracy, WideContacts& contacts) {
  stirred_.assign(at(contacts.movers()) + 1, 0);
  for (report_.sweeps = 0; report_.sweeps < most;) {
    sweep_once(contacts);
    if (note_islands(accuracy, contacts) || is_late()) break;
    if (report_.sweeps == 1) set_small(accuracy, contacts);
  }
}

// Which changes are small, by the mean impulses of the islands, and what the first sweep stirred.
void WideSolver::set_small(double accuracy, WideContacts& contacts) {
  stirred_.assign(stirred_.size(), 0);
  for (LanePair& pair : contacts.pairs())
    for (int k = 0; k < kLanes; ++k) {
      if (pair.island[k] < 0) continue;
      const Island& of = islands_[at(pair.island[k])];
      pair.small[k] = of.pressing > 0 ? accuracy * of.sum / of.pressing : 0;
      if (!(pair.change[k] > pair.small[k])) continue;
      stirred_[at(pair.body_a[k])] = stirred_[at(pair.body_b[k])] = 1;
    }
}

// What the last sweep changed of each island; whether all are solved. Blocks of solved ones are
// passed by from now on.
bool WideSolver::note_islands(double accuracy, WideContacts& contacts) {
  for (Island& of : islands_)
    if (!of.solved) of.change = of.sum = of.pressing = 0;
  for (const LanePair& pair : contacts.pairs()) {
    if (pair.idle) continue;
    for (int k = 0; k < kLanes; ++k) {
      if (pair.island[k] < 0 || islands_[at(pair.island[k])].solved) continue;
      Island& of = islands_[at(pair.island[k])];
      of.change = std::max(of.change, pair.change[k]);
      of.sum += pair.sum[k];
      of.pressing += pair.pressing[k];
    }
  }
  report_.change = 0;
  bool all = true;
  for (Island& of : islands_) {
    if (!of.solved && of.sum > 0) of.change *= of.pressing / of.sum;
    of.solved = of.change <= accuracy;
    report_.change = std::max(report_.change, of.change);
    all &= of.solved;
  }
  if (!all) set_idle(contacts, [](const Island& of) { return of.solved; });
  return all;
}

// Blocks pass the time in which all islands are such.
template <class Such>
void WideSolver::set_idle(WideContacts& contacts, const Such& such) {
  for (LanePair& pair : contacts.pairs()) {
    bool is_open = false;
    for (int k = 0; k < kLanes; ++k)
      is_open |= pair.island[k] >= 0 && !such(islands_[at(pair.island[k])]);
    pair.idle = !is_open;
  }
}

// --- corrections

// All islands that are chosen take a step, and sweeps then show which of them are better for it.
void WideSolver::correct(WideContacts& contacts) {
  choose_slow();
  if (slow_.empty()) return;
  newton_.index(contacts);
  double operations = settings_.most_operations * contacts.movers() + settings_.operations;
  for (int round = 0; round < settings_.most_corrections && !is_late(); ++round) {
    u_before_ = u_;
    points_before_.assign(contacts.points().begin(), contacts.points().end());
    step_slow(operations, contacts);
    if (slow_.empty()) return;
    for (int i = 0; i < kRestSweeps; ++i) {
      sweep_once(contacts);
      note_islands(settings_.accuracy, contacts);
    }
    std::erase_if(slow_, [&](int island) {
      return !is_better(island, contacts) || islands_[at(island)].solved;
    });
  }
}

// Islands that are not solved, the slowest first: they may come to rest.
void WideSolver::choose_slow() {
  for (Island& of : islands_) of.bodies = 0;
  for (std::size_t m = 0; m < island_of_mover_.size(); ++m) {
    Island& of = islands_[at(island_of_mover_[m])];
    of.speed = std::max(of.speed, vec(u_[m].lin).norm());
    ++of.bodies;
  }
  slow_.clear();
  for (std::size_t i = 0; i < islands_.size(); ++i)
    if (const Island& of = islands_[i]; !of.solved && of.bodies <= kMostCorrected)
      slow_.push_back(static_cast<int>(i));
  std::sort(slow_.begin(), slow_.end(), [&](int i, int j) {
    return std::pair(islands_[at(i)].speed, i) < std::pair(islands_[at(j)].speed, j);
  });
}

// Those that are too expensive are no longer among slow_.
void WideSolver::step_slow(double& operations, WideContacts& contacts) {
  std::erase_if(slow_, [&](int island) {
    if (operations <= 0) return true;
    const double needed = newton_.take(island, contacts);
    if (needed > operations || needed > kThin * islands_[at(island)].bodies) return true;
    islands_[at(island)].before = islands_[at(island)].change;
    const int systems = newton_.step(contacts, u_);
    operations -= needed * std::max(systems, 1);
    return systems == 0;
  });
  for (std::int32_t& last : stirred_) last = report_.sweeps;
}

// Whether the last correction has led nearer to the solution; else it is undone.
bool WideSolver::is_better(int island, WideContacts& contacts) {
  Island& of = islands_[at(island)];
  if (of.change < of.before) {
    ++report_.corrected;
    return true;
  }
  of.change = of.before;
  for (std::size_t m = 0; m < island_of_mover_.size(); ++m)
    if (island_of_mover_[m] == island) u_[m] = u_before_[m];
  for (const LanePair& pair : contacts.pairs())
    for (int k = 0; k < kLanes; ++k)
      if (pair.island[k] == island)
        for (int i = pair.begin; i < pair.end; ++i)
          for (int x = 0; x < 3; ++x)
            contacts.points()[at(i)].p[x][k] = points_before_[at(i)].p[x][k];
  return false;
}

// --- positions

double WideSolver::find_overlap(double h, WideContacts& contacts) {
  LanePoint* points = contacts.points().data();
  return report_.overlap = over_blocks(contacts, [&](const LanePair* first, const LanePair* last) {
           return kernels_.advance_gaps(first, last, points, h, u_.data());
         });
}

void WideSolver::lift(WideContacts& contacts) {
  s_.assign(at(contacts.movers()) + 1, {});
  LanePoint* points = contacts.points().data();
  const LaneMass* masses = contacts.masses().data();
  stirred_.assign(at(contacts.movers()) + 1, 0);
  while (report_.lifts < settings_.most_lifts) {
    const LaneStir stir{stirred_.data(), report_.lifts + 1};
    const double worst = over_blocks(contacts, [&](const LanePair* first, const LanePair* last) {
      return kernels_.lift(first, last, points, masses, s_.data(), contacts.movers(), stir);
    });
    ++report_.lifts;
    if (worst <= 0) break;
  }
}

// p . J (u + u') / 2 summed over contacts is (M (u' - u_free)) . (u + u') / 2 summed over bodies.
void WideSolver::find_work(const StepMoment& moment, const WideContacts& contacts) {
  for (int m = 0; m < contacts.movers(); ++m) {
    const Tree& tree = model_.trees[at(contacts.trees()[at(m)])];
    const Link& link = model_.links[at(tree.link_begin)];
    const Mat3& R = moment.d.body_rotation[at(link.body)];
    const Vec3 omega = R * vec(&moment.state.v[at(tree.dof_begin + 3)]);
    const Vec3 v = vec(&moment.state.v[at(tree.dof_begin)]) + omega.cross(R * link.mass.com);
    const LaneMotion &end = u_[at(m)], &fly = free_[at(m)];
    const Vec3 impulse = link.mass.mass * (vec(end.lin) - vec(fly.lin));
    const Vec3 twist = R * (link.mass.inertia * (R.transpose() * (vec(end.ang) - vec(fly.ang))));
    report_.work += 0.5 * (impulse.dot(v + vec(end.lin)) + twist.dot(omega + vec(end.ang)));
    report_.work_on_free +=
        0.5 * (impulse.dot(vec(fly.lin) + vec(end.lin)) + twist.dot(vec(fly.ang) + vec(end.ang)));
  }
}

void WideSolver::displace(const WideContacts& contacts, State& state) const {
  if (report_.lifts == 0) return;
  for (int m = 0; m < contacts.movers(); ++m) {
    const LaneMotion& s = s_[at(m)];
    const Vec3 shift = vec(s.lin), turned = vec(s.ang);
    if (shift.isZero(0) && turned.isZero(0)) continue;
    const Tree& tree = model_.trees[at(contacts.trees()[at(m)])];
    const Link& link = model_.links[at(tree.link_begin)];
    double* q = &state.q[at(model_.joints[at(model_.dofs[at(tree.dof_begin)].joint)].q)];
    double* v = &state.v[at(tree.dof_begin)];
    Quat Q(q[3], q[4], q[5], q[6]);
    const Vec3 arm = Q * link.mass.com, omega = vec(v + 3);
    const Vec3 rate = Q * omega.cross(link.mass.com);
    Q = (exp_rotation(turned) * Q).normalized();
    const Vec3 p = vec(q) + arm + shift - Q * link.mass.com;
    const Vec3 v_new = vec(v) + rate - Q * omega.cross(link.mass.com);
    std::copy_n(p.data(), 3, q);
    q[3] = Q.w(), q[4] = Q.x(), q[5] = Q.y(), q[6] = Q.z();
    std::copy_n(v_new.data(), 3, v);
  }
}

}  // namespace abut
