#include "abut/collide/patch/patch_clip.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

// A side of the window: the line from one of its points to the next.
struct Side {
  const OutlinePoint* tail;
  const OutlinePoint* head;
  double du, dv;

  // Positive outside; in m times the side's length.
  double outside(const OutlinePoint& p) const {
    return dv * (p.u - tail->u) - du * (p.v - tail->v);
  }
};

// The window's corner where two of its sides meet, at the tail or the head of `side`. Null if they
// do not meet (they nearly coincide, with a short side between them).
const OutlinePoint* meeting(const Side& side, std::int32_t edge, std::int32_t edge_before) {
  if (edge == edge_before) return side.tail;
  if (edge == side.head->edge) return side.head;
  return nullptr;
}

// Records that `p` lies on the side. A point on two sides need not be at their corner if the corner
// is sharp: name_least() decides that. A crossing keeps the edges that cross.
void put_on(OutlinePoint& p, const Side& side, std::int32_t face) {
  const bool is_vertex = unpacked_feature(p.mine).kind == FeatureKind::vertex;
  if (p.other == face) {
    p.other = side.tail->edge;
  } else if (is_vertex) {
    p.other = std::min(p.other, side.tail->edge);
  }
}

// Where the polygon's side from p to q leaves or enters the window.
OutlinePoint crossing(const OutlinePoint& p, const OutlinePoint& q, const Side& side,
                      const Outline& subject, std::int32_t edge_before) {
  const double t = p.outside / (p.outside - q.outside);
  OutlinePoint x = p;
  x.u += t * (q.u - p.u);
  x.v += t * (q.v - p.v);
  x.w += t * (q.w - p.w);
  if (p.edge_is_mine) {  // an edge of each
    x.mine = p.edge;
    x.other = side.tail->edge;
  } else {  // a corner of the window over the subject's face
    x.mine = subject.face;
    x.other = side.tail->edge;
    if (const OutlinePoint* corner = meeting(side, p.edge, edge_before)) {
      x.u = corner->u;
      x.v = corner->v;
      x.other = corner->mine;
    }
  }
  return x;
}

bool same_place(const OutlinePoint& p, const OutlinePoint& q, double tolerance) {
  const double du = p.u - q.u, dv = p.v - q.v;
  return du * du + dv * dv <= tolerance * tolerance;
}

// A point that an edge of `outline` names is named after the edge's end if it is there.
std::int32_t end_of_edge(const Outline& outline, std::int32_t edge, const OutlinePoint& p,
                         double tolerance) {
  const std::size_t count = outline.points.size();
  for (std::size_t i = 0; i < count; ++i) {
    const OutlinePoint& tail = outline.points[i];
    if (tail.edge != edge) continue;
    if (same_place(p, tail, tolerance)) return tail.mine;
    const OutlinePoint& head = outline.points[i + 1 < count ? i + 1 : 0];
    return same_place(p, head, tolerance) ? head.mine : edge;
  }
  return edge;
}

// A corner of the window may lie on edges of the subject: it takes the lowest name, as put_on()
// does for the subject's vertices.
std::int32_t edge_at(const Outline& subject, const OutlinePoint& p, double tolerance) {
  const std::size_t count = subject.points.size();
  std::int32_t name = subject.face;
  for (std::size_t i = 0; i < count; ++i) {
    const OutlinePoint& tail = subject.points[i];
    const OutlinePoint& head = subject.points[i + 1 < count ? i + 1 : 0];
    const double du = head.u - tail.u, dv = head.v - tail.v;
    const double moment = dv * (p.u - tail.u) - du * (p.v - tail.v);
    if (moment * moment <= tolerance * tolerance * (du * du + dv * dv) &&
        (name == subject.face || tail.edge < name))
      name = tail.edge;
  }
  return name;
}

// Crossings have the names of the lines that cross. Other features that meet there within the
// tolerance now decide the final names, so that the names do not depend on which outline clips the
// other.
void name_least(const Outline& subject, const Outline& window, double tolerance,
                std::vector<OutlinePoint>& result) {
  for (OutlinePoint& p : result) {
    if (p.mine == subject.face) p.mine = edge_at(subject, p, tolerance);
    p.mine = end_of_edge(subject, p.mine, p, tolerance);
    p.other = end_of_edge(window, p.other, p, tolerance);
  }
}

}  // namespace

void clip_outline(const Outline& subject, const Outline& window, double tolerance,
                  std::vector<OutlinePoint>& result, std::vector<OutlinePoint>& spare) {
  result = subject.points;
  for (OutlinePoint& p : result) p.other = window.face;

  const std::size_t sides = window.points.size();
  for (std::size_t s = 0; s < sides && !result.empty(); ++s) {
    Side side{&window.points[s], &window.points[s + 1 < sides ? s + 1 : 0], 0, 0};
    const std::int32_t edge_before = window.points[s > 0 ? s - 1 : sides - 1].edge;
    side.du = side.head->u - side.tail->u;
    side.dv = side.head->v - side.tail->v;
    const double length = std::sqrt(side.du * side.du + side.dv * side.dv);
    if (length <= tolerance) continue;  // seen end on: its neighbours meet there

    // most sides of the window clip nothing
    const double on = tolerance * length;
    double farthest = -std::numeric_limits<double>::infinity();
    for (OutlinePoint& p : result) {
      p.outside = side.outside(p);
      farthest = std::max(farthest, p.outside);
    }
    if (farthest < -on) continue;
    if (farthest <= on) {
      for (OutlinePoint& p : result)
        if (p.outside >= -on) put_on(p, side, window.face);
      continue;
    }

    spare.clear();
    for (std::size_t i = 0; i < result.size(); ++i) {
      const OutlinePoint& p = result[i];
      const OutlinePoint& q = result[i + 1 < result.size() ? i + 1 : 0];
      const bool leaves = q.outside > on;
      if (p.outside > on) {
        if (q.outside < -on) spare.push_back(crossing(p, q, side, subject, edge_before));
        continue;
      }
      spare.push_back(p);
      if (p.outside >= -on) {
        put_on(spare.back(), side, window.face);
        if (leaves) {
          spare.back().edge = side.tail->edge;
          spare.back().edge_is_mine = false;
        }
      } else if (leaves) {
        spare.push_back(crossing(p, q, side, subject, edge_before));
        spare.back().edge = side.tail->edge;
        spare.back().edge_is_mine = false;
      }
    }
    result.swap(spare);
  }
  name_least(subject, window, tolerance, result);
}

}  // namespace abut
