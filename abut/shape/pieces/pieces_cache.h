// Pieces of meshes, kept on the disk: cutting a mesh of 10,000 triangles takes seconds, reading its
// pieces does not.
//
// Files are in $XDG_CACHE_HOME/abut/pieces, else ~/.cache/abut/pieces, each named by a hash of the
// mesh, the options and the version of the method. A file that is damaged, or of another version, is
// ignored and written anew; a folder that cannot be written is no error.
#pragma once

#include <filesystem>
#include <optional>

#include "abut/shape/pieces/pieces.h"

namespace abut {

// As cut_into_pieces(), with the same answer, bit for bit. `from_cache`, if given, says whether a
// file was read.
Pieces cached_pieces(const TriangleMesh& mesh, const PiecesOptions& options = {},
                     bool* from_cache = nullptr);

// Nothing if neither XDG_CACHE_HOME nor HOME is set.
std::optional<std::filesystem::path> pieces_folder();

}  // namespace abut
