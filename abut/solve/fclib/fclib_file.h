// FCLIB's files (Acary, Bremond, Koziara, Perignon 2014: "FCLIB: a collection of discrete 3D
// frictional contact problems"), of which there are public collections. HDF5 with
//
//   /fclib_local    W (symmetric), V, R, vectors q, s, mu, spacedim 2 or 3:
//                     u = W r + V l + q,  0 = V' r + R l + s
//   /fclib_global   M, H, G, vectors f, w, b, mu:
//                     M v = H r + G l + f,  G' v + b = 0,  u = H' v + w
//   /solution, /guesses/1    u, r, l (and v)
//
// with u and r in Coulomb's cones: components (normal, tangential, tangential) and signs are those
// of problem.h, so that r and l are z and u is w. Here l are free rows after the cones; a global
// problem is reduced, A = [H G]' M^-1 [H G].
//
// This code reads and writes the layout itself, because libfclib ends the process when a file is
// not as it expects. Tests compare with libfclib.
#pragma once

#include <filesystem>

#include "abut/math/file_error.h"
#include "abut/solve/answer.h"
#include "abut/solve/file/problem_content.h"

namespace abut {

ProblemFile read_fclib(const std::filesystem::path& file);  // throws FileError

// Writes /fclib_local, replacing an old file. Supports cones of one size and free rows; throws
// FileError for other problems.
void write_fclib(const std::filesystem::path& file, const ProblemFile& problem,
                 const Answer* answer = nullptr);

}  // namespace abut
