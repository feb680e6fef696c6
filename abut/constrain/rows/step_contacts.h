// StepContacts: the contacts of a step as a solver wants them, made of the patches. Each point is
// one contact: a frame (normal, two tangents), a point where all its rows act, (pA + pB) / 2, so
// that friction across a gap makes no couple, and the numbers of its material.
#pragma once

#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/contact_change.h"
#include "abut/constrain/rows/material.h"
#include "abut/model/input.h"

namespace abut {

struct Contact {
  int patch = 0, point = 0;  // in ContactData
  int body_a = 0, body_b = 0;
  int group = 0;  // in ConstraintRows
  Vec3 position = Vec3::Zero();
  Mat3 frame = Mat3::Identity();  // columns: normal from A to B, two tangents
  Vec3 driven = Vec3::Zero();     // velocity of B's point less A's that is not the solver's to
                                  // choose: of driven bodies; in the frame
  double psi = 0;                 // m
  Material material;
};

// A patch as a program sees it; without friction.
ContactChange described(const Patch& patch, const ContactPoints& points);

// A right-handed frame with this first column; the same for the same normal.
Mat3 contact_frame(const Vec3& normal);

class StepContacts {
 public:
  explicit StepContacts(const Model& model) : model_(model), materials_(model) {}

  // Makes the contacts and their rows: three each, or one where there is no friction
  // (`frictionless`, condim 1, or no friction in the material). `keep` says which points.
  template <class Keep>
  void build(const ContactData& data, const Input& input, const Derived& d, bool frictionless,
             ConstraintRows& rows, const Keep& keep) {
    contacts_.clear();
    for (int p = 0; p < static_cast<int>(data.patches.size()); ++p) {
      const Patch& patch = data.patches[static_cast<std::size_t>(p)];
      if (change && !ask(patch, data.points)) continue;
      for (int i = patch.begin; i < patch.end; ++i)
        if (keep(patch, i)) add(data, p, i, input, d, frictionless, rows);
    }
  }

  ChangeContact change;  // empty: contacts are those of the world

  const std::vector<Contact>& contacts() const { return contacts_; }

 private:
  // Lets `change` change the pair; false: it is switched off.
  bool ask(const Patch& patch, const ContactPoints& points);
  void add(const ContactData& data, int patch, int point, const Input& input, const Derived& d,
           bool frictionless, ConstraintRows& rows);

  const Model& model_;
  Materials materials_;
  ContactChange changed_;  // of the patch that is added
  std::vector<Contact> contacts_;
};

}  // namespace abut
