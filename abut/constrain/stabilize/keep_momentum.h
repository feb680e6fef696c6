// Momentum after bodies have been displaced. A post-step moves bodies that go on with their
// velocities, and so does peg, whose contacts decide where bodies end; what they carry about their
// common centre is then another. For bodies that only touch
// each other the velocities are changed by the least amount, measured by the masses, that gives the
// angular momentum back:
//
//   spin     each body keeps its own R I R' omega
//   orbits   dv_i = dw x r_i, domega_i = dw for all: Theta dw = what is missing, Theta the inertia
//            of all bodies as one rigid body about their common centre
//
//   keeper.note(islands, rows.groups(), impulses, state.v, d);   // before the move
//   .. // q changes
//   keeper.restore(d, state.v);   // d has the new poses
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/islands.h"
#include "abut/model/derived.h"

namespace abut {

class MomentumKeeper {
 public:
  explicit MomentumKeeper(const Model& model) : model_(model) {}

  // Islands of free bodies that touch nothing but each other, and have an impulse that is not 0
  // (one a row, or empty: all count). Wants positions().
  void note(const Islands& islands, std::span<const RowGroup> groups,
            std::span<const double> impulses, std::span<const double> v, const Derived& d);
  // The same islands; wants positions(). An island whose energy is not enough gains some, or keeps
  // the velocities that it has.
  enum class TooLittleEnergy { gain, leave };
  void restore(const Derived& d, std::span<double> v, TooLittleEnergy rule = TooLittleEnergy::gain);
  // N s: momentum that the last restore() took from some bodies and gave to others.
  double handed() const { return handed_; }

 private:
  struct Moving {
    double mass = 0;
    Mat3 inertia = Mat3::Zero();                                               // world axes
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero(), omega = Vec3::Zero();  // of the centre

    Vec3 spin() const { return inertia * omega; }
  };
  struct Together {
    double mass = 0, kinetic = 0;
    Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), angular = Vec3::Zero();  // about center
    Mat3 inertia = Mat3::Zero();
  };
  bool floats(std::span<const int> island, std::span<const RowGroup> groups,
              std::span<const double> impulses);
  void read(std::span<const int> trees, std::span<const double> v, const Derived& d);
  Together together() const;
  void write(std::span<const int> trees, const Derived& d, std::span<double> v) const;
  void keep_spins(std::span<const Vec3> spins);
  bool give_back(const Together& before);

  const Model& model_;
  std::vector<int> island_;         // trees of one set
  std::vector<Moving> bodies_;      // the same
  std::vector<Moving> had_;         // the same, before they were changed
  std::vector<int> trees_, begin_;  // of all sets, and where each begins
  std::vector<Vec3> spins_;         // of each tree, before
  std::vector<Together> before_;    // of each set
  double handed_ = 0;
};

}  // namespace abut
