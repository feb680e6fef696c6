// fast: rigid contact with Coulomb's exact cone for scenes of every size. The equations are those of
// st. Islands with joints or bounces, and all islands while few bodies touch, are solved by st
// itself, unless all rest. Many free bodies in contact are solved by sweeps over blocks of contacts
// (wide_solver.h), linear about the start of the step.
#pragma once

#include <memory>
#include <vector>

#include "abut/contact/complementarity/stepping_model.h"
#include "abut/contact/fast/calm_geoms.h"
#include "abut/contact/fast/wide_islands.h"
#include "abut/contact/fast/wide_solver.h"

namespace abut {

class FastModel final : public SteppingModel {
 public:
  explicit FastModel(const ContactWorld& world);

  void find(double h, const StepMoment& start, std::span<const double> u_free) override;
  Solved solve(const StepToSolve& step, std::span<double> change) override;
  void end(double h, State& state) override;

  std::span<const double> held(std::span<const double> force) const override;
  void impulses(std::vector<ContactForce>& out) const override;
  bool may_keep_apart() const override { return may_be_wide_; }
  bool keeps_apart(const Patch& patch) const override;
  bool keeps_all_apart() const override { return any_swept_ && all_swept_; }
  double work() const override;
  double work_on_free() const override;
  void add_to(SolveReport& report) const override;

  // Of the last step; no contacts where no island was wide.
  const WideReport& wide() const { return solver_.report(); }

 protected:
  void remember() override;

 private:
  void sweep(const StepToSolve& step);
  void hold(const Patch& patch);
  void merge();

  bool may_be_wide_;
  int many_;
  WideIslands islands_;
  CalmGeoms calm_geoms_;
  WideContacts contacts_;
  WideSolver solver_;
  bool any_swept_ = false, all_swept_ = false;
  std::vector<std::uint8_t> swept_;                // one a patch
  std::vector<double> held_;                       // one a dof: of bodies that are swept
  std::vector<ImpulseMemory::AtPoint> at_points_;  // of all contacts of the step
};

const ModelInfo& fast_info();
std::unique_ptr<ContactModel> make_fast(const ContactWorld& world);

}  // namespace abut
