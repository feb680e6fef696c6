// Distance fields of meshes, kept on the disk beside the pieces (pieces_cache.h), in the folder abut/fields.
#pragma once

#include "abut/shape/field/mesh_field.h"

namespace abut {

// As make_mesh_field(), with the same answer, bit for bit. `from_cache`, if given, says whether a file was read. A file that
// is damaged, or of another version, is ignored and written anew; a folder that cannot be written is no error.
MeshField cached_mesh_field(const TriangleMesh& mesh, const MeshFieldOptions& options = {},
                            bool* from_cache = nullptr);

}  // namespace abut
