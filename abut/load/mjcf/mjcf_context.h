// Data that the parts of the MJCF reader share.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "abut/load/mesh/mesh_file.h"
#include "abut/load/mjcf/mjcf_defaults.h"
#include "abut/load/mjcf/mjcf_orientation.h"
#include "abut/load/mjcf/mjcf_schema.h"

namespace abut {

using NamedFrames = std::map<std::string, BodyDesc, std::less<>>;

// <asset><model>: its world, and what its named frames hold, at the frames' poses.
struct Submodel {
  World world;
  NamedFrames frames;
};

struct MjcfContext {
  MjcfContext(World& w, std::filesystem::path dir, int depth)
      : world(w), warnings(w.warnings), directory(std::move(dir)), submodel_depth(depth) {}

  World& world;
  Warnings warnings;
  AngleRules angles;
  Defaults defaults;

  std::filesystem::path directory;  // of the main file
  std::string meshdir;
  bool strippath = false;
  MeshCache mesh_files{ObjObjects::first};
  std::map<std::string, Vec4, std::less<>> material_colours;
  std::map<std::string, std::unique_ptr<Submodel>, std::less<>> submodels;
  NamedFrames frames;  // of a model within a model
  int submodel_depth = 0;

  std::size_t replicated = 0;     // elements made by <replicate> so far
  double enclosing_replicas = 1;  // product of the counts around the present element
};

// Sections, in the order in which they are read -----------------------------------------
void read_compiler(const Element& section, MjcfContext& mjcf);
void read_option(const Element& section, MjcfContext& mjcf);
void read_custom(const Element& section, MjcfContext& mjcf);
void read_assets(const Element& section, MjcfContext& mjcf);
void read_contacts(const Element& section, MjcfContext& mjcf);
void read_equalities(const Element& section, MjcfContext& mjcf);
void read_tendons(const Element& section, MjcfContext& mjcf);
void read_actuators(const Element& section, MjcfContext& mjcf);
void read_sensors(const Element& section, MjcfContext& mjcf);
void read_keyframes(const Element& section, MjcfContext& mjcf);
void read_worldbody(const Element& section, MjcfContext& mjcf);

// The world of one document; depth counts models within models.
World read_mjcf(const Element& mujoco, const std::filesystem::path& directory, int submodel_depth,
                NamedFrames* frames = nullptr);

}  // namespace abut
