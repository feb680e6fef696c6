// Tolerances of the room shape. Lengths are relative to the size of a solid, the diagonal of its
// bounding box. This header includes nothing.
#pragma once

namespace abut {

// m. Extents below this are none, as masses below 1e-15 kg are.
// Too large: worlds of dust are refused. Too small: areas of faces underflow to zero.
inline constexpr double kLeastExtent = 1e-15;

// Fraction of the size. The largest distance from a curved surface to its tessellation.
// Too large: volumes of curved shapes are wrong. Too small: polyhedra with very many faces.
inline constexpr double kTessellation = 1e-3;

// Fraction of the size. Points closer than this are one point, and facets this flat are one face of
// a hull.
// Too large: small features vanish. Too small: rounding splits a face into slivers.
inline constexpr double kHullCoplanar = 1e-9;

// Fraction of the cube of the size: the volume (of a tetrahedron, six times) below which four points
// are in one plane, where a mesh is searched for triangles that cross.
// Too large: crossings of small triangles are missed. Too small: faces that only touch count as
// crossing.
inline constexpr double kCrossingVolume = 1e-12;

// Sine. Two triangles that bend outward by a larger angle have a ridge between them.
// Too large: contacts across low ridges are missed. Too small: rounding of flat faces makes ridges.
inline constexpr double kFlatEdge = 1e-3;

// Fraction of the size. Points as near to a surface are on it, and have the normal of their triangle.
// Too large: normals beside edges are those of a face. Too small: rounding decides about the normal.
inline constexpr double kOnSurface = 1e-9;

// Fraction of the size, on each side: how much larger than the mesh the domain of a distance field is.
// Too large: cells are wasted. Too small: approaching solids are seen late.
inline constexpr double kFieldMargin = 0.05;

// Fraction of the size. Holes of a mesh that are no larger across are bridged by a distance field.
// Too large: bowls have a lid. Too small: meshes of scans are refused.
inline constexpr double kSmallHole = 0.1;

// Fraction of the size: how far beside a triangle its two sides are looked at.
// Too large: thin walls have no inside. Too small: rounding of the winding number counts.
inline constexpr double kBesideSurface = 1e-4;

// Fraction of the surface that may have the wrong side out beside small holes.
// Too large: sheets pass. Too small: meshes with a few holes fail.
inline constexpr double kWrongSurface = 0.05;

// Fraction of the size. Hill climbing for the support vertex also follows edges that descend by
// less: ten times the distance that vertices of a merged face may have from its plane.
// Too large: climbing visits many vertices. Too small: climbing stops on a face before the highest
// vertex.
inline constexpr double kSupportPlateau = 1e-8;

// Deviation of a unit vector's length from 1, and cosine of a right angle, in validate().
// Too large: broken polyhedra pass. Too small: rounding fails them.
inline constexpr double kUnitNormal = 1e-12;

// Fraction of the size. Faces that validate() accepts are planar, and edges convex, up to this.
// Too large: broken polyhedra pass. Too small: hulls of noisy points fail.
inline constexpr double kValidShape = 1e-8;

}  // namespace abut
