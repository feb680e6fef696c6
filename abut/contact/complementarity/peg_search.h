// How Peg (peg.h) looks for the branch of a step: peg_branch.cpp solves one, peg_options.cpp has
// the planes that a pair could have, peg_search.cpp chooses.
#pragma once

#include <algorithm>
#include <vector>

#include "abut/collide/peg/separating_plane.h"
#include "abut/constrain/stabilize/keep_momentum.h"
#include "abut/contact/complementarity/mixing.h"
#include "abut/contact/complementarity/peg_step.h"
#include "abut/contact/settings.h"

namespace abut {

class PegSearch {
 public:
  PegSearch(const Model& model, const ContactSettings& settings, const Collider& collider);
  void start_step() { report_ = {}; }
  bool solve(const PegStep& step, TimeStepping& stepping, std::span<double> change);

  const ContactData& data() const { return data_; }
  std::span<const SeparatingPlane> planes() const { return planes_of_data_; }
  std::int32_t memory_of(std::size_t patch) const;
  const PegReport& report() const { return report_; }
  std::span<const double> end_velocity() const { return end_velocity_; }
  std::span<const double> handed() const { return handed_; }

 private:
  struct Choice {  // a pair and its plane
    PairKey key = 0;
    int geom_a = 0, geom_b = 0;
    SeparatingPlane plane;
    bool met = false;       // `meets` at the end of the step before
    bool meets = false;     // rows are where the surfaces meet, not all vertices over the plane
    bool failed = false;    // the plane did not part them when it was tried last
    bool recalled = false;  // the plane is that of the step before, not one that was picked
  };
  struct Option {  // another plane for a pair
    SeparatingPlane plane;
    Vec3 normal = Vec3::Zero();
    double least = 0;     // J: no branch with this plane moves less
    bool parted = false;  // it parts them at the start of the step
    bool meets = false;   // the vertices nearest to it are over the face that makes it
  };
  enum class Wanted { parted, all };  // those that part the pair at the start, or all
  struct Tried {
    PairKey key = 0;
    SeparatingPlane plane;
  };
  struct Trial {                  // a branch and what came of it
    std::vector<Choice> choices;  // ascending by key
    std::vector<double> change;
    double motion = 0;
    bool fresh = true;     // nothing is known of its change
    bool settled = false;  // its gaps are what they seem
    int restless = 0;      // of the choices: whose contacts moved most in the last iteration

    void add(const Choice& c) {
      const auto place = std::find_if(choices.begin(), choices.end(),
                                      [&](const Choice& other) { return other.key > c.key; });
      choices.insert(place, c);
    }
    void clear() {
      choices.clear();
      change.clear();
      motion = 0;
      fresh = true;
      settled = false;
    }
  };

  // peg.cpp: the step
  void begin(const PegStep& step, TimeStepping& stepping);
  bool find_branch(Trial& best);
  void finish(Trial& best);
  void calm(const Trial& best);
  void find_alone(std::span<const double> change);
  void keep_touching();
  void fall_back(std::span<double> change);

  // peg_branch.cpp: one branch
  bool evaluate(Trial& trial);
  void solve_at_start(Trial& trial);
  void relinearize(Trial& trial);
  void settle(Trial& trial);
  void solve_at_end(const Trial& trial);
  void solve_rows(const Around* around, std::span<const double> u_free, std::span<double> change);
  void keep_impulses();
  double greatest_shift(Trial& trial);
  bool is_beaten(double moved) const;
  bool find_remote(Trial& trial);
  void gather(const std::vector<Choice>& choices, bool at_end);
  bool append_near(const Choice& choice);
  bool holds(const Choice& choice, bool pressed);
  void go_to_end(std::span<const double> change);
  void factor_end();
  bool goes_through(int geom_a, int geom_b);
  double start_separation(int geom_a, int geom_b, const SeparatingPlane& plane);
  double slack_of(const Choice& choice);
  bool view(const Choice& choice, const Derived& d);

  // peg_options.cpp: planes of a pair
  void find_options(const Choice& choice, std::span<const double> change, Wanted wanted,
                    double most, std::vector<Option>& out, double& own);
  double least_motion(const Vec3& point, const Vec3& normal, double psi,
                      std::span<const double> change);
  double least_of_witness(const Vec3& normal, std::span<const double> change);
  bool make_option(const SeparatingPlane& plane, std::span<const double> change, Option& o);
  static bool is_cheaper(const Option& a, const Option& b);
  bool pick(Choice& choice, std::span<const double> change);
  std::int64_t find_others(const Trial& best, std::int64_t limit);
  SeparatingPlane remembered(PairKey key, bool* met = nullptr) const;

  // peg_search.cpp: which branch
  bool descend(Trial& trial);
  void find_violated(const Trial& trial);
  bool replace_failed(Trial& trial);
  bool ends_apart(const Choice& choice);
  void improve(Trial& best);
  void try_combinations(Trial& best, std::int64_t count);
  void try_one_by_one(Trial& best);
  void try_planes(const Trial& from, std::span<const int> picked, Trial& best);
  bool is_better(const Trial& trial, const Trial& best);

  const Model& model_;
  const bool relinearizes_;
  PlanePair view_, start_view_;
  MomentumKeeper keeper_;
  ConstraintRows probe_;
  BlockRows probe_block_;
  ContactData data_, scratch_data_;
  std::vector<SeparatingPlane> planes_of_data_;
  std::vector<bool> meets_of_data_;
  std::vector<PairQuery> queries_;
  PegReport report_;

  const PegStep* step_ = nullptr;
  TimeStepping* stepping_ = nullptr;
  State warm_;                // the start of the step, with the impulses of the last problem
  bool let_stay_ = false;     // level 2
  double bound_ = kInfinity;  // J: the motion to beat
  bool is_spent() const { return spent_ >= allowed_; }
  bool is_hard_ = false;         // a problem of this part of the step was not solved
  int spent_ = 0, allowed_ = 0;  // work of this part of the step

  State end_state_;
  Input end_input_;
  Derived end_;
  std::vector<double> end_change_;  // that end_ is of
  bool has_end_ = false, end_is_factored_ = false;
  std::vector<double> next_, row_, kept_, end_velocity_, u_end_, u_alone_, v_alone_, gaps_;
  std::vector<double> handed_, parting_;
  std::vector<double> difference_, rates_;
  // kept from step to step, so that a warm step allocates nothing
  Trial best_, without_, trial_, from_;
  bool is_current_ = false;  // data_ and stepping_ are of the best
  std::vector<Tried> tried_;
  std::vector<int> picked_, now_;
  Mixing mixing_;
  std::vector<SeparatingPlane> planes_;
  std::vector<Choice> violated_;
  std::vector<std::vector<Option>> others_;  // one list a choice of the best
  std::vector<Option> options_, candidates_;
  std::vector<double> cheapest_;
  std::vector<std::uint64_t> ids_;
};

}  // namespace abut
