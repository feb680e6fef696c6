// quasirigid (quasirigid.h) as a contact model: layers as rows of a problem, or as forces where so
// asked for, or where friction or the integrator leave no other way.
#pragma once

#include <memory>

#include "abut/contact/impulse_model.h"
#include "abut/contact/penalty/part_memory.h"
#include "abut/contact/penalty/quasirigid.h"

namespace abut {

// Layers as rows.
class LayerModel final : public ImpulseModel {
 public:
  explicit LayerModel(const ContactWorld& world);

  void find(double h, const StepMoment& start, std::span<const double> u_free) override;
  Solved solve(const StepToSolve& step, std::span<double> change) override;
  std::span<const double> held(std::span<const double>) const override { return held_patches(); }
  double stored_energy() const override { return layers_.energy(); }

 private:
  LayerContacts layers_;
  ContactData patches_;  // what the samples are of
  PartMemory parts_;
  ContactMemory known_;  // the state's, and what new parts are taken to know
};

const ModelInfo& quasirigid_info();
std::unique_ptr<ContactModel> make_quasirigid_model(const ContactWorld& world);

}  // namespace abut
