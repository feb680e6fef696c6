// Computes distance, points and normal from a pair of closest features.
//
// The difference of two points is a good normal while they are well apart. At a distance of 1e-12 L
// rounding turns it by 1e-3 rad, and bodies that seem to be separated along it would overlap
// elsewhere. Therefore the normal comes from a face or from two crossing edges if the features have
// them. For a vertex at a vertex or at an edge it comes from the faces and edges around them.
#include "abut/collide/proximity/cold/vclip_parts.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/tolerances.h"

namespace abut::vclip_parts {
namespace {

using enum FeatureKind;

struct Pair {
  const Polyhedron& A;
  const Polyhedron& B;
  const Transform& X_AB;
  double grain;

  // Separation of the two along n (m); negative: they overlap along it.
  double separation(const Vec3& n, int v_A, int v_B) const {
    const Vec3 n_B = X_AB.R.transpose() * n;
    const Vec3& top = A.vertices[support(A, n, v_A)];
    return n.dot(X_AB * B.vertices[support(B, -n_B, v_B)] - top);
  }
};

int a_vertex_of(const Polyhedron& P, Feature f) {
  return f.kind == vertex ? f.index : P.edges[f.index].tail;
}
std::span<const int> faces_at(const Polyhedron& P, Feature f) {
  if (f.kind == vertex) return P.faces_around(f.index);
  return {&P.edges[f.index].f1, 2};
}
std::span<const int> edges_at(const Polyhedron& P, const Feature& f) {
  if (f.kind == vertex) return P.edges_around(f.index);
  return {&f.index, 1};
}

// Calls use(normal, feature of A, feature of B) for every direction that a face at one of the
// features or two edges at them define, and that may be the normal of a contact there. A face is
// combined with the other solid's feature.
template <typename Use>
void for_each_normal(const Pair& pair, Feature a, Feature b, const Use& use) {
  const auto& [A, B, X, grain] = pair;
  for (const int f : faces_at(A, a)) use(A.faces[f].eta, Feature{face, f}, b);
  for (const int f : faces_at(B, b)) use(Vec3(-(X.R * B.faces[f].eta)), a, Feature{face, f});
  for (const int e : edges_at(A, a)) {
    const Vec3 along = line_of(A, e).along;
    const Vec3 out = A.faces[A.edges[e].f1].eta + A.faces[A.edges[e].f2].eta;
    for (const int g : edges_at(B, b)) {
      const Vec3 f_along = X.R * line_of(B, g).along;
      const Vec3 n = along.cross(f_along);
      if (n.squaredNorm() < kLeastSine2 * along.squaredNorm() * f_along.squaredNorm()) continue;
      use(Vec3(n.dot(out) < 0 ? -n.normalized() : n.normalized()), Feature{edge, e},
          Feature{edge, g});
    }
  }
}

// Turns n until no direction of the solid at the feature rises along it.
void turn_off(const Polyhedron& P, Feature f, const Mat3& R, double sign, Vec3& n) {
  const auto keep_below = [&](const Vec3& direction, bool level) {
    const Vec3 d = sign * (R * direction);
    const double rise = n.dot(d);
    if (rise > 0 || level) n -= d * (rise / d.squaredNorm());
  };
  if (f.kind == vertex) {
    for (const int w : P.neighbours(f.index))
      keep_below(P.vertices[w] - P.vertices[f.index], false);
  } else {
    const Vec3 along = line_of(P, f.index).along;
    keep_below(into_f1(P, P.edges[f.index], along), false);
    keep_below(into_f2(P, P.edges[f.index], along), false);
    keep_below(along, true);
  }
}

void turn_off(const Pair& pair, Feature a, Feature b, Vec3& n) {
  for (int sweep = 0; sweep < 4; ++sweep) {
    turn_off(pair.A, a, Mat3::Identity(), 1, n);
    turn_off(pair.B, b, pair.X_AB.R, -1, n);
  }
  n.normalize();
}

// For a vertex at a vertex, a vertex at an edge, or two parallel edges, nearer than
// kNormalFromPoints.
void normal_from_around(const Pair& pair, Feature a, Feature b, Proximity& out) {
  const double L = pair.A.size + pair.B.size, gap = out.distance;
  const int v_A = a_vertex_of(pair.A, a), v_B = a_vertex_of(pair.B, b);

  // A face or two edges that show the whole gap are better names for the pair. Count the other
  // normals that separate the two as well, up to kissing.
  const bool kissing = gap <= kKissing * L;
  double best = gap * (1 - kNamedGap) - 2 * pair.grain;
  Proximity named = out;
  Vec3 least = Vec3::Zero();
  bool several = false;
  for_each_normal(pair, a, b, [&](const Vec3& n, Feature a1, Feature b1) {
    const double apart = pair.separation(n, v_A, v_B);
    if (kissing && apart >= -kKissing * L) {
      if (least.isZero()) least = n;
      several |= (n - least).norm() > kSeveralNormals;
    }
    const bool is_pair = a1.kind == edge || (a1.kind == face ? b1 : a1).kind == vertex;
    if (is_pair && apart > best) {
      best = apart;
      named.normal = n;
      named.a = a1, named.b = b1;
    }
  });
  if (!named.normal.isApprox(out.normal, 0)) {
    out = named;
  } else {
    turn_off(pair, a, b, out.normal);
  }
  out.indeterminate = kissing && several;
}

}  // namespace

bool answer(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a, Feature b,
            Proximity& out) {
  const Pair pair{A, B, X_AB, rounding(A, B, X_AB.p)};
  const auto point = [](const Polyhedron& P, Feature f) { return P.vertices[f.index]; };
  out = Proximity();
  out.a = a, out.b = b;

  if (a.kind == face || b.kind == face) {
    const bool on_A = a.kind == face;
    const Vec3 v = on_A ? X_AB * point(B, b) : point(A, a);
    out.normal = on_A ? A.faces[a.index].eta : Vec3(-(X_AB.R * B.faces[b.index].eta));
    out.distance = on_A ? A.height_above(a.index, v)
                        : B.height_above(b.index, X_AB.R.transpose() * (v - X_AB.p));
    out.p_A = on_A ? Vec3(v - out.distance * out.normal) : v;
    out.p_B = on_A ? v : Vec3(v + out.distance * out.normal);
    return out.distance > 0;
  }

  double sine = 0;
  Vec3 across = Vec3::Zero();
  if (a.kind == edge && b.kind == edge) {
    const Segment e = line_of(A, a.index), f = placed(X_AB, line_of(B, b.index));
    const SegmentPair q = closest_points(e, f);
    out.p_A = q.x, out.p_B = q.y;
    if (q.s > 0 && q.s < 1 && q.t > 0 && q.t < 1 && q.sine2 > kParallelSegments2) {
      sine = std::sqrt(q.sine2);
      across = common_perpendicular(e, f, q.cross);
    }
  } else {
    out.p_A = a.kind == vertex ? point(A, a) : Vec3::Zero();
    out.p_B = b.kind == vertex ? X_AB * point(B, b) : Vec3::Zero();
    if (a.kind == edge) {
      const Segment e = line_of(A, a.index);
      out.p_A = e.at(parameter_of_nearest(e, out.p_B));
    } else if (b.kind == edge) {
      const Segment e = placed(X_AB, line_of(B, b.index));
      out.p_B = e.at(parameter_of_nearest(e, out.p_A));
    }
  }
  const Vec3 way = out.p_B - out.p_A;
  out.distance = way.norm();
  if (out.distance <= 8 * pair.grain) return false;
  out.normal = way / out.distance;
  // take the direction with the smaller rounding error: 1e-15 / sine, or grain / distance
  if (sine * pair.grain > kUnitRounding * out.distance) {
    out.normal = across.dot(way) < 0 ? Vec3(-across) : across;
    out.distance = out.normal.dot(way);
  } else if (out.distance <= kNormalFromPoints * (A.size + B.size)) {
    normal_from_around(pair, a, b, out);
  } else if (out.distance <= kTurnedNormal * (A.size + B.size)) {
    turn_off(pair, a, b, out.normal);
  }
  return true;
}

}  // namespace abut::vclip_parts
