// The parts of a Session, for its own sources only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abut/simulate/simulator.h"
#include "abut/view/live/hand.h"
#include "abut/view/scene/looker.h"

namespace abut::view::session_parts {

// A period with one model: a thrown box or a new step length begins another. An era is small. Its
// model, which may take megabytes, is rebuilt when the session returns to it.
struct Era {
  int box = -1;         // the last thrown box; -1: none
  double timestep = 0;  // s
  int number = 0;
};

// A box thrown into the world of the box before it.
struct ThrownBox {
  int before = -1;
  std::string name;
  Vec3 place = Vec3::Zero();  // m
  double half = 0;            // m: half a side
};

// The model of an era, and data derived from it.
struct Built {
  std::shared_ptr<const Era> era;
  Model model;
  std::unique_ptr<HandForces> hands;
};

struct Lane {
  std::shared_ptr<const ContactSettings> settings;
  State state, good;
  ContactForces forces;
  int diverged_body = -1;
  double step_ms = 0;
  Derived poses;
  // the arguments of the two below
  std::shared_ptr<const Built> built;
  std::shared_ptr<const ContactSettings> built_for;
  std::unique_ptr<Simulator> simulator;
  std::unique_ptr<Looker> looker;
};

struct Snapshot {
  struct OfLane {
    std::shared_ptr<const ContactSettings> settings;
    State state;
    ContactForces forces;
    int diverged_body;
  };
  std::int64_t step = 0;
  std::shared_ptr<const Era> era;
  std::vector<OfLane> lanes;
  std::vector<Pose> mocap;
  std::vector<Vec6> mocap_velocity;
  std::vector<double> ctrl;
  bool for_good = false;     // beside a change, so that it cannot be thinned out
  bool thinned_out = false;  // kept by a mark alone
  std::int64_t number = 0;   // number of snapshots taken before it

  // Its memory, including everything that no other snapshot shares.
  std::size_t bytes() const {
    std::size_t n = sizeof *this + mocap.capacity() * sizeof(Pose) +
                    mocap_velocity.capacity() * sizeof(Vec6) + 8 * ctrl.capacity() +
                    lanes.capacity() * sizeof(OfLane);
    for (const OfLane& lane : lanes) {
      const State& s = lane.state;
      n += sizeof(ContactSettings) + 8 * s.contacts.word_count() +
           8 * (s.q.capacity() + s.v.capacity() + s.act.capacity() + s.turn.capacity()) +
           sizeof(PairForce) * lane.forces.pairs.capacity() +
           sizeof(PointForce) * lane.forces.points.capacity();
    }
    return n;
  }
};

}  // namespace abut::view::session_parts
