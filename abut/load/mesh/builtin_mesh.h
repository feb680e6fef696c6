// Meshes that MJCF makes of a word and some numbers: <mesh builtin="cone" params="6 0.5"/>. All are
// of the size of the unit sphere; `scale` of the mesh does the rest.
//
//   sphere       subdivisions (0 to 4) of an icosahedron
//   hemisphere   resolution (0 to 10): 4 (resolution + 1) vertices on the equator, cap at z = 0
//   cone         vertices (3 or more) of the polygon at z = -1, radius (0 to 1) of that at z = 1
//   supersphere  resolution (3 or more), exponents e (longitude) and n (latitude)
//   supertorus   resolution (3 or more), small radius (0 to 1], exponents s and t
//
// MuJoCo's `wedge` and `plate` are open surfaces for its tactile sensors, and are refused.
#pragma once

#include "abut/load/xml_tree.h"
#include "abut/shape/triangle_mesh.h"

namespace abut {

// From the attributes builtin and params. Without triangles where the mesh is its own convex hull.
TriangleMesh builtin_mesh(const Element& e);

}  // namespace abut
