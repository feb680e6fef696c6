// WideSolver: the impulses of large islands by sweeps over blocks of contacts (wide_contacts.h), and
// the displacement that removes their overlap.
//
//   M (u' - u_free) = J' p,   w = J u' + driven + max(psi, 0) / h,   Coulomb's law for (w, p)
//
// Sweeps start at the impulses of the step before, and end when one changes no impulse by more than
// the accuracy. A pile at rest needs one, which is its own check.
//
// Where u' leads to an overlap, a position pass looks for the displacement s = M^-1 J_n' l, l >= 0,
// that leaves no more than tolerances.h lets be; velocities know nothing of it.
#pragma once

#include <span>
#include <vector>

#include "abut/contact/fast/island_newton.h"
#include "abut/contact/fast/lane_kernels.h"
#include "abut/contact/fast/wide_contacts.h"
#include "abut/math/threads/threads.h"
#include "abut/solve/time_limit.h"

namespace abut {

struct WideSettings {
  double accuracy = 0;         // of the mean impulse that presses
  int most_sweeps = 0;         // a step
  int most_lifts = 0;          // sweeps of the position pass
  int most_corrections = 0;    // of an island, in a step
  double operations = 0;       // multiplications of corrections in a step, and beside these
  double most_operations = 0;  // a body that moves
  bool removes_overlap = true;
  const TimeLimit* limit = nullptr;  // sweeps end when it is over
};

struct WideReport {
  int contacts = 0, bodies = 0, colours = 0, sweeps = 0, lifts = 0;
  int corrected = 0;   // islands, one for each correction that was of use
  double change = 0;   // the largest of the last sweep, as part of the mean impulse
  double overlap = 0;  // m: largest above the tolerated overlap, before the position pass
  double work = 0, work_on_free = 0;  // J, as StepWork has them
};

class WideSolver {
 public:
  WideSolver(const Model& model, const WideSettings& settings, const LaneKernels& kernels,
             Threads* threads);

  // Finds the impulses, and end velocities. Islands that sweeps do not solve are corrected by steps
  // of Newton's method, as far as that is cheap.
  void solve(std::span<const double> u_free, WideContacts& contacts);
  // Whether all bodies rest: one or two sweeps show that the impulses of the step before are the
  // solution, and nothing overlaps, closes a gap or turns. Then this is as good as solve().
  bool rests(double h, std::span<const double> u_free, WideContacts& contacts);
  // Work, and the displacement of overlapping bodies.
  void finish(double h, const StepMoment& start, WideContacts& contacts);
  // Adds to `change`, one a dof, what contacts change of u_free.
  void add_change(const WideContacts& contacts, std::span<double> change) const;
  const WideReport& report() const { return report_; }
  const WideSettings& settings() const { return settings_; }

  // Moves the bodies by the displacements that solve() found; velocities of the centres of mass and
  // kinetic energy stay.
  void displace(const WideContacts& contacts, State& state) const;

 private:
  template <class Call>
  double over_blocks(WideContacts& contacts, const Call& call);
  void start(std::span<const double> u_free, WideContacts& contacts);
  double find_overlap(double h, WideContacts& contacts);
  double fastest_turn(int movers) const;
  bool is_late() const { return settings_.limit != nullptr && settings_.limit->is_over(); }
  void correct(WideContacts& contacts);
  void choose_slow();
  void step_slow(double& operations, WideContacts& contacts);
  bool is_better(int island, WideContacts& contacts);
  void set_small(double accuracy, WideContacts& contacts);
  bool note_islands(double accuracy, WideContacts& contacts);
  template <class Such>
  void set_idle(WideContacts& contacts, const Such& such);
  void sweep(int most, double accuracy, WideContacts& contacts);
  void sweep_once(WideContacts& contacts);
  void lift(WideContacts& contacts);
  void find_work(const StepMoment& start, const WideContacts& contacts);

  const Model& model_;
  WideSettings settings_;
  const LaneKernels& kernels_;
  Threads* threads_;
  std::vector<LaneMotion> u_, free_, s_;
  struct Island {  // change: the largest of a sweep (N s), then as part of the mean impulse
    double change = 0, sum = 0, pressing = 0, speed = 0, before = 0;
    int bodies = 0;
    bool solved = false;
  };
  std::vector<Island> islands_;
  std::vector<int> island_of_mover_;
  std::vector<std::int32_t> stirred_;  // one a mover (LaneStir)
  IslandNewton newton_;
  std::vector<int> slow_;             // islands that are corrected
  std::vector<LaneMotion> u_before_;  // before a correction
  std::vector<LanePoint> points_before_;
  std::vector<double> results_;  // one a task
  WideReport report_;
};

}  // namespace abut
