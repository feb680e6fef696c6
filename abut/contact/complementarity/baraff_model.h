// baraff (baraff.h) as a contact model: impacts before the stages, a penalty against drift in every
// stage, and an LCP in accelerations with the joints.
#pragma once

#include <memory>

#include "abut/constrain/step/impulse_memory.h"
#include "abut/contact/complementarity/baraff.h"
#include "abut/contact/contact_model.h"

namespace abut {

class BaraffModel final : public ContactModel {
 public:
  explicit BaraffModel(const ContactWorld& world);

  void begin(double h, State& state, const Input& input, Derived& d) override;
  void add_forces(const State& stage, const Input& input, Derived& d,
                  std::span<double> force) override;
  Solved solve(const StepToSolve& step, std::span<double> change) override;
  void constrain(double h, const StepMoment& stage, std::span<const double> u_free,
                 std::span<const double> force, std::span<double> change) override;
  void end(double h, State& state) override;
  std::span<const double> held(std::span<const double> force) const override { return force; }

  const ContactData& data() const override { return baraff_.first_data(); }
  const std::vector<ContactForce>* forces() const override { return &baraff_.forces(); }
  double impact_work() const override { return baraff_.impacts().work(); }
  void add_to(SolveReport& report) const override;
  std::vector<std::string> warnings() const override { return baraff_.warnings(); }

 private:
  void solve(double h, const StepMoment& moment, std::span<const double> u_free,
             std::span<const double> force, bool stage, std::span<double> change);

  Baraff baraff_;
  ImpulseMemory memory_;
  std::vector<double> force_;  // of the last add_forces()
};

const ModelInfo& baraff_info();
std::unique_ptr<ContactModel> make_baraff(const ContactWorld& world);

}  // namespace abut
