#include "abut/contact/complementarity/peg.h"

#include "abut/contact/complementarity/peg/peg_search.h"

namespace abut {

Peg::Peg(const Model& model, const ContactSettings& settings, const Collider& collider)
    : search_(std::make_unique<PegSearch>(model, settings, collider)) {}
Peg::~Peg() = default;

void Peg::start_step() { search_->start_step(); }
bool Peg::solve(const Step& step, TimeStepping& stepping, std::span<double> change) {
  return search_->solve(step, stepping, change);
}
const ContactData& Peg::data() const { return search_->problem().data(); }
std::span<const SeparatingPlane> Peg::planes() const { return search_->problem().planes(); }
std::int32_t Peg::memory_of(std::size_t patch) const { return search_->problem().memory_of(patch); }
const PegReport& Peg::report() const { return search_->report(); }
std::span<const double> Peg::end_velocity() const { return search_->end().velocity(); }
std::span<const double> Peg::handed() const { return search_->end().handed(); }

}  // namespace abut
