// lnc and peg-paper (feature_stepping.h) as contact models.
#pragma once

#include <memory>

#include "abut/contact/complementarity/feature_stepping.h"
#include "abut/contact/impulse_model.h"

namespace abut {

class FeatureModel final : public ImpulseModel {
 public:
  explicit FeatureModel(const ContactWorld& world);

  void start_step() override { level_ = 0; }
  void find(double h, const StepMoment& start, std::span<const double> u_free) override;
  Solved solve(const StepToSolve& step, std::span<double> change) override;
  std::span<const double> held(std::span<const double>) const override { return held_patches(); }

  const ContactData& data() const override { return stepping_.data(); }
  // `level` and `fallbacks` are those of the sets of contacts.
  void add_to(SolveReport& report) const override;

  const FeatureStepping& stepping() const { return stepping_; }

 private:
  FeatureStepping stepping_;
  int level_ = 0;  // the worst of the step
};

const ModelInfo& lnc_info();
const ModelInfo& peg_paper_info();
std::unique_ptr<ContactModel> make_lnc(const ContactWorld& world);
std::unique_ptr<ContactModel> make_peg_paper(const ContactWorld& world);

}  // namespace abut
