// Actuators and their shortcuts: motor, position, velocity, .. set gain, bias and activation
// dynamics of the general actuator.
#pragma once

#include <string_view>

#include "abut/load/mjcf/mjcf_drafts.h"
#include "abut/load/mjcf/mjcf_schema.h"
#include "abut/load/xml_tree.h"

namespace abut {

bool is_actuator(std::string_view tag);

// Reads the element's attributes over the present values.
void read_actuator(const Element& e, ActuatorDraft& actuator);

// Checks its target and decides whether abut can simulate it.
ActuatorDesc finish_actuator(const Element& e, const ActuatorDraft& draft, Warnings& warnings);

}  // namespace abut
