// Settings of a run as one would type them: what rows of an experiment print.
//
//   flags_of(printed_st());   // "--contact st --data features --stabilize none --set .."
#pragma once

#include <string>

#include "abut/contact/settings.h"
#include "abut/model/model.h"

namespace abut::reproduce {

// Everything that differs from a world without settings of its own.
std::string flags_of(const ContactSettings& settings);
// "--step 0.001 --time 3 --integrator rk4"; an empty integrator is euler, the default.
std::string run_flags(double step, double time, const char* integrator = "");

}  // namespace abut::reproduce
