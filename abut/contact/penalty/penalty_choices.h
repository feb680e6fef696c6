// What penalty models go with, and why not with the rest: for their ModelInfo.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "abut/model/model.h"

namespace abut {

inline const std::vector<std::string_view> kForceFrictions{"anchor",  "none",    "slip",
                                                           "viscous", "springs", "stribeck"};
inline const std::vector<std::string_view> kEveryStabilizer{
    "post", "post-pinv", "post-plain", "baumgarte", "baumgarte-acc", "gamma", "none"};
inline const std::vector<std::string_view> kEveryIntegrator{"euler", "implicit", "explicit", "rk4"};

inline constexpr std::string_view kImpulses =
    "it bounds impulses of a problem, and this model has forces; use anchor";
inline constexpr std::string_view kSystem =
    "it is solved for over all points that a multi-point penalty presses; use anchor, or "
    "--contact multipoint";
inline constexpr std::string_view kOverlapIsNeeded =
    "overlap is what its forces come from; use abut.stabilize.contacts off, or contact st";

// For ModelInfo::why_not_in_world of models that look at volumes.
std::string why_no_volumes(const Model& model, Integrator integrator);

}  // namespace abut
