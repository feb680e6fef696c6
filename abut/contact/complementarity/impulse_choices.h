// What models of impulses go with, and why not with the rest: for their ModelInfo.
#pragma once

#include <string_view>
#include <vector>

#include "abut/contact/model_info.h"

namespace abut {

inline const std::vector<std::string_view> kVelocityStabilizers{
    "post", "post-pinv", "post-plain", "baumgarte", "gamma", "none"};

inline constexpr std::string_view kStepIsIntegrator =
    "the step of an impulse model is the integrator; use euler, or --contact none";
inline constexpr std::string_view kEndVelocities =
    "st closes its gaps by the velocities at the end of the step, explicit moves by those at "
    "its start; use euler, or --contact ap";
inline constexpr std::string_view kOnePoint =
    "one point a pair is what a penalty is fed; use manifold, or --contact deepest";
inline constexpr std::string_view kVolume =
    "a volume is what springs are spread over, and this model is fed points; use manifold, or "
    "--contact volumetric";
inline constexpr std::string_view kOfAccelerations =
    "its equations are of velocities, and this term is one of accelerations; use baumgarte";
inline constexpr std::string_view kForces =
    "it is a force, and this model's friction is part of its problem; use cone";
inline constexpr std::string_view kManyChoices =
    "it tries every choice, which is for 16 rows, and islands grow; use lemke, or abut solve "
    "on a problem that was written";

// With all frictions that are forces.
inline std::vector<NotWith> with_force_frictions(std::vector<NotWith> list) {
  for (const std::string_view f : {"slip", "viscous", "springs", "anchor", "stribeck", "linear"})
    list.push_back({Axis::friction, f, kForces});
  return list;
}

}  // namespace abut
