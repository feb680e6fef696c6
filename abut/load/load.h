// Worlds and robots from files.
//
//   abut::Model model = abut::load_model("worlds/pendulum.xml");
//   abut::World world = abut::load_world("robot.xml");   // to change before compile()
//
// Bad input is a WorldError: "file:line: what is wrong; what to write instead". What the
// format defines and abut does not simulate is in World::warnings, each once.
#pragma once

#include <filesystem>

#include "abut/load/mjcf.h"
#include "abut/model/model.h"
#include "abut/model/world.h"

namespace abut {

struct LoadOptions {};

World load_world(const std::filesystem::path& file, const LoadOptions& options = {});
Model load_model(const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace abut
