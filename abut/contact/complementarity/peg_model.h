// peg (peg.h) as a contact model.
#pragma once

#include <memory>

#include "abut/contact/complementarity/peg.h"
#include "abut/contact/impulse_model.h"

namespace abut {

class PegModel final : public ImpulseModel {
 public:
  explicit PegModel(const ContactWorld& world);

  void start_step() override;
  void find(double h, const StepMoment& start, std::span<const double> u_free) override;
  Solved solve(const StepToSolve& step, std::span<double> change) override;
  void end(double h, State& state) override;
  std::span<const double> held(std::span<const double>) const override { return held_patches(); }

  const ContactData& data() const override { return peg_.data(); }
  double handed() const override { return peg_.report().handed; }
  // `level` and `fallbacks` are those of the branches.
  void add_to(SolveReport& report) const override;

  const Peg& peg() const { return peg_; }

 private:
  Peg peg_;
  int level_ = 0;  // the worst of the step and its halves
};

const ModelInfo& peg_info();
std::unique_ptr<ContactModel> make_peg(const ContactWorld& world);

// What peg, peg-paper and lnc have in common: models of Williams, Lu and Trinkle that choose
// between features.
ModelInfo feature_model_info();
// Of curved solids these models take those over a plane alone: throws WorldError for others.
void check_faces(const ContactWorld& world);

}  // namespace abut
