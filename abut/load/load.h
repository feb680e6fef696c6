// Loads worlds and robots from files.
//
//   abut::Model model = abut::load_model("worlds/pendulum.xml");
//   abut::World world = abut::load_world("robot.xml");   // to change before compile()
//   abut::Model robot = abut::load_model("robot.urdf", {.floating_base = true});
//
// The root element distinguishes MJCF (<mujoco>) from URDF (<robot>).
// Bad input throws WorldError: "file:line: what is wrong; what to write instead". World::warnings
// lists features that the format defines and abut does not simulate, each once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "abut/load/load_options.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/load/urdf/urdf.h"
#include "abut/model/model.h"
#include "abut/model/world.h"

namespace abut {

World load_world(const std::filesystem::path& file, const LoadOptions& options = {});
// The same of text: `name` is the file name in messages; meshes are searched from `directory`.
World parse_world(std::string_view xml, const std::string& name = "text",
                  const std::filesystem::path& directory = {}, const LoadOptions& options = {});
Model load_model(const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace abut
