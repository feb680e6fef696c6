// Between the scene file's plain numbers and abut's types.
#pragma once

#include "abut/math/types.h"
#include "abut/shape/polyhedron.h"

#include "scene.h"

inline abut::Pose pose(const Placement& X) {
  const auto& q = X.quaternion;
  return {{X.position[0], X.position[1], X.position[2]}, abut::Quat(q[0], q[1], q[2], q[3])};
}

inline Placement placement(const abut::Pose& X) {
  return {{X.p.x(), X.p.y(), X.p.z()}, {X.q.w(), X.q.x(), X.q.y(), X.q.z()}};
}

inline abut::Polyhedron polyhedron(const Solid& solid) {
  std::vector<abut::Vec3> vertices;
  for (const Point& v : solid.vertices) vertices.emplace_back(v[0], v[1], v[2]);
  std::vector<std::vector<int>> loops;
  for (std::size_t i = 0; i < solid.faces.size(); i += static_cast<std::size_t>(solid.faces[i]) + 1)
    loops.emplace_back(solid.faces.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                       solid.faces.begin() + static_cast<std::ptrdiff_t>(i) + 1 + solid.faces[i]);
  return abut::make_polyhedron(std::move(vertices), loops);
}

inline Solid solid(const abut::Polyhedron& p) {
  Solid out;
  for (const abut::Vec3& v : p.vertices) out.vertices.push_back({v.x(), v.y(), v.z()});
  for (int f = 0; f < p.face_count(); ++f) {
    out.faces.push_back(static_cast<std::int32_t>(p.face_loop(f).size()));
    for (int v : p.face_loop(f)) out.faces.push_back(v);
  }
  return out;
}
