// TurningRows: rows of the turning of two bodies against each other at their contacts, for torsional
// and rolling friction (MJCF's condim 4 and 6). Groups of a contact beside its own:
//
//   torsion   1 row    length times the rate about the normal
//   rolling   3 rows   nothing, and length times the rates about the two tangents
//
// A row's impulse is a couple over `length`. The first row of a rolling group stands for the
// normal impulse, which the solver's cone of the group needs (constrain/step/turning_bounds.h).
// `length` is a quarter of the pair's size, so that all rows of a problem are of about one size; no
// result depends on it but by rounding.
//
//   turning.add(contacts, model, input, d, size_of, rows);   // after the contacts' own groups
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/step_contacts.h"

namespace abut {

struct TurningContact {
  int contact = 0;                 // index among the contacts
  int torsion = -1, rolling = -1;  // groups; -1: none
  double length = 1;               // m
  Vec3 driven = Vec3::Zero();      // rad/s, in the contact's frame: of driven bodies, B less A
};

class TurningRows {
 public:
  // `size_of` (m): of the pair of a contact.
  template <class Size>
  void add(std::span<const Contact> contacts, const Model& model, const Input& input,
           const Derived& d, const Size& size_of, ConstraintRows& rows) {
    turning_.clear();
    for (int c = 0; c < static_cast<int>(contacts.size()); ++c)
      if (const Contact& of = contacts[static_cast<std::size_t>(c)]; of.material.turns())
        add(c, of, model, input, d, size_of(of) / 4, rows);
  }

  // Ascending by contact.
  std::span<const TurningContact> turning() const { return turning_; }

 private:
  void add(int index, const Contact& contact, const Model& model, const Input& input,
           const Derived& d, double length, ConstraintRows& rows);

  std::vector<TurningContact> turning_;
};

}  // namespace abut
