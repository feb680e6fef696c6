// StepTerms: what a contact model adds to the rows of a step, beside J u_free and the gaps.
#pragma once

#include <cstdint>
#include <span>

namespace abut {

struct StepTerms {
  // Of an acceleration-level problem (contact/complementarity/baraff.h).
  std::span<const double> gap = {};   // k of psi'' = J u' + k, one a point of the contact data
  std::span<const double> lift = {};  // part of u_free that the rows of contacts are not to see
  bool joints = false;                // joints by their accelerations too, as in a stage of rk4
  // Contacts by velocities instead: what would overlap at the end of the step comes no nearer.
  bool velocities = false;
  // Of contacts with compliant layers (contact/penalty/quasirigid.h), one a point: b_n (m/s), and
  // what is added to the diagonal of A (1/kg).
  std::span<const double> yield = {}, softness = {};
  // One a patch, or empty: the patches whose contacts take part (ahead/contacts_ahead.h).
  std::span<const std::uint8_t> used = {};
  // Contacts resist a change of their impulses from those of the warm start, by this part of their
  // diagonal of A: a proximal step. Forces that are not unique stay as they are, and repeated
  // solves lead to a solution of the problem without it.
  double proximal = 0;
  // One a patch, or empty: islands of rows all of whose patches are kept are not solved; their
  // impulses are those of the warm start.
  std::span<const std::uint8_t> kept = {};
};

}  // namespace abut
