// The problem of the contacts of some pairs, each with its plane, and what its solves cost. One
// problem begins with the impulses of the one before.
//
//   problem.begin(scene, stepping, report);
//   problem.gather(scene, choices, PegProblem::Moment::end);
//   problem.solve(scene, &around, u_free, change);
//   problem.stepping().impulses();
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/contact/complementarity/peg/peg_scene.h"

namespace abut {

class PegProblem {
 public:
  // `report` counts what is solved. Problems of islands leave the impulses of others as they are.
  PegProblem(PegReport& report, bool has_islands) : report_(report), has_islands_(has_islands) {}
  void begin(const PegScene& scene, TimeStepping& stepping);

  enum class Moment { start, end };
  // The contacts of each pair's plane: the vertices over it, wherever they are beside its face, as
  // the paper has them; where that would press at a distance (`meets`), those where the surfaces
  // meet. At the end wants PegScene::go_to_end().
  void gather(PegScene& scene, std::span<const PegChoice> choices, Moment moment);
  // All contacts ahead at the start, without planes.
  void take(const ContactData& near);
  // With rows about the end, or about the start (no `around`).
  // `kept`: see StepTerms.
  void solve(const PegScene& scene, const Around* around, std::span<const double> u_free,
             std::span<double> change, std::span<const std::uint8_t> kept = {});

  ContactData& data() { return data_; }
  const ContactData& data() const { return data_; }
  std::span<const SeparatingPlane> planes() const { return planes_; }  // one a patch
  std::int32_t memory_of(std::size_t patch) const {
    return PegScene::to_remember(planes_[patch], meets_[patch]);
  }
  PairKey pair_of(const Contact& contact) const {
    const Patch& patch = data_.patches[static_cast<std::size_t>(contact.patch)];
    return patch.key();
  }
  TimeStepping& stepping() { return *stepping_; }
  const TimeStepping& stepping() const { return *stepping_; }

  // Whether the last problem has pairs of one that was not solved: it was a proximal step.
  bool is_hard() const;

  // Of the allowance of this part of the step, in pairs of problems.
  bool is_spent() const { return spent_ >= allowed_; }
  int left() const { return allowed_ - spent_; }
  void allow_once_more() { allowed_ += spent_; }

 private:
  void append(PegScene& scene, const PegChoice& c, const Vec3& n, Moment moment);
  bool append_near(const PegScene& scene, const PegChoice& choice);
  void solve_once(const PegScene& scene, const Around* around, std::span<const double> u_free,
                  std::span<double> change, std::span<const std::uint8_t> kept);
  void note_hard();
  void keep_impulses();
  void keep_others(PairKey until);

  PegReport& report_;
  const bool has_islands_;
  TimeStepping* stepping_ = nullptr;
  ContactData data_;
  std::vector<SeparatingPlane> planes_;
  std::vector<bool> meets_;
  State warm_;  // the start of the step, with the impulses of the last problem
  std::vector<std::uint64_t> ids_;
  ContactMemory last_;         // impulses before the last problem
  int others_ = 0;             // pairs of last_ that were looked at
  std::vector<PairKey> hard_;  // pairs of problems that were not solved in this part of the step
  int spent_ = 0, allowed_ = 0;
};

}  // namespace abut
