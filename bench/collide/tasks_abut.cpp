// abut's part of the tasks: patches, volumes, broad phase.
#include <fmt/format.h>

#include "abut/collide/broad/broad_phase.h"
#include "abut/collide/patch/patch.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/collide/volume/clip_volume.h"
#include "abut/collide/volume/dual_volume.h"
#include "abut/model/derived.h"
#include "abut/version.h"

#include "boxes.h"
#include "pairs.h"
#include "solids.h"
#include "tasks.h"

namespace {

abut::Vec3 vector(const Point& p) { return {p[0], p[1], p[2]}; }

struct Near {
  int a, b;
  abut::Pose X_WA, X_WB;
  abut::WarmStart warm_start = {};
};

// Pairs with the solids they are about, and how a patch of each is made.
struct Patches {
  abut::ConvexSet solids;
  std::vector<Near> pairs;
  abut::PatchScratch scratch;
  abut::ContactData data;

  // the mean number of points
  double run() {
    data.clear();
    for (Near& pair : pairs) {
      const abut::Convex &a = solids[pair.a], &b = solids[pair.b];
      const abut::Proximity d = proximity(a, pair.X_WA, b, pair.X_WB, &pair.warm_start);
      append_patch(a, pair.X_WA, b, pair.X_WB, d, {.reach = 1e-3}, scratch, data);
    }
    return static_cast<double>(data.points.count()) / static_cast<double>(pairs.size());
  }
};

Patches box_patches() {
  Patches p;
  for (const RestingPair& r : resting_boxes(64)) {
    const int a = p.solids.add(abut::Shape{abut::ShapeKind::box, vector(r.half_a)}, {});
    const int b = p.solids.add(abut::Shape{abut::ShapeKind::box, vector(r.half_b)}, {});
    p.pairs.push_back({a, b, pose(r.X_WA), pose(r.X_WB)});
  }
  return p;
}

// Random hulls that overlap a little.
Patches hulls(int vertices) {
  ScenePlan plan;
  plan.vertices = {vertices};
  plan.cold = 32;
  plan.motions = {};
  const Scene scene = make_pairs(plan);
  Patches p;
  for (const Solid& s : scene.solids) p.solids.add(polyhedron(s));
  for (const QuerySet& set : scene.sets)
    if (!set.apart)
      for (const Query& q : set.queries) p.pairs.push_back({q.a, q.b, pose(q.X_WA), pose(q.X_WB)});
  return p;
}

struct Broad {
  explicit Broad(int count) : boxes(count) {
    abut::World world;
    for (int i = 0; i < count; ++i) {
      abut::BodyDesc& body = world.worldbody.body(fmt::format("b{}", i));
      body.box(vector(boxes.half[static_cast<std::size_t>(i)]));
      body.free();
    }
    model = abut::compile(world);
    filter = abut::PairFilter(model);
    broad = abut::BroadPhase(model, filter);
    derived = abut::Derived(model);
  }

  // the number of pairs
  double run() {
    ++step;
    for (int i = 0; i < boxes.count(); ++i) {
      const int body = model.geoms[static_cast<std::size_t>(i)].body;
      derived.body_pose[static_cast<std::size_t>(body)] = {vector(boxes.position(i, step)),
                                                           abut::Quat(1, 0, 0, 0)};
      derived.body_rotation[static_cast<std::size_t>(body)].setIdentity();
    }
    geom_poses(model, derived, poses);
    broad.update(model, filter, poses);
    return static_cast<double>(broad.pairs().size());
  }

  FlyingBoxes boxes;
  abut::Model model;
  abut::PairFilter filter;
  abut::BroadPhase broad;
  abut::Derived derived;
  std::vector<abut::Pose> poses;
  int step = 0;
};

}  // namespace

int main() {
  std::vector<Task> tasks;
  Patches boxes = box_patches();
  tasks.push_back({task_name::kBoxPatch, 64, [&] { return boxes.run(); }});

  std::vector<Patches> sizes;
  for (const int vertices : {8, 32, 128, 512, 2048}) sizes.push_back(hulls(vertices));
  abut::ClipBuffers buffers;
  abut::Intersection common;
  for (Patches& p : sizes) {
    const int vertices = p.solids[0].polyhedron->vertex_count();
    const int count = static_cast<int>(p.pairs.size());
    tasks.push_back({fmt::format("patch, {} vertices", vertices), count, [&p] { return p.run(); }});
    tasks.push_back({fmt::format("volume by clipping, {} vertices", vertices), count, [&] {
                       double sum = 0;
                       for (const Near& q : p.pairs) {
                         clip_volume(p.solids[q.a], p.solids[q.b], relative(q.X_WA, q.X_WB),
                                     buffers, common);
                         sum += common.volume;
                       }
                       return sum;
                     }});
    if (vertices > 512) continue;  // 40 ms a pair
    tasks.push_back(
        {fmt::format("volume by duality, {} vertices", vertices), count, [&p] {
           double sum = 0;
           for (const Near& q : p.pairs)
             sum += dual_volume(p.solids[q.a], p.solids[q.b], relative(q.X_WA, q.X_WB)).volume;
           return sum;
         }});
  }
  Broad broad(10000);
  tasks.push_back({task_name::kBroadPhase, 1, [&] { return broad.run(); }});
  return serve_tasks("abut " + std::string(abut::version()), tasks);
}
