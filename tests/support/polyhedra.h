// Convex polyhedra and poses that queries find hard, from a seed.
//
//   Random r(1);
//   HardPair pair = random_pair(r, 100);   // at most 100 vertices each
//   proximity(A, pair.X_WA, B, pair.X_WB);
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "abut/math/transform.h"
#include "abut/shape/error.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "support/random.h"

namespace abut::test {

enum class Sort {
  on_sphere,    // points on an ellipsoid: all are vertices
  in_ball,      // fewer vertices, faces of all sizes
  in_cube,      // clusters of faces at the corners
  clustered,    // points in a few tight bunches: tiny faces beside large ones
  tetrahedron,  // any
  sliver,       // four points nearly in a plane
  plate,        // 1e-4 as thick as wide
  needle,       // 1e-3 as wide as long
  prism,        // many sides, and points along edges and in faces
  faceted,      // faces that differ by 1e-3 .. 1e-7 rad
  lens,         // two shallow pyramids: every face near one of two planes
  box,
};
inline constexpr int kSorts = 12;

inline const char* name(Sort sort) {
  constexpr std::array<const char*, kSorts> names{"on_sphere",   "in_ball", "in_cube", "clustered",
                                                  "tetrahedron", "sliver",  "plate",   "needle",
                                                  "prism",       "faceted", "lens",    "box"};
  return names[static_cast<std::size_t>(sort)];
}

namespace polyhedra {

// About 1 in size; at most `count` points, at least 4.
inline std::vector<Vec3> random_points(Random& r, Sort sort, int count) {
  std::vector<Vec3> points;
  const auto ball = [&] { return Vec3(std::cbrt(r.uniform(0, 1)) * r.direction()); };
  const double turn = 2 * 3.14159265358979;
  switch (sort) {
    case Sort::on_sphere: {
      const Vec3 axes(r.uniform(0.2, 0.5), r.uniform(0.2, 0.5), r.uniform(0.2, 0.5));
      for (int i = 0; i < count; ++i) points.push_back(axes.cwiseProduct(r.direction()));
      break;
    }
    case Sort::in_ball:
      for (int i = 0; i < count; ++i) points.push_back(0.5 * ball());
      break;
    case Sort::in_cube:
      for (int i = 0; i < count; ++i) points.push_back(r.vec(0.5));
      break;
    case Sort::clustered: {
      std::array<Vec3, 5> middle;
      for (Vec3& m : middle) m = r.vec(0.5);
      const double spread = r.magnitude(1e-4, 1e-1);
      for (int i = 0; i < count; ++i)
        points.push_back(middle[static_cast<std::size_t>(i) % middle.size()] + spread * ball());
      break;
    }
    case Sort::tetrahedron:
      for (int i = 0; i < 4; ++i) points.push_back(r.vec(0.5));
      break;
    case Sort::sliver: {
      const double thickness = r.magnitude(1e-6, 1e-2);
      for (int i = 0; i < 4; ++i) points.push_back(r.vec(0.5).cwiseProduct(Vec3(1, 1, thickness)));
      break;
    }
    case Sort::plate:
      for (int i = 0; i < count / 2; ++i) {
        const double angle = r.uniform(0, turn);
        for (const double z : {-5e-5, 5e-5})
          points.emplace_back(0.5 * std::cos(angle), 0.5 * std::sin(angle), z);
      }
      break;
    case Sort::needle:
      for (int i = 0; i < count; ++i) points.push_back(ball().cwiseProduct(Vec3(0.5, 5e-4, 5e-4)));
      break;
    case Sort::prism: {
      const int sides = std::max(3, count / 4);
      for (int i = 0; i < sides; ++i)
        for (const double z : {-0.3, 0.0, 0.1, 0.3})
          points.emplace_back(0.4 * std::cos(turn * i / sides), 0.4 * std::sin(turn * i / sides),
                              z);
      break;
    }
    case Sort::faceted: {
      // a prism over an arc that bends little from side to side
      const double bend = r.magnitude(1e-7, 1e-3);
      const int sides = std::max(2, count / 2 - 2);
      double x = -0.5, y = 0, angle = 0.5 * bend * sides;
      for (int i = 0; i <= sides; ++i) {
        for (const double z : {-0.25, 0.25}) points.emplace_back(x, y, z);
        x += std::cos(angle) / sides, y += std::sin(angle) / sides;
        angle -= bend;
      }
      for (const double z : {-0.25, 0.25}) points.emplace_back(0.0, -0.4, z);
      break;
    }
    case Sort::lens: {
      const int sides = std::max(3, count - 2);
      const double height = r.magnitude(1e-7, 1e-2);
      for (int i = 0; i < sides; ++i)
        points.emplace_back(0.5 * std::cos(turn * i / sides), 0.5 * std::sin(turn * i / sides), 0);
      points.emplace_back(0, 0, height);
      points.emplace_back(0, 0, -height);
      break;
    }
    case Sort::box: {
      const Vec3 half(r.uniform(0.05, 0.5), r.uniform(0.05, 0.5), r.uniform(0.05, 0.5));
      for (int i = 0; i < 8; ++i)
        points.push_back(half.cwiseProduct(Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
      break;
    }
  }
  return points;
}

}  // namespace polyhedra

// `size` (m) is roughly its diameter. Turned at random in its own frame one time in two.
inline Polyhedron random_polyhedron(Random& r, Sort sort, int most_vertices, double size) {
  for (;;) {
    const int count = static_cast<int>(r.magnitude(4, most_vertices + 0.99));
    std::vector<Vec3> points = polyhedra::random_points(r, sort, std::max(4, count));
    const Quat q = r.chance(2) ? r.quat() : Quat(1, 0, 0, 0);
    const Vec3 shift = r.chance(4) ? r.vec(1) : Vec3(0, 0, 0);  // origin outside
    for (Vec3& p : points) p = size * (shift + q * p);
    try {
      return convex_hull(points);
    } catch (const ShapeError&) {
      // flat by chance: another one
    }
  }
}

inline Polyhedron random_polyhedron(Random& r, int most_vertices, double size) {
  return random_polyhedron(r, static_cast<Sort>(r.integer(0, kSorts - 1)), most_vertices, size);
}

enum class Meeting {
  far,            // up to 10 sizes apart
  near,           // a gap or an overlap of up to half the size
  touching,       // a gap or an overlap of 1e-13 .. 1e-4 of the size, any orientation
  on_face,        // the same, along a face's normal
  shared_face,    // faces on each other, with or without an edge in common
  shared_edge,    // edges along each other, ends or middles together
  shared_vertex,  // two corners in one place
  parallel,       // not turned to each other, shifted along an axis or not at all
  deep,           // anyhow, with the middles close
};
inline constexpr int kMeetings = 9;

inline const char* name(Meeting meeting) {
  constexpr std::array<const char*, kMeetings> names{"far",           "near",        "touching",
                                                     "on_face",       "shared_face", "shared_edge",
                                                     "shared_vertex", "parallel",    "deep"};
  return names[static_cast<std::size_t>(meeting)];
}

namespace polyhedra {

inline int any(Random& r, int count) { return r.integer(0, count - 1); }

// A rotation that takes `from` to `to` (unit vectors), and any turn about it.
inline Mat3 turn_to(Random& r, const Vec3& from, const Vec3& to) {
  const Quat about(Eigen::AngleAxisd(r.uniform(-3, 3), to));
  // (FromTwoVectors() is not quite of length 1 where the two are all but opposite)
  return (about * Quat::FromTwoVectors(from, to)).normalized().toRotationMatrix();
}

inline Vec3 edge_direction(const Polyhedron& p, const Polyhedron::Edge& e) {
  return (p.vertices[static_cast<std::size_t>(e.head)] -
          p.vertices[static_cast<std::size_t>(e.tail)])
      .normalized();
}

// Puts B beyond A along the unit vector d, `gap` between their outermost points.
inline Vec3 beyond(Random& r, const Polyhedron& A, const Polyhedron& B, const Mat3& R,
                   const Vec3& d, double gap) {
  const Vec3& a = A.vertices[static_cast<std::size_t>(support(A, d))];
  const Vec3 b = R * B.vertices[static_cast<std::size_t>(support(B, -(R.transpose() * d)))];
  const Vec3 aside = r.vec(r.chance(3) ? 0 : 0.3 * (A.size + B.size));
  return a - b + gap * d + (aside - aside.dot(d) * d);
}

}  // namespace polyhedra

inline Transform random_meeting(Random& r, const Polyhedron& A, const Polyhedron& B,
                                Meeting meeting) {
  const double L = A.size + B.size;
  const double sign = r.chance(2) ? 1 : -1;
  const double tiny = r.chance(4) ? 0 : sign * L * r.magnitude(1e-13, 1e-4);
  Transform X(r.quat().toRotationMatrix(), Vec3::Zero());
  using polyhedra::any;
  using polyhedra::beyond;
  switch (meeting) {
    case Meeting::far:
      X.p = beyond(r, A, B, X.R, r.direction(), r.uniform(0.5, 10) * L);
      break;
    case Meeting::near:
      X.p = beyond(r, A, B, X.R, r.direction(), sign * r.magnitude(1e-4, 0.5) * L);
      break;
    case Meeting::touching:
      X.p = beyond(r, A, B, X.R, r.direction(), tiny);
      break;
    case Meeting::on_face:
      X.p =
          beyond(r, A, B, X.R, A.faces[static_cast<std::size_t>(any(r, A.face_count()))].eta, tiny);
      break;
    case Meeting::shared_face: {
      const int f = any(r, A.face_count()), g = any(r, B.face_count());
      const Vec3 n = A.faces[static_cast<std::size_t>(f)].eta;
      X.R = polyhedra::turn_to(r, B.faces[static_cast<std::size_t>(g)].eta, -n);
      if (r.chance(2)) {  // an edge of each along the other
        const Vec3 e =
            polyhedra::edge_direction(A, A.edges[static_cast<std::size_t>(A.face_edge_ring(f)[0])]);
        const Vec3 h = X.R * polyhedra::edge_direction(
                                 B, B.edges[static_cast<std::size_t>(B.face_edge_ring(g)[0])]);
        const double angle = std::atan2(h.cross(e).dot(n), h.dot(e));
        X.R = Quat(Eigen::AngleAxisd(angle, n)).toRotationMatrix() * X.R;
      }
      X.p = A.vertices[static_cast<std::size_t>(A.face_loop(f)[0])] -
            X.R * B.vertices[static_cast<std::size_t>(B.face_loop(g)[0])] + tiny * n;
      break;
    }
    case Meeting::shared_edge: {
      const Polyhedron::Edge& e = A.edges[static_cast<std::size_t>(any(r, A.edge_count()))];
      const Polyhedron::Edge& f = B.edges[static_cast<std::size_t>(any(r, B.edge_count()))];
      X.R = polyhedra::turn_to(r, polyhedra::edge_direction(B, f), polyhedra::edge_direction(A, e));
      X.p = A.vertices[static_cast<std::size_t>(e.tail)] -
            X.R * B.vertices[static_cast<std::size_t>(f.tail)];
      if (r.chance(2)) X.p += tiny * r.direction();
      break;
    }
    case Meeting::shared_vertex:
      X.p = A.vertices[static_cast<std::size_t>(any(r, A.vertex_count()))] -
            X.R * B.vertices[static_cast<std::size_t>(any(r, B.vertex_count()))];
      break;
    case Meeting::parallel:
      X.R = Mat3::Identity();
      if (!r.chance(4)) X.p[r.integer(0, 2)] = r.uniform(-1, 1) * (r.chance(2) ? A.size : L);
      break;
    case Meeting::deep:
      X.p = A.center - X.R * B.center + r.magnitude(1e-9, 0.2) * L * r.direction();
      break;
  }
  return X;
}

// A place in the world: at its origin, or up to 1e4 m away.
inline Pose random_place(Random& r) {
  if (r.chance(3)) return {};
  return {r.magnitude(1e-2, 1e4) * r.direction(), r.quat()};
}

struct HardPair {
  Polyhedron A, B;
  Pose X_WA, X_WB;
  std::string what;  // for messages

  double size() const { return A.size + B.size; }
  Transform X_AB() const { return relative(X_WA, X_WB); }
};

// B where `X_AB` has it, seen from the world.
inline Pose in_world(const Pose& X_WA, const Transform& X_AB) {
  Quat q(X_AB.R);
  q.normalize();
  Pose X_WB = X_WA * Pose{X_AB.p, q};
  X_WB.q.normalize();
  return X_WB;
}

inline HardPair random_pair(Random& r, int most_vertices) {
  HardPair pair;
  const Sort s = static_cast<Sort>(r.integer(0, kSorts - 1));
  const Sort t = r.chance(4) ? s : static_cast<Sort>(r.integer(0, kSorts - 1));
  const auto meeting = static_cast<Meeting>(r.integer(0, kMeetings - 1));
  const double size = r.magnitude(1e-3, 1e3);
  pair.A = random_polyhedron(r, s, most_vertices, size);
  const bool copy = r.chance(8);
  const double other = r.chance(8) ? r.magnitude(1e-3, 1e3) : size * r.magnitude(0.2, 5);
  pair.B = copy ? pair.A : random_polyhedron(r, t, most_vertices, other);
  pair.X_WA = random_place(r);
  pair.X_WB = in_world(pair.X_WA, random_meeting(r, pair.A, pair.B, meeting));
  pair.what = std::string(name(s)) + (copy ? " and its copy" : std::string(" and ") + name(t)) +
              ", " + name(meeting);
  return pair;
}

// 8 ulp of the largest coordinate: what the poses themselves leave open.
inline double pose_rounding(const Pose& X_WA, const Pose& X_WB) {
  const double largest = std::max(X_WA.p.cwiseAbs().maxCoeff(), X_WB.p.cwiseAbs().maxCoeff());
  return 8 * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace abut::test
