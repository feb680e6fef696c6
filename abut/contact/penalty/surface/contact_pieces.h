// ContactPieces: the common parts of all pairs at a moment, and which of them belong together. A
// body may be made of several convex solids; its pieces that touch one other body are one contact
// (H-2, H-E4, H-T8): they share their area, and those that push the same way have
// one normal, of all their area vectors, in which what the cuts between them add cancels.
//
//   pieces.find(scene, state.contacts);
//   for (const abut::ContactPiece& p : pieces.all()) use(p.surface, p.surface.area / p.area);
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "abut/contact/penalty/surface/contact_surface.h"

namespace abut {

// A pair of geoms that overlap.
struct ContactPiece {
  int patch = 0;
  std::uint64_t bodies = 0;  // the two that it is a part of
  bool turned = false;       // A is a piece of the one with the higher number
  ContactSurface surface;
  double area = 0;   // m^2: of all pieces of the two bodies
  double share = 1;  // its own part of that
};

class ContactPieces {
 public:
  ContactPieces(const Model& model, const SurfaceOptions& options)
      : model_(model), options_(options) {}

  // One a patch, in their order. `memory` has the normals of the last step. Allocates nothing once
  // it is warm.
  void find(const ForceScene& scene, const ContactMemory& memory);

  std::span<const ContactPiece> all() const { return pieces_; }
  const CommonPart& part(int piece) const { return parts_[static_cast<std::size_t>(piece)]; }

 private:
  template <class F>
  void for_each_body_pair(F&& f) const;
  void find_normals();
  void share_areas();

  const Model& model_;
  SurfaceOptions options_;
  SurfaceBuffers buffers_;
  std::vector<ContactPiece> pieces_;
  std::vector<CommonPart> parts_;  // one a piece, and more that are kept for later
  std::vector<std::pair<std::uint64_t, int>> order_;  // bodies, piece
};

}  // namespace abut
