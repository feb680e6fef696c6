// The scenes of the race, and the files that the participants read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "abut/model/model.h"

struct Scene {
  std::string name;
  std::filesystem::path world;  // MJCF, as a user has it
  int links = 0;                // 0: not a chain
};

// The worlds, and chains of growing length, which are written into `scratch`.
std::vector<Scene> make_scenes(const std::filesystem::path& worlds,
                               const std::filesystem::path& scratch);

// Bodies, inertias and joints of a model as MJCF that MuJoCo 2.2 can read, which knows
// neither <replicate> nor <frame>. It leaves out geoms and sites, which MuJoCo would place
// in its kinematics and abut places later, so that all do the same work; and springs,
// dampers and actuators, which are no part of the race.
void write_flat(const abut::Model& model, const std::filesystem::path& file);

// Random states, always the same ones (states.h).
void write_states(const abut::Model& model, int count, const std::filesystem::path& file);
