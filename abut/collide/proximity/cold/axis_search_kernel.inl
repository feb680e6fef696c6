// search_axes (axis_search.h) for one vector unit. The file of a unit defines ABUT_UNIT, the
// attribute that allows functions to use the unit, and the type Eight, and then includes this file.
// The kernel uses no Eigen and no inline functions of other headers. Products and sums are separate
// instructions in the same lanes on all units, so that all units give the same bits.
//
// Eight has: load, store, all (the same value in all lanes), + - *, least (lane by lane),
// least_lane, below (bit i: lane i is less), crossing (bit i: by sign b1 and b2 differ, a1 and a2
// differ, a1 and b1 agree).

namespace {

using Bits = unsigned long long;

struct Point {
  double x, y, z;
};

ABUT_UNIT inline Point point(const double (&v)[3]) { return {v[0], v[1], v[2]}; }

ABUT_UNIT inline double dot(const Point& u, const Point& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

ABUT_UNIT inline Point cross(const Point& u, const Point& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

// Directions from A's frame to B's and back.
ABUT_UNIT inline Point to_b(const double (&R)[3][3], const Point& v) {
  return {R[0][0] * v.x + R[1][0] * v.y + R[2][0] * v.z,
          R[0][1] * v.x + R[1][1] * v.y + R[2][1] * v.z,
          R[0][2] * v.x + R[1][2] * v.y + R[2][2] * v.z};
}
ABUT_UNIT inline Point to_a(const double (&R)[3][3], const Point& v) {
  return {R[0][0] * v.x + R[0][1] * v.y + R[0][2] * v.z,
          R[1][0] * v.x + R[1][1] * v.y + R[1][2] * v.z,
          R[2][0] * v.x + R[2][1] * v.y + R[2][2] * v.z};
}

ABUT_UNIT inline Point row(const AxisColumns& c, int i) {
  const double* p = c.column(0) + i;
  return {p[0], p[c.rows], p[2 * c.rows]};
}

struct Points {
  Eight x, y, z;
};

ABUT_UNIT inline Points load(const AxisColumns& c, int column, int row) {
  const double* p = c.column(column) + row;
  return {Eight::load(p), Eight::load(p + c.rows), Eight::load(p + 2 * c.rows)};
}

ABUT_UNIT inline Points all(const double (&p)[3]) {
  return {Eight::all(p[0]), Eight::all(p[1]), Eight::all(p[2])};
}
ABUT_UNIT inline Points all(const Point& p) {
  return {Eight::all(p.x), Eight::all(p.y), Eight::all(p.z)};
}

ABUT_UNIT inline Eight dot(const Points& u, const Points& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

ABUT_UNIT inline Points to_a(const double (&R)[3][3], const Points& v) {
  return {Eight::all(R[0][0]) * v.x + Eight::all(R[0][1]) * v.y + Eight::all(R[0][2]) * v.z,
          Eight::all(R[1][0]) * v.x + Eight::all(R[1][1]) * v.y + Eight::all(R[1][2]) * v.z,
          Eight::all(R[2][0]) * v.x + Eight::all(R[2][1]) * v.y + Eight::all(R[2][2]) * v.z};
}

// Height of the lowest vertex of a solid along a direction.
ABUT_UNIT inline double lowest(const AxisColumns& vertices, const Point& direction) {
  const Points d = all(direction);
  Eight low = dot(load(vertices, 0, 0), d);
  for (int k = 8; k < vertices.rows; k += 8) low = least(low, dot(load(vertices, 0, k), d));
  return low.least_lane();
}

// Lower bounds of the translation (m) by which each face clears a few points of the other solid.
constexpr int kPoints = 3;
struct Reach {
  alignas(64) double over[kPoints][AxisTable::kMostFaces];
  double ball;  // m: radius of the ball around the last of the points
};

ABUT_UNIT inline void measure(const AxisColumns& faces, const Point (&points)[kPoints],
                              Reach& reach) {
  const Points c0 = all(points[0]), c1 = all(points[1]), c2 = all(points[2]);
  for (int k = 0; k < faces.rows; k += 8) {
    const Points n = load(faces, 0, k);
    const Eight offset = Eight::load(faces.column(3) + k);
    (offset - dot(n, c0)).store(reach.over[0] + k);
    (offset - dot(n, c1)).store(reach.over[1] + k);
    (offset - dot(n, c2)).store(reach.over[2] + k);
  }
}

// Bit f: face f may need less than `limit`, judged by one of the points.
ABUT_UNIT inline Bits near_faces(const double* over, int rows, double limit) {
  const Eight far = Eight::all(limit);
  Bits near = 0;
  for (int k = 0; k < rows; k += 8)
    near |= static_cast<Bits>(below(Eight::load(over + k), far)) << k;
  return near;
}
// Judged by all points.
ABUT_UNIT inline Bits near_faces(const Reach& reach, int rows, double limit) {
  return near_faces(reach.over[0], rows, limit) & near_faces(reach.over[1], rows, limit) &
         near_faces(reach.over[2], rows, limit - reach.ball);
}

// The edges that may need less than `limit` along some normal between those of their two faces,
// judged by one of the points. A negative limit is divided by `stretch`, because the mean of two
// normals is shorter than a unit vector.
ABUT_UNIT inline AxisTable::EdgeSet near_edges(const AxisTable& t, const double* over,
                                               double limit) {
  AxisTable::EdgeSet near;
  for (Bits faces = near_faces(over, t.faces.rows, limit < 0 ? limit / t.stretch : limit);
       faces != 0; faces &= faces - 1) {
    const AxisTable::EdgeSet& of = t.edges_of_face.data()[__builtin_ctzll(faces)];
    near.bits[0] |= of.bits[0];
    near.bits[1] |= of.bits[1];
  }
  return near;
}
ABUT_UNIT inline AxisTable::EdgeSet near_edges(const AxisTable& t, const Reach& reach,
                                               double limit) {
  const AxisTable::EdgeSet e0 = near_edges(t, reach.over[0], limit),
                           e1 = near_edges(t, reach.over[1], limit),
                           e2 = near_edges(t, reach.over[2], limit - reach.ball);
  return {{e0.bits[0] & e1.bits[0] & e2.bits[0], e0.bits[1] & e1.bits[1] & e2.bits[1]}};
}

// Eight edges of B in A's frame.
struct Block {
  Points direction, tail, normal1, normal2;
};

ABUT_UNIT inline Block placed(const AxisProblem& q, const AxisColumns& edges, int row) {
  const Points tail = to_a(q.R, load(edges, 3, row)), p = all(q.p);
  return {to_a(q.R, load(edges, 0, row)),
          {tail.x + p.x, tail.y + p.y, tail.z + p.z},
          to_a(q.R, load(edges, 6, row)),
          to_a(q.R, load(edges, 9, row))};
}

// With more than this many tests of one edge of A against eight of B, an expanding polytope is
// faster.
constexpr int kMostMeetings = 160;
constexpr int kMostBlocks = AxisTable::kMostEdges / 8;

// Crossings are noted and evaluated later, because the branch is unpredictable.
struct Crossings {
  struct {
    int a, block;  // block of B's edges in `block`
    unsigned lanes;
  } list[kMostMeetings + 1];
  int count = 0;
  struct {
    alignas(64) double direction[3][8], tail[3][8];
    int row;
  } block[kMostBlocks];
};

ABUT_UNIT inline void note_crossings(const AxisProblem& q, const int* rows_a, int count_a,
                                     const int* rows_b, int count_b, Crossings& out) {
  for (int i = 0; i < count_b; ++i) {
    const Block b = placed(q, q.b->edge_columns, rows_b[i]);
    b.direction.x.store(out.block[i].direction[0]);
    b.direction.y.store(out.block[i].direction[1]);
    b.direction.z.store(out.block[i].direction[2]);
    b.tail.x.store(out.block[i].tail[0]);
    b.tail.y.store(out.block[i].tail[1]);
    b.tail.z.store(out.block[i].tail[2]);
    out.block[i].row = rows_b[i];
    for (int k = 0; k < count_a; ++k) {
      const AxisTable::Edge& a = q.a->edges.data()[rows_a[k]];
      const Points u = all(a.direction);
      const unsigned lanes =
          crossing(dot(b.normal1, u), dot(b.normal2, u), dot(b.direction, all(a.normal1)),
                   dot(b.direction, all(a.normal2)));
      out.list[out.count] = {rows_a[k], i, lanes};
      out.count += lanes != 0;
    }
  }
}

// The best axis so far, and a lower bound for the others.
struct Best {
  AxisFound::Kind kind = AxisFound::none;
  int a = -1, b = -1;
  double depth;                   // at first the bound, which is no axis
  double real = __builtin_inf();  // depth of a real axis
  double others = __builtin_inf();
};

// Considers one more axis: it becomes the best if it is better by `bias`.
ABUT_UNIT inline void consider(AxisFound::Kind kind, int a, int b, double depth, double bias,
                               Best& best) {
  const bool better = depth < best.depth - bias;
  const double worse = better ? best.real : depth;
  best.others = worse < best.others ? worse : best.others;
  if (better) best = {kind, a, b, depth, depth, best.others};
}

ABUT_UNIT inline void look_at(const AxisProblem& q, const Crossings& noted, Best& best) {
  for (int i = 0; i < noted.count; ++i) {
    const AxisTable::Edge& a = q.a->edges.data()[noted.list[i].a];
    const auto& block = noted.block[noted.list[i].block];
    const Point u = point(a.direction), from = point(a.tail);
    for (unsigned lanes = noted.list[i].lanes; lanes != 0; lanes &= lanes - 1) {
      const int k = __builtin_ctz(lanes);
      const Point f = {block.direction[0][k], block.direction[1][k], block.direction[2][k]};
      const Point n = cross(u, f);
      const Point way = {block.tail[0][k] - from.x, block.tail[1][k] - from.y,
                         block.tail[2][k] - from.z};
      const double squared = dot(n, n);
      // parallel edges have no axis
      if (squared <= kParallelEdges2 * dot(u, u) * dot(f, f)) continue;
      // the normal from A to B is n if f is on the side of a's first normal, else -n
      const double gap = dot(n, way), side = dot(f, point(a.normal1));
      const double depth = (side > 0 ? -gap : gap) / __builtin_sqrt(squared);
      consider(AxisFound::edges, noted.list[i].a, block.row + k, depth,
               best.kind == AxisFound::edges ? 0 : q.face_bias, best);
    }
  }
}

ABUT_UNIT inline int list_rows(const AxisTable::EdgeSet& set, int* rows) {
  int count = 0;
  for (int word = 0; word < 2; ++word)
    for (Bits left = set.bits[word]; left != 0; left &= left - 1)
      rows[count++] = 64 * word + __builtin_ctzll(left);
  return count;
}

// The first row of each block of eight that contains an edge of the set.
ABUT_UNIT inline int list_blocks(const AxisTable::EdgeSet& set, int rows, int* first) {
  int count = 0;
  for (int row = 0; row < rows; row += 8) {
    first[count] = row;
    count += (set.bits[row / 64] >> row % 64 & 0xff) != 0;
  }
  return count;
}

ABUT_UNIT AxisFound search(const AxisProblem& q) {
  const AxisTable &A = *q.a, &B = *q.b;
  const Point p = point(q.p);
  const auto b_in_a = [&](const Point& b) ABUT_UNIT -> Point {
    const Point turned = to_a(q.R, b);
    return {turned.x + p.x, turned.y + p.y, turned.z + p.z};
  };
  const auto a_in_b = [&](const Point& a) ABUT_UNIT -> Point {
    return to_b(q.R, {a.x - p.x, a.y - p.y, a.z - p.z});
  };
  Reach reach_a, reach_b;
  measure(A.faces,
          {b_in_a(row(B.vertices, q.deep_b[0])), b_in_a(row(B.vertices, q.deep_b[1])),
           b_in_a(point(q.center_b))},
          reach_a);
  measure(B.faces,
          {a_in_b(row(A.vertices, q.deep_a[0])), a_in_b(row(A.vertices, q.deep_a[1])),
           a_in_b(point(q.center_a))},
          reach_b);
  reach_a.ball = q.inner_b;
  reach_b.ball = q.inner_a;

  // faces
  Best best;
  best.depth = q.bound + q.slack;
  double limit = best.depth + q.margin;
  for (Bits near = near_faces(reach_a, A.faces.rows, limit + q.slack); near != 0;
       near &= near - 1) {
    const int f = __builtin_ctzll(near);
    const Point n = row(A.faces, f);
    const double depth = A.faces.column(3)[f] - dot(n, p) - lowest(B.vertices, to_b(q.R, n));
    consider(AxisFound::face_a, f, -1, depth, 0, best);
  }
  limit = best.depth + q.margin;
  for (Bits near = near_faces(reach_b, B.faces.rows, limit + q.slack); near != 0;
       near &= near - 1) {
    const int f = __builtin_ctzll(near);
    const Point n = to_a(q.R, row(B.faces, f));
    const double depth = B.faces.column(3)[f] + dot(n, p) - lowest(A.vertices, n);
    consider(AxisFound::face_b, -1, f, depth, best.kind == AxisFound::face_a ? q.face_bias : 0,
             best);
  }
  if (best.depth < 0) return {best.kind, best.a, best.b, best.depth, best.others};

  // edges
  limit = best.depth + q.margin;
  int rows_a[AxisTable::kMostEdges], rows_b[kMostBlocks];
  const int count_a = list_rows(near_edges(A, reach_a, limit + q.slack), rows_a);
  const int count_b =
      list_blocks(near_edges(B, reach_b, limit + q.slack), B.edge_columns.rows, rows_b);
  if (count_a * count_b > kMostMeetings) return {AxisFound::too_many, -1, -1, 0, 0};
  Crossings noted;
  note_crossings(q, rows_a, count_a, rows_b, count_b, noted);
  look_at(q, noted, best);
  if (limit < best.others) best.others = limit;
  if (best.kind == AxisFound::edges) {
    best.a = A.edge_id.data()[best.a];
    best.b = B.edge_id.data()[best.b];
  }
  return {best.kind, best.a, best.b, best.depth, best.others};
}

}  // namespace
