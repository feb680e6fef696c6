// Families of boxes on top of each other, as cones over block-sparse rows: A = G M^-1 G',
// b = G (v + h M^-1 f). Moving everything up opens every contact, so a solution exists (Acary,
// Cadoux, Lemarechal and Malick 2011).
#include <algorithm>

#include "abut/solve/generate/generate_families.h"
#include "abut/solve/generate/generate_scene.h"

namespace abut::family {

namespace {

struct Touch {
  int a, b;  // boxes, a below, -1: the ground
  Vec3 point;
};

// Points of a rectangle: first its corners, then random points.
void add_touches(int a, int b, const Vec3& center, double half_x, double half_y, int count,
                 SplitMix& random, std::vector<Touch>& out) {
  constexpr double corner[4][2] = {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}};
  for (int k = 0; k < count; ++k) {
    const double x = k < 4 ? corner[k][0] : random.uniform(-1, 1);
    const double y = k < 4 ? corner[k][1] : random.uniform(-1, 1);
    out.push_back({a, b, center + Vec3(half_x * x, half_y * y, 0)});
  }
}

// Cubes of side 1 with mass ratios up to 128 in random order: light ones below too.
void add_box(Scene& scene, const Vec3& center, SplitMix& random) {
  scene.add_body(center, -3, 4, 0.02, random);
  Row6& w = scene.bodies.back().inverse_inertia;
  for (int k = 3; k < 6; ++k) w[k] = 6 * w[0];
  // gravity during a step of 10 ms
  scene.bodies.back().velocity[2] -= 9.81 * 0.01;
}

void column(int boxes, int contacts, int each, Scene& scene, std::vector<Touch>& touches,
            SplitMix& random) {
  for (int k = 0; k < boxes; ++k) {
    add_box(scene, {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), k + 0.5}, random);
    const int count = std::min(each, contacts - k * each);
    Vec3 face = scene.bodies[k].center;
    face.z() = k;
    add_touches(k - 1, k, face, 0.45, 0.45, count, random, touches);
  }
}

// A wall: `width` boxes below, one less in each layer above, each on two.
void pyramid(int width, int each, Scene& scene, std::vector<Touch>& touches, SplitMix& random) {
  int below = 0;  // first box of the layer below
  for (int layer = 0; layer < width; ++layer) {
    const int first = static_cast<int>(scene.bodies.size());
    for (int k = 0; k < width - layer; ++k) {
      const Vec3 face(k + 0.5 * layer, 0, layer);
      add_box(scene, face + Vec3(0, 0, 0.5), random);
      const int b = first + k;
      if (layer == 0) {
        add_touches(-1, b, face, 0.45, 0.45, each, random, touches);
        continue;
      }
      add_touches(below + k, b, face - Vec3(0.25, 0, 0), 0.2, 0.45, each, random, touches);
      add_touches(below + k + 1, b, face + Vec3(0.25, 0, 0), 0.2, 0.45, each, random, touches);
    }
    below = first;
  }
}

bool share_body(const Touch& p, const Touch& q) {
  return p.b == q.b || p.a == q.b || p.b == q.a || (p.a >= 0 && p.a == q.a);
}

Problem cone_problem(const Scene& scene, const std::vector<Touch>& touches, SplitMix& random) {
  const int k = static_cast<int>(touches.size());
  std::vector<std::array<SceneRow, 3>> G;
  for (const Touch& t : touches)
    G.push_back({scene.row(t.a, t.b, t.point, Vec3::UnitZ()),
                 scene.row(t.a, t.b, t.point, Vec3::UnitX()),
                 scene.row(t.a, t.b, t.point, Vec3::UnitY())});
  Problem p;
  p.A.set_blocks();
  p.resize(3 * k);
  BlockRows& A = p.A.blocks();
  for (int i = 0; i < k; ++i) {
    A.add_row(3);
    for (int j = 0; j < k; ++j) {
      if (!share_body(touches[i], touches[j])) continue;
      double* block = A.block(A.add_block(j, 3));
      // the lower half uses the sums of the upper: exactly symmetric
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          block[3 * r + c] = 3 * i + r <= 3 * j + c ? scene.delassus(G[i][r], G[j][c])
                                                    : scene.delassus(G[j][c], G[i][r]);
    }
    for (int r = 0; r < 3; ++r) p.b[3 * i + r] = scene.free_velocity(G[i][r]);
    p.cones.push_back({3 * i, 3, random.uniform(0.1, 1)});
  }
  return p;
}

Problem boxes(int n, int each, SplitMix& random) {
  const int contacts = std::max(1, (n + 1) / 3);
  Scene scene;
  std::vector<Touch> touches;
  // a wall of width w has w^2 faces that touch
  int width = 1;
  while ((width + 1) * (width + 1) * each <= contacts) ++width;
  if (width > 1 && random.chance(2))
    pyramid(width, each, scene, touches, random);
  else
    column((contacts + each - 1) / each, contacts, each, scene, touches, random);
  return cone_problem(scene, touches, random);
}

}  // namespace

Problem stack(int n, SplitMix& random, VectorX&) { return boxes(n, 4, random); }

Problem stack_redundant(int n, SplitMix& random, VectorX&) { return boxes(n, 16, random); }

}  // namespace abut::family
