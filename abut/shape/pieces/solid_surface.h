// Queries about the closed surface of a mesh, for cutting it into pieces: load time, not the step.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/shape/triangle_mesh.h"

namespace abut {

// A part of the surface: a planar convex polygon, counter-clockwise seen from outside.
struct SurfacePolygon {
  SurfacePolygon(std::vector<Vec3> corners, const Vec3& outward);

  std::vector<Vec3> points;
  Vec3 normal;
  Vec3 center = Vec3::Zero();  // of a ball around it,
  double radius = 0;           // and the ball's radius (m)
};
using SurfacePart = std::vector<SurfacePolygon>;

SurfacePart surface_of(const TriangleMesh& mesh);

// The plane n . x = offset.
struct CutPlane {
  Vec3 n = Vec3::Zero();
  double offset = 0;
  double above(const Vec3& x) const { return n.dot(x) - offset; }
};

// What is below the plane. Polygons in the plane, to `tolerance` (m), count if their solid is below.
SurfacePart below(const SurfacePart& part, const CutPlane& plane, double tolerance);

double distance(const SurfacePolygon& polygon, const Vec3& x);
double distance(const SurfacePart& part, const Vec3& x);  // infinite if it is empty

// How often the closed surface winds around a point that is not on it: 1 inside.
double winding(const TriangleMesh& mesh, const Vec3& x);

// A place where two triangles without common vertices cross.
std::optional<Vec3> crossing(const TriangleMesh& mesh);

// Why the mesh does not bound a solid, or "".
std::string why_no_solid(const TriangleMesh& mesh);

// The parts of a mesh that share no vertex.
std::vector<TriangleMesh> components(const TriangleMesh& mesh);

}  // namespace abut
