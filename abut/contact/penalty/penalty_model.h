// PenaltyModel: a law of forces (force_law.h) as a contact model. deepest, volumetric, multipoint,
// and quasirigid where its layers are forces.
//
//   std::unique_ptr<abut::ContactModel> make_mine(const abut::ContactWorld& world) {
//     return abut::make_penalty_model(world, std::make_unique<abut::PairLaws<MyLaw>>(MyLaw()));
//   }
#pragma once

#include <memory>

#include "abut/contact/contact_model.h"
#include "abut/contact/penalty/penalty_forces.h"

namespace abut {

class PenaltyModel final : public ContactModel {
 public:
  PenaltyModel(const ContactWorld& world, std::unique_ptr<ForceModel> law);

  int choose_parts(const State& state) override { return forces_.choose_parts(state); }
  int parts() const override { return forces_.parts(); }
  void begin(double h, State& state, const Input& input, Derived& d) override;
  void add_forces(const State& stage, const Input& input, Derived& d,
                  std::span<double> force) override;
  void end(double h, State& state) override;
  bool has_rows() const override { return false; }
  // Springs need the same rotation rule in all steps; bodies that hop would otherwise fly in some steps
  // and not in others.
  std::span<const double> held(std::span<const double>) const override { return held_; }

  const ContactData& data() const override { return forces_.data(); }
  const std::vector<ContactForce>* forces() const override { return &forces_.forces(); }
  double stored_energy() const override { return forces_.energy(); }
  double impact_work() const override;
  std::vector<std::string> warnings() const override { return forces_.warnings(); }

  const PenaltyForces& penalty() const { return forces_; }

 private:
  PenaltyForces forces_;
  std::vector<double> held_;  // infinite: all trees are
};

std::unique_ptr<ContactModel> make_penalty_model(const ContactWorld& world,
                                                 std::unique_ptr<ForceModel> law);

const ModelInfo& deepest_info();
const ModelInfo& volumetric_info();
const ModelInfo& multipoint_info();
std::unique_ptr<ContactModel> make_deepest_model(const ContactWorld& world);
std::unique_ptr<ContactModel> make_volumetric_model(const ContactWorld& world);
std::unique_ptr<ContactModel> make_multipoint_model(const ContactWorld& world);

}  // namespace abut
