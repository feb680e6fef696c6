#include "abut/simulate/exclude_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/collide/broad/filter.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// At most this many pairs are written; the rest are only counted.
constexpr std::size_t kMostLines = 40;

bool is_solid(const Model& model, int geom) {
  const Shape& shape = model.geoms[at(geom)].shape;
  if (shape.kind == ShapeKind::mesh) return !model.assets.hulls[at(shape.asset)].vertices.empty();
  return shape.kind != ShapeKind::hfield;
}

// Whether a fixed body, other than the world, carries a body.
bool carries(const Model& model, int fixed, int body) {
  while (body > fixed) body = model.bodies[at(body)].parent;
  return fixed > 0 && body == fixed && model.bodies[at(fixed)].link < 0;
}

bool of_one_mechanism(const Model& model, int a, int b) {
  const int link_a = model.bodies[at(a)].link, link_b = model.bodies[at(b)].link;
  if (link_a >= 0 && link_b >= 0)
    return model.links[at(link_a)].tree == model.links[at(link_b)].tree;
  return carries(model, std::min(a, b), std::max(a, b));
}

}  // namespace

std::vector<std::array<int, 2>> overlapping_links(const Model& model, OverlapMeasure& measure) {
  std::vector<std::array<int, 2>> found;
  PairFilter(model).for_each_pair([&](int a, int b) {
    std::array<int, 2> bodies{model.geoms[at(a)].body, model.geoms[at(b)].body};
    std::sort(bodies.begin(), bodies.end());
    if (!of_one_mechanism(model, bodies[0], bodies[1])) return;
    if (!is_solid(model, a) || !is_solid(model, b)) return;
    const double depth = -measure.distance(std::min(a, b), std::max(a, b), 0);
    if (depth > kReportedDepth * measure.size_of(a, b)) found.push_back(bodies);
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string exclude_warning(const Model& model, OverlapMeasure& measure) {
  std::string lines;
  std::size_t written = 0, left_out = 0;
  for (const auto& [a, b] : overlapping_links(model, measure)) {
    const bool named = model.body_names.named(a) && model.body_names.named(b);
    if (!named || written == kMostLines) {
      ++left_out;
      continue;
    }
    ++written;
    lines += fmt::format("<exclude body1=\"{}\" body2=\"{}\"/>", model.body_names[a],
                         model.body_names[b]);
  }
  if (written + left_out == 0) return {};
  return fmt::format("links of one mechanism overlap; if the file means them to, add {}{}",
                     written > 0 ? "<contact>" + lines + "</contact>" : "<exclude> elements",
                     left_out > 0 ? fmt::format(" ({} more pairs are not listed)", left_out) : "");
}

}  // namespace abut
