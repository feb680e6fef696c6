// ContactsAhead: which pairs take part in a step of st. A contact that is linear about the start of
// the step is a half-space without end; a body that falls past the top of a wall at a small
// distance would be stopped by it in mid-air (a ghost contact). So a pair takes part only
//
//   if it overlaps and does not bounce, or pressed in the last step and is still near, or
//   if the motion that the other pairs lead to makes the two meet (collide/first_meeting.h). Where
//   they meet with another normal than they have at the start, its contacts are those of the
//   meeting, brought back to the start of the step.
//
//   ahead.begin(state.contacts, d, data);                   // pairs that take part from the start
//   do stepping.solve(.., {.used = ahead.used()}, ..);      // the motion they lead to
//   while (ahead.looks_ahead(step, data) &&
//          (ahead.extend(step, end, collider, data) ||      // pairs that it makes meet
//           ahead.correct(step, end, presses, collider, data)));
//
// Gaps are linear in the motion, and bodies turn: a pair that has met and presses ends apart, or
// overlapping, by the square of the turn; so does a pair that pressed before and turns. correct()
// takes the contacts of where the pair ended, with gaps that are linear about that end. At a corner
// two normals may take turns: from the fourth correction on the contacts stay, and their plane is
// shifted until the pair ends touching (plane_shift.h). What is left is counted
// (simulate/ghosts.h).
//
// Pairs with restitution that meet fast enough to bounce get no contacts. Bounces of bodies that
// fly are followed on their own (followed(), impact/flights.h); at the first other one the step is
// to end (bounce()), and ImpactSet does the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "abut/constrain/ahead/bounce_rule.h"
#include "abut/constrain/ahead/flight_rule.h"
#include "abut/constrain/ahead/plane_shift.h"
#include "abut/model/input.h"
#include "abut/model/state.h"
#include "abut/solve/problem.h"

namespace abut {

class ContactsAhead {
 public:
  // Of a step: rounds that find pairs; that correct pairs which met, and pairs which pressed from
  // the start on. Of a pair: corrections before its plane is shifted.
  static constexpr int kMostRounds = 12, kMostCorrections = 20, kMostOfPressing = 6;
  static constexpr int kMostRelinearised = 3;

  // `bounces` must outlive this.
  // max_points: of a patch (CollideOptions).
  ContactsAhead(const Model& model, const Collider& collider, const BounceRule& bounces,
                int max_points);

  struct Step {
    double h;
    const State& state;
    const Input& input;
    const Derived& start;  // poses and velocities at the start
    std::span<const double> change;
    std::span<const double> reach;  // of each geom (m)
    std::span<const double> u;      // at the end, in solver coordinates (solver_velocity.h)
  };

  // Wants velocities() in `start`. `left_out`: patches (one a patch, or empty) that others solve:
  // they are never used and never looked at.
  void begin(const ContactMemory& memory, const Derived& start, const ContactData& data,
             std::span<const std::uint8_t> left_out = {});
  // One a patch.
  std::span<const std::uint8_t> used() const { return used_; }
  // Whether the end of the step can change what takes part, and how.
  bool looks_ahead(const Step& step, const ContactData& data) const;
  // Puts pairs that meet on the way to `end` (poses after the move) into use, and says whether
  // there were any. Without `may_bounce` those that would bounce are put into use as well.
  // `flights`: follows bounces; may be null.
  bool extend(const Step& step, const Derived& end, bool may_bounce, const FlightRule* flights,
              Collider& collider, ContactData& data);
  // Changes the contacts of pairs that met in this step and end overlapping, and of those that
  // press (one a patch) and end apart; false: there are none, or it was done kMostCorrections
  // times.
  bool correct(const Step& step, const Derived& end, std::span<const std::uint8_t> presses,
               Collider& collider, ContactData& data);
  // Uses all pairs, as they were found.
  void use_all();
  // Of the last extend(): time (s) of the first bounce on the way, infinite if there is none; and
  // the contacts of all pairs that bounce.
  double bounce() const { return bounce_; }
  const ContactData& bouncing() const { return bouncing_; }
  // Of the last extend(): meetings that Flights is to follow.
  std::span<const FollowedBounce> followed() const { return followed_; }

 private:
  // How far the corrections of a pair have come.
  struct Correction {
    int relinearised = 0;       // times
    std::optional<Patch> best;  // contacts with which the pair ended nearest to a touch,
    double gap = -kInfinity;    // there (m)
    PlaneShift plane;
  };

  bool correct_pair(const Step& step, const Derived& end, std::size_t patch, bool presses,
                    Collider& collider, ContactData& data);
  // A pair that is not in use and meets on its way.
  struct Met {
    std::size_t patch = 0;
    Meeting meeting;
    bool followed = false, slow = false;
  };
  void find_meetings(const StepMotion& motion, std::span<const double> reach,
                     const FlightRule* flights, Collider& collider, const ContactData& data);
  void find_first_bounces(const ContactData& data);
  bool may_be_passed(const Met& met, const Patch& patch) const;
  void use(const Met& met, const Step& step, Collider& collider, ContactData& data);
  StepMotion motion_of(const Step& step, const Derived& end) const;
  int tree_of(int geom) const;  // -1: fixed or driven
  bool turns(const Step& step, const Patch& patch) const;
  void relinearise(const Step& step, const Pose& X_WA, const Pose& X_WB, Collider& collider,
                   Patch& patch, ContactPoints& points);
  bool bring_back(const Meeting& meeting, const Step& step, Collider& collider, Patch& patch,
                  ContactPoints& points);
  bool bring_back(const Pose& X_WA, const Pose& X_WB, const Step& step, Collider& collider,
                  Patch& patch, ContactPoints& points);

  const Model& model_;
  const BounceRule& bounces_;
  int max_points_;
  std::vector<double> sizes_;
  std::vector<std::uint8_t> used_, met_now_, left_out_;
  std::vector<Correction> corrected_;  // one a patch
  int unused_ = 0, corrections_ = 0;
  double bounce_ = 0;
  std::vector<GeomMotion> motions_;  // of geoms, as extend() finds them
  std::vector<std::uint8_t> moves_;  // whether it has
  std::vector<Met> meetings_;
  std::vector<double> first_bounce_;  // one a tree (s): that is followed
  std::vector<FollowedBounce> followed_;
  GeomMotion motion_a_, motion_b_;
  ContactData bouncing_, met_;
};

}  // namespace abut
