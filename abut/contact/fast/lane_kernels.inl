// Source of lane_kernels_sse2.cpp and lane_kernels_avx2.cpp, which include it into a namespace of
// their own after the choice of the instruction set, and define square_root(Lanes). No library
// function, no fused operation, no reduction over lanes but the maximum.

using Mask = std::int64_t __attribute__((vector_size(kLanes * sizeof(double))));

struct V3 {
  Lanes x, y, z;
};
inline V3 operator+(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline V3 operator-(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline V3 operator*(const V3& a, const Lanes& s) { return {a.x * s, a.y * s, a.z * s}; }
inline Lanes dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline V3 cross(const V3& a, const V3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline V3 v3(const Lanes* a) { return {a[0], a[1], a[2]}; }
inline Lanes all(double x) { return Lanes{x, x, x, x}; }
inline Lanes largest(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
inline Lanes size_of(const Lanes& a) { return a < 0.0 ? -a : a; }
inline bool any(const Mask& m) { return (m[0] | m[1] | m[2] | m[3]) != 0; }
inline double largest(const Lanes& a) {
  const double low = a[0] > a[1] ? a[0] : a[1], high = a[2] > a[3] ? a[2] : a[3];
  return low > high ? low : high;
}

// Four rows of four numbers, from memory, as columns.
struct Four {
  Lanes a, b, c, d;
};
inline Four transposed(const double* p, const double* q, const double* r, const double* s) {
  Lanes x, y, z, w;
  __builtin_memcpy(&x, p, sizeof x);
  __builtin_memcpy(&y, q, sizeof y);
  __builtin_memcpy(&z, r, sizeof z);
  __builtin_memcpy(&w, s, sizeof w);
  const Lanes xy_low = __builtin_shuffle(x, y, Mask{0, 4, 2, 6}),
              xy_high = __builtin_shuffle(x, y, Mask{1, 5, 3, 7}),
              zw_low = __builtin_shuffle(z, w, Mask{0, 4, 2, 6}),
              zw_high = __builtin_shuffle(z, w, Mask{1, 5, 3, 7});
  return {__builtin_shuffle(xy_low, zw_low, Mask{0, 1, 4, 5}),
          __builtin_shuffle(xy_high, zw_high, Mask{0, 1, 4, 5}),
          __builtin_shuffle(xy_low, zw_low, Mask{2, 3, 6, 7}),
          __builtin_shuffle(xy_high, zw_high, Mask{2, 3, 6, 7})};
}

struct Motion {
  V3 lin, ang;
};
struct Mass {
  Lanes inverse, xx, yy, zz, xy, xz, yz;
};

inline Motion gather(const LaneMotion* u, const std::int32_t* body) {
  const LaneMotion &a = u[body[0]], &b = u[body[1]], &c = u[body[2]], &d = u[body[3]];
  const Four lin = transposed(a.lin, b.lin, c.lin, d.lin),
             ang = transposed(a.ang, b.ang, c.ang, d.ang);
  return {{lin.a, lin.b, lin.c}, {ang.a, ang.b, ang.c}};
}

inline void scatter(const Motion& m, LaneMotion* u, const std::int32_t* body, int movers) {
  for (int k = 0; k < kLanes; ++k) {
    if (body[k] >= movers) continue;
    LaneMotion& to = u[body[k]];
    to.lin[0] = m.lin.x[k], to.lin[1] = m.lin.y[k], to.lin[2] = m.lin.z[k];
    to.ang[0] = m.ang.x[k], to.ang[1] = m.ang.y[k], to.ang[2] = m.ang.z[k];
  }
}

inline Mass gather(const LaneMass* masses, const std::int32_t* body) {
  const LaneMass &a = masses[body[0]], &b = masses[body[1]], &c = masses[body[2]],
                 &d = masses[body[3]];
  const Four low = transposed(&a.inverse, &b.inverse, &c.inverse, &d.inverse),
             high = transposed(&a.xy, &b.xy, &c.xy, &d.xy);
  return {low.a, low.b, low.c, low.d, high.a, high.b, high.c};
}

inline V3 turn(const Mass& m, const V3& x) {
  return {m.xx * x.x + m.xy * x.y + m.xz * x.z, m.xy * x.x + m.yy * x.y + m.yz * x.z,
          m.xz * x.x + m.yz * x.y + m.zz * x.z};
}

// The two bodies of each lane, and what impulses do to them.
struct Bodies {
  Mass a, b;
  Motion u_a, u_b;

  Bodies(const LanePair& pair, const LaneMass* masses, const LaneMotion* u)
      : a(gather(masses, pair.body_a)),
        b(gather(masses, pair.body_b)),
        u_a(gather(u, pair.body_a)),
        u_b(gather(u, pair.body_b)) {}

  V3 velocity(const LanePoint& point) const {
    return (u_b.lin + cross(u_b.ang, v3(point.arm_b))) -
           (u_a.lin + cross(u_a.ang, v3(point.arm_a)));
  }
  void push(const LanePoint& point, const V3& impulse) {
    u_a.lin = u_a.lin - impulse * a.inverse;
    u_a.ang = u_a.ang - turn(a, cross(v3(point.arm_a), impulse));
    u_b.lin = u_b.lin + impulse * b.inverse;
    u_b.ang = u_b.ang + turn(b, cross(v3(point.arm_b), impulse));
  }
  void put(const LanePair& pair, LaneMotion* u, int movers) const {
    scatter(u_a, u, pair.body_a, movers);
    scatter(u_b, u, pair.body_b, movers);
  }
};

struct Frame {
  V3 n, s, t;

  explicit Frame(const LanePair& pair) : n(v3(pair.axis[0])), s(v3(pair.axis[1])), t(v3(pair.axis[2])) {}
  V3 in(const V3& x) const { return {dot(n, x), dot(s, x), dot(t, x)}; }
  V3 out(const V3& p) const { return n * p.x + s * p.y + t * p.z; }
};

// --- prepare

inline void add_side(const Mass& m, const V3& arm, const Frame& f, Lanes* D) {
  const V3 n = cross(arm, f.n), s = cross(arm, f.s), t = cross(arm, f.t);
  const V3 over_n = turn(m, n), over_s = turn(m, s), over_t = turn(m, t);
  D[0] += m.inverse + dot(n, over_n);
  D[1] += dot(n, over_s);
  D[2] += dot(n, over_t);
  D[3] += m.inverse + dot(s, over_s);
  D[4] += dot(s, over_t);
  D[5] += m.inverse + dot(t, over_t);
}

// Lanes without a contact have D = 0, and get inverses of 0.
inline void invert(LanePoint& p) {
  const Lanes* D = p.D;
  const Lanes c0 = D[3] * D[5] - D[4] * D[4], c1 = D[2] * D[4] - D[1] * D[5],
              c2 = D[1] * D[4] - D[2] * D[3];
  const Lanes det = D[0] * c0 + D[1] * c1 + D[2] * c2;
  const Lanes none = all(0.0), one = all(1.0);
  const Mask is = det > none;
  const Lanes over = is ? one / (is ? det : one) : none;
  p.inverse[0] = c0 * over;
  p.inverse[1] = c1 * over;
  p.inverse[2] = c2 * over;
  p.inverse[3] = (D[0] * D[5] - D[2] * D[2]) * over;
  p.inverse[4] = (D[1] * D[2] - D[0] * D[4]) * over;
  p.inverse[5] = (D[0] * D[3] - D[1] * D[1]) * over;
  p.inverse_nn = is ? one / (is ? D[0] : one) : none;
  const Lanes half = all(0.5), mean = half * (D[3] + D[5]), off = half * (D[3] - D[5]);
  const Lanes most = mean + square_root(off * off + D[4] * D[4]);
  p.inverse_t = is ? one / (is ? most : one) : none;
}

void prepare(const LanePair* first, const LanePair* last, LanePoint* points,
             const LaneMass* masses) {
  for (const LanePair* pair = first; pair != last; ++pair) {
    const Mass a = gather(masses, pair->body_a), b = gather(masses, pair->body_b);
    const Frame frame(*pair);
    for (int i = pair->begin; i < pair->end; ++i) {
      LanePoint& p = points[i];
      // a lane that holds a contact has D = 1 from the fill, one without has 0
      const Mask is = p.D[0] > all(0.0);
      for (Lanes& d : p.D) d = all(0.0);
      add_side(a, v3(p.arm_a), frame, p.D);
      add_side(b, v3(p.arm_b), frame, p.D);
      for (Lanes& d : p.D) d = is ? d : all(0.0);
      invert(p);
    }
  }
}

// --- velocities

void push(const LanePair* first, const LanePair* last, const LanePoint* points,
          const LaneMass* masses, LaneMotion* u, int movers) {
  for (const LanePair* pair = first; pair != last; ++pair) {
    Bodies bodies(*pair, masses, u);
    const Frame frame(*pair);
    for (int i = pair->begin; i < pair->end; ++i)
      bodies.push(points[i], frame.out(v3(points[i].p)));
    bodies.put(*pair, u, movers);
  }
}

constexpr int kSlides = 3;

// The impulse for which w = D (z - p) + w_p obeys Coulomb's law. Contacts that stick are solved
// exactly. For those that slide, steps along the normal and then against the slip, each projected;
// a fixed point of the steps obeys the law exactly.
inline V3 coulomb(const LanePoint& point, const Lanes& friction, const V3& p, const V3& w) {
  const Lanes *D = point.D, *I = point.inverse;
  const Lanes none = all(0.0), one = all(1.0);
  const V3 stuck = {p.x - (I[0] * w.x + I[1] * w.y + I[2] * w.z),
                    p.y - (I[1] * w.x + I[3] * w.y + I[4] * w.z),
                    p.z - (I[2] * w.x + I[4] * w.y + I[5] * w.z)};
  const Lanes most = friction * stuck.x;
  const Mask sticks = (stuck.x >= none) & (stuck.y * stuck.y + stuck.z * stuck.z <= most * most);
  if (!any(~sticks)) return stuck;
  V3 z = p, r = w;
  for (int k = 0; k < kSlides; ++k) {
    const Lanes n = largest(z.x - r.x * point.inverse_nn, none), dn = n - z.x;
    r.y += D[1] * dn;
    r.z += D[2] * dn;
    const Lanes s = z.y - r.y * point.inverse_t, t = z.z - r.z * point.inverse_t;
    const Lanes length2 = s * s + t * t, bound = friction * n;
    const Mask beyond = length2 > bound * bound;
    const Lanes part = beyond ? bound / square_root(beyond ? length2 : one) : one;
    const Lanes ds = s * part - z.y, dt = t * part - z.z;
    r.x += D[0] * dn + D[1] * ds + D[2] * dt;
    r.y += D[3] * ds + D[4] * dt;
    r.z += D[4] * ds + D[5] * dt;
    z = {n, s * part, t * part};
  }
  return {sticks ? stuck.x : z.x, sticks ? stuck.y : z.y, sticks ? stuck.z : z.z};
}

// --- which blocks a pass leaves out

inline bool is_calm(const LanePair& pair, const LaneStir& stir, int movers) {
  if (stir.pass == 1) return false;
  for (int k = 0; k < kLanes; ++k)
    for (const std::int32_t body : {pair.body_a[k], pair.body_b[k]})
      if (body < movers && stir.last[body] >= stir.pass - 1) return false;
  return true;
}

inline void note(const LanePair& pair, const Mask& changed, const LaneStir& stir, int movers) {
  if (!any(changed)) return;
  for (int k = 0; k < kLanes; ++k)
    for (const std::int32_t body : {pair.body_a[k], pair.body_b[k]})
      if (changed[k] && body < movers) stir.last[body] = stir.pass;
}

void sweep(LanePair* first, LanePair* last, LanePoint* points, const LaneMass* masses,
           LaneMotion* u, int movers, const LaneStir& stir) {
  const Lanes none = all(0.0), one = all(1.0);
  for (LanePair* pair = first; pair != last; ++pair) {
    if (pair->idle) continue;
    if (is_calm(*pair, stir, movers)) {
      pair->change = none;
      continue;
    }
    Bodies bodies(*pair, masses, u);
    const Frame frame(*pair);
    Lanes change = none, sum = none, pressing = none;
    for (int i = pair->begin; i < pair->end; ++i) {
      LanePoint& point = points[i];
      const V3 p = v3(point.p), w = frame.in(bodies.velocity(point)) + v3(point.b);
      const V3 z = coulomb(point, pair->friction, p, w), d = z - p;
      change = largest(change, largest(size_of(d.x), largest(size_of(d.y), size_of(d.z))));
      sum += z.x;
      pressing += z.x > none ? one : none;
      bodies.push(point, frame.out(d));
      point.p[0] = z.x, point.p[1] = z.y, point.p[2] = z.z;
    }
    bodies.put(*pair, u, movers);
    pair->change = change, pair->sum = sum, pair->pressing = pressing;
    note(*pair, change > pair->small, stir, movers);
  }
}

// --- positions

double advance_gaps(const LanePair* first, const LanePair* last, LanePoint* points, double h,
                    const LaneMotion* u) {
  Lanes worst = all(0.0);
  for (const LanePair* pair = first; pair != last; ++pair) {
    if (pair->idle) continue;
    const Motion a = gather(u, pair->body_a), b = gather(u, pair->body_b);
    const V3 n = v3(pair->axis[0]);
    for (int i = pair->begin; i < pair->end; ++i) {
      LanePoint& p = points[i];
      const V3 v = (b.lin + cross(b.ang, v3(p.arm_b))) - (a.lin + cross(a.ang, v3(p.arm_a)));
      p.gap += all(h) * dot(n, v);
      worst = largest(worst, -(p.gap + p.slack));
    }
  }
  return largest(worst);
}

double lift(const LanePair* first, const LanePair* last, LanePoint* points, const LaneMass* masses,
            LaneMotion* s, int movers, const LaneStir& stir) {
  Lanes worst = all(0.0);
  for (const LanePair* pair = first; pair != last; ++pair) {
    if (pair->idle || is_calm(*pair, stir, movers)) continue;
    Bodies bodies(*pair, masses, s);
    const V3 n = v3(pair->axis[0]);
    Mask changed{};
    for (int i = pair->begin; i < pair->end; ++i) {
      LanePoint& p = points[i];
      const Lanes short_by = -(p.gap + all(0.5) * p.slack + dot(n, bodies.velocity(p)));
      worst = largest(worst, short_by - all(0.5) * p.slack);
      const Lanes l = largest(p.lift + short_by * p.inverse_nn, all(0.0));
      bodies.push(p, n * (l - p.lift));
      changed |= l != p.lift;
      p.lift = l;
    }
    if (!any(changed)) continue;
    bodies.put(*pair, s, movers);
    note(*pair, changed, stir, movers);
  }
  return largest(worst);
}

const LaneKernels kernels{prepare, push, sweep, advance_gaps, lift};
