// BottomSurface: where a multi-point penalty presses two solids apart (Drumwright, III-A; D-5).
//
// A ball or an ellipsoid on a face has the middle of its cap and four points at three quarters of
// the rim, with weights of 1/9 and 2/9 each: they have the cap's area, volume, second moments and
// mean lever arm. Other curved solids are polyhedra whose facets follow the contact
// (contact_facets.h).
//
// The two have a convex volume in common. Its vertices are measured from the contact plane, that of
// the face whose normal the contact has; those on the bottom (bottom_points.h), seen from there,
// are the points. Where two edges cross, no face has the normal, and no plane would do: two faces
// that are almost parallel differ from it by more than they are deep. There the points are those of
// the patch (patch.h), each with a depth of its own.
//
// Each point has a share of the surface's area: one third of every triangle around it, so that the
// shares integrate what is linear exactly (D-E11). A face of many corners is fanned from each of
// them in turn, and the mean of that is taken.
//
//   abut::BottomSurface surface(abut::ContactSource::vertices, planar);
//   for (const abut::BottomPoint& p : surface.find(pair)) press(p.position, p.depth);
#pragma once

#include <span>
#include <vector>

#include "abut/collide/manifold/planar_set.h"
#include "abut/contact/penalty/surface/bottom_points.h"
#include "abut/contact/penalty/surface/contact_surface.h"
#include "abut/contact/settings.h"

namespace abut {

struct BottomPoint {
  Vec3 position = Vec3::Zero();  // world: midway between the two surfaces, where forces act
  double depth = 0;              // m, > 0
  double area = 0;               // m^2, seen along the normal
};

class BottomSurface {
 public:
  // vertices: of the volume; others: the points of the patch that overlap, each with its own
  // depth. Planar worlds have the latter.
  BottomSurface(ContactSource source, bool planar)
      : manifold_(planar || source != ContactSource::vertices) {}

  // Of a pair; empty where nothing overlaps. Valid until the next call; a warm call allocates
  // nothing.
  std::span<const BottomPoint> find(const PairView& pair);
  // Of the last: the whole surface's (m^2), with the shares of its rim, which is not deep.
  double area() const { return whole_; }

 private:
  void from_round_part();
  bool from_half_space(const PairView& pair, bool plane_of_b, double tolerance);
  bool from_volume(const PairView& pair, bool plane_of_b, double tolerance);
  void keep_bottom(const Pose& X_WS, const Vec3& into, double tolerance);
  void from_patch(const PairView& pair, double tolerance);

  bool manifold_;
  SurfaceBuffers buffers_;
  RoundPart round_;
  Intersection common_;
  BottomScan scan_;
  PlanarSet outline_;
  std::vector<Vec2> flat_;
  std::vector<double> depth_, area_;
  std::vector<std::uint8_t> is_kept_;
  std::vector<Vec3> places_;  // in the frame of a solid
  // of half-spaces: vertices below, and their numbers; a face that is cut
  std::vector<int> walk_, name_, owner_, loop_;
  std::vector<Vec2> corners_;
  std::vector<double> shares_;
  std::vector<BottomPoint> points_;
  double whole_ = 0;
};

// Adds each corner's share of a flat convex polygon's area (m^2); the corners are flat[loop[k]].
void add_lumped_areas(std::span<const Vec2> flat, std::span<const int> loop,
                      std::span<double> area);

}  // namespace abut
