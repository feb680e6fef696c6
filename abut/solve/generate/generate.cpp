#include "abut/solve/generate/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "abut/math/hash.h"
#include "abut/solve/generate/generate_families.h"

namespace abut {

namespace {

using Make = Problem (*)(int n, SplitMix& random, VectorX& solution);

constexpr auto lcp = ProblemKind::lcp, mlcp = ProblemKind::mlcp, box = ProblemKind::boxed,
               cone = ProblemKind::cone;
constexpr auto P = MatrixClass::p_matrix, psd = MatrixClass::semidefinite,
               copositive = MatrixClass::copositive_plus, any = MatrixClass::any;

constexpr std::array kFamilies{
    Family{"p-matrix", "random P-matrices, indefinite", lcp, P, true},
    Family{"definite", "random symmetric definite matrices", lcp, P, true},
    Family{"semidefinite", "redundant contacts without friction", lcp, psd, true},
    Family{"friction", "contacts with pyramids, Stewart and Trinkle", lcp, copositive, true},
    Family{"degenerate", "integers, many z = w = 0, half rank", lcp, psd, true},
    Family{"scaled", "rows, columns or both from 1e-8 to 1e8", lcp, P, true},
    Family{"cycling", "circulants on which pivoting may cycle", lcp, P, true},
    Family{"painleve", "sliding rods, velocities", lcp, copositive, true},
    Family{"painleve-acceleration", "sliding rods, accelerations: none", lcp, any, false},
    Family{"infeasible", "semidefinite, with no w >= 0", lcp, psd, false},
    Family{"mixed", "a chain with joints and contacts, saddle form", mlcp, psd, true},
    Family{"mixed-schur", "the same, velocities eliminated", mlcp, psd, true},
    Family{"mixed-friction", "the saddle form with pyramids", mlcp, copositive, true},
    Family{"boxed", "definite, boxes of all sorts", box, P, true},
    Family{"boxed-friction", "contacts, |z_t| <= mu z_n row by row", box, copositive, true},
    Family{"cones", "contacts with round cones, anywhere", cone, copositive, true},
    Family{"stack", "columns and walls of boxes, cones", cone, copositive, true},
    Family{"stack-redundant", "the same, 16 contacts a face", cone, copositive, true},
};

constexpr std::array<Make, kFamilies.size()> kMakers{
    family::p_matrix,       family::definite,   family::semidefinite,
    family::friction,       family::degenerate, family::scaled,
    family::cycling,        family::painleve,   family::painleve_acceleration,
    family::infeasible,     family::mixed,      family::mixed_schur,
    family::mixed_friction, family::boxed,      family::boxed_friction,
    family::cones,          family::stack,      family::stack_redundant,
};

}  // namespace

std::span<const Family> families() { return kFamilies; }

Problem generate(std::string_view family_name, int n, std::uint64_t seed, VectorX* solution) {
  std::string present;
  for (std::size_t k = 0; k < kFamilies.size(); ++k) {
    if (kFamilies[k].name == family_name) {
      // neighbouring seeds, families and sizes must be independent
      Hash hash;
      hash.text(family_name);
      hash.value(static_cast<std::uint64_t>(n));
      hash.value(seed);
      SplitMix random(hash.digest());
      VectorX known;
      Problem p = kMakers[k](std::max(n, 1), random, known);
      if (solution) *solution = known;
      return p;
    }
    present += fmt::format(" {}", kFamilies[k].name);
  }
  throw std::invalid_argument(
      fmt::format("there is no family of problems '{}'; there are{}", family_name, present));
}

}  // namespace abut
