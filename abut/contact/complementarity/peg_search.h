// How Peg (peg.h) looks for the branch of a step: peg.cpp solves one, peg_search.cpp chooses.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <vector>

#include "abut/contact/complementarity/peg.h"

namespace abut {

// Anderson's mixing of a fixed-point iteration x <- g(x): the next x is the combination of the last
// few g(x) whose g(x) - x is least. What swings is damped by it, what creeps is hurried.
class Mixing {
 public:
  void begin(int n);
  void advance(std::span<const double> next, std::span<double> x);

 private:
  static constexpr int kDepth = 4;
  Eigen::MatrixXd df_, dg_;  // differences of g(x) - x and of g(x), a column a step
  VectorX f_, g_, new_f_;
  Eigen::Matrix<double, kDepth, kDepth> normal_;
  Eigen::Matrix<double, kDepth, 1> gamma_;
  int count_ = 0;
};

class PegSearch {
 public:
  PegSearch(const Model& model, const ContactSettings& settings, const Collider& collider);
  bool solve(const Peg::Step& step, TimeStepping& stepping, std::span<double> change);

  const ContactData& data() const { return data_; }
  std::span<const SeparatingPlane> planes() const { return planes_of_data_; }
  const PegReport& report() const { return report_; }
  std::span<const double> end_velocity() const { return end_velocity_; }

 private:
  struct Choice {  // a pair and its plane
    PairKey key = 0;
    int geom_a = 0, geom_b = 0;
    SeparatingPlane plane;
    bool meets = false;  // rows are where the surfaces meet, not all vertices over the plane
  };
  struct Option {  // another plane for a pair
    SeparatingPlane plane;
    Vec3 normal = Vec3::Zero();
    double least = 0;     // J: no branch with this plane moves less
    bool parted = false;  // it parts them at the start of the step
    bool meets = false;   // the vertices nearest to it are over the face that makes it
  };
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
    int failed = -1;       // of the choices: whose plane does not part its pair; -1: all do

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
      failed = -1;
    }
  };

  // peg.cpp: one branch
  bool evaluate(Trial& trial);
  void relinearize(Trial& trial);
  void settle(Trial& trial);
  void solve_at_end(const Trial& trial);
  void finish(Trial& best);
  void calm(const Trial& best);
  void keep_touching();
  bool find_remote(Trial& trial);
  void gather(const std::vector<Choice>& choices, bool at_end);
  bool holds(const Choice& choice, bool pressed);
  void go_to_end(std::span<const double> change);
  bool goes_through(int geom_a, int geom_b);
  double start_separation(int geom_a, int geom_b, const SeparatingPlane& plane);
  double slack_of(const Choice& choice);
  void fall_back(std::span<double> change);

  // peg_search.cpp: which branch
  bool descend(Trial& trial);
  void find_violated(const Trial& trial);
  void find_options(const Choice& choice, std::span<const double> change, std::vector<Option>& out,
                    double& own);
  void improve(Trial& best);
  void try_combinations(Trial& best, std::int64_t count);
  void try_one_by_one(Trial& best);
  void try_planes(const Trial& from, std::span<const int> picked, Trial& best);
  bool is_better(const Trial& trial, const Trial& best);
  SeparatingPlane remembered(PairKey key) const;
  bool view(const Choice& choice, const Derived& d);

  const Model& model_;
  const ContactSettings& settings_;
  PlanePair view_;
  ConstraintRows probe_;
  BlockRows probe_block_;
  ContactData data_, scratch_data_;
  std::vector<SeparatingPlane> planes_of_data_;
  std::vector<PairQuery> queries_;
  PegReport report_;

  const Peg::Step* step_ = nullptr;
  TimeStepping* stepping_ = nullptr;
  bool let_stay_ = false;     // level 1
  double bound_ = kInfinity;  // J: the motion to beat

  State end_state_;
  Input end_input_;
  Derived end_;
  std::vector<double> next_, row_, kept_, end_velocity_, u_end_, u_alone_, gaps_, parting_;
  // kept from step to step, so that a warm step allocates nothing
  Trial best_, without_, trial_, from_;
  std::vector<Tried> tried_;
  std::vector<int> picked_, now_;
  Mixing mixing_;
  std::vector<SeparatingPlane> planes_;
  std::vector<Choice> violated_;
  std::vector<std::vector<Option>> others_;  // one list a choice of the best
  std::vector<Option> options_;
  ContactMemory no_memory_;
};

}  // namespace abut
