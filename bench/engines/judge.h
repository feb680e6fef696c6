// What the race says of an engine's answer, from its poses and velocities, in one way for all.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "scene.h"

struct Verdict {
  double mean = 0, most = 0;  // m: overlap of pairs that touch, at the end: abut's exact distances
  double drift = 0;    // m: of the worst solid, from the start, or in the window where solids fell
  double kinetic = 0;  // J, at the end
  double joint = 0;    // m: the worst gap of a joint, at the end and at all samples
  double energy = 0;   // J: the worst change of kinetic and potential energy, there too
};

// `answer`: as of participant.h. Throws std::exception if it does not fit the scene.
Verdict judge(const EngineScene& scene, const nlohmann::json& answer);

// Of the poses and velocities at the end, bit by bit.
std::string hash_of(const nlohmann::json& motions);
