// What a Session is made of; for its own sources alone.
#pragma once

#include "abut/view/session.h"

namespace abut::view {

// As long as the model is one: a thrown box or a new step begins another.
struct Session::Era {
  Model model;
  std::shared_ptr<const World> world;
  std::unique_ptr<HandForces> hands;
  Vec3 origin = Vec3::Zero();
  double size = 1;  // m
  int number = 0;
};

struct Session::Lane {
  std::shared_ptr<const ContactSettings> settings;
  State state, good;
  ContactForces forces;
  int diverged_body = -1;
  double step_ms = 0;
  Derived poses;
  // what the two below were made for
  std::shared_ptr<const Era> era;
  std::shared_ptr<const ContactSettings> built_for;
  std::unique_ptr<Simulator> simulator;
  std::unique_ptr<Looker> looker;
};

struct Session::Snapshot {
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
  bool for_good = false;  // around a change, so that it cannot be thinned out

  std::size_t bytes() const {
    std::size_t n = sizeof *this;
    for (const OfLane& lane : lanes)
      n += sizeof lane + 8 * (lane.state.q.size() + lane.state.v.size() + lane.state.act.size()) +
           8 * lane.state.contacts.word_count() + sizeof(PairForce) * lane.forces.pairs.size() +
           sizeof(PointForce) * lane.forces.points.size();
    return n;
  }
};

}  // namespace abut::view
