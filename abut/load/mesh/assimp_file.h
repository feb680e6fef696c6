// Triangles from the mesh formats that abut has no reader of its own for (COLLADA, glTF, PLY, ..).
#pragma once

#include <filesystem>

#include "abut/model/world.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

// All meshes of the file together, placed by its nodes, in its unit. COLLADA's up axis is ignored:
// a URDF rotates its meshes by <origin>, and ROS tools draw them unrotated. Throws WorldError.
TriangleMesh read_with_assimp(const std::filesystem::path& path);

}  // namespace abut
