#include "abut/contact/penalty/surface/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/collide/volume/intersection.h"
#include "abut/contact/penalty/stiffness/gains.h"
#include "abut/contact/penalty/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

constexpr double kZeta = 5;
// Layers that nobody described give way within this part of sqrt(L / g), or slower by zeta. A face
// of width w that lands at a turning of omega is in full contact for d / (w omega), d the sag: that
// is short, and only dampers as strong as this stop it as a rigid body is stopped. With 0.7 what an
// impact has pressed in would come out so slowly that it passes for rest (1e-6 m g L).
constexpr double kRelaxes = 0.3;
constexpr double kLeastFace = 0.02;  // of the size squared: what counts as a face

Layer read(const NamedValue& value, const std::string& name) {
  const std::vector<double>& x = value.numbers;
  const bool fine = (x.size() == 2 || x.size() == 3) &&
                    std::all_of(x.begin(), x.begin() + 2, [](double v) { return v > 0; }) &&
                    (x.size() == 2 || x[2] >= 0);
  if (!fine)
    throw WorldError(value.source,
                     fmt::format("{}: write thickness (m) and stiffness (N/m^3), both "
                                 "positive, and damping (N s/m^3) if it is known",
                                 name));
  return {x[0], x[1], x.size() == 3 ? x[2] : -1};
}

double area_of(const Polyhedron& p, int f) {
  const std::span<const int> loop = p.face_loop(f);
  Vec3 twice = Vec3::Zero();
  for (std::size_t k = 2; k < loop.size(); ++k)
    twice += (p.vertices[at(loop[k - 1])] - p.vertices[at(loop[0])])
                 .cross(p.vertices[at(loop[k])] - p.vertices[at(loop[0])]);
  return 0.5 * twice.norm();
}

// Whether it stands on that face: the centre of mass is over it.
bool stands_on(const Polyhedron& p, int f, const Vec3& com) {
  const std::span<const int> loop = p.face_loop(f);
  const Vec3& eta = p.faces[at(f)].eta;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec3& a = p.vertices[at(loop[k])];
    const Vec3& b = p.vertices[at(loop[(k + 1) % loop.size()])];
    if (eta.dot((b - a).cross(com - a)) < 0) return false;
  }
  return true;
}

}  // namespace

LayerTable::LayerTable(const Model& model, const Collider& collider, const Mobility& mobility,
                       bool explicit_step)
    : model_(model),
      mobility_(mobility),
      explicit_(explicit_step),
      g_(gravity(model).norm()),
      step_(model.option.timestep),
      longest_(model.option.timestep),
      geoms_(model.geoms.size()) {
  if (collider.plane())
    throw WorldError(
        "contact quasirigid has pressures, force per area, and a planar world has no areas; use "
        "--contact volumetric, or leave abut.plane out");
  static constexpr std::array<std::string_view, 4> kNames{"step", "zeta", "parts", "layers"};
  check_names(model, "abut.quasirigid.", kNames);
  zeta_ = PairNumber(model, "abut.quasirigid.zeta", 0, kInfinity);
  if (const auto it = model.custom.find("abut.layer"); it != model.custom.end())
    std::fill(geoms_.begin(), geoms_.end(), read(it->second, it->first));
  const std::string prefix = "abut.layer.";
  for (const auto& [key, value] : model.custom) {
    if (!key.starts_with(prefix)) continue;
    const int geom = model.geom_names.find(key.substr(prefix.size()));
    if (geom < 0)
      throw WorldError(value.source,
                       fmt::format("{}: there is no geom '{}'", key, key.substr(prefix.size())));
    geoms_[at(geom)] = read(value, key);
  }

  Derived d(model);
  const State state(model);
  const Input input(model);
  positions(model, state, input, d);
  std::vector<Faces> links(model.links.size());
  for (int g = 0; g < static_cast<int>(geoms_.size()); ++g) {
    const int l = model.bodies[at(model.geoms[at(g)].body)].link;
    const Polyhedron* p = collider.solids()[g].tessellation;
    if (l < 0 || p == nullptr) continue;
    const double L = mobility.size(g, g), least = kLeastFace * L * L;
    const Link& link = model.links[at(l)];
    const Vec3 com =
        geom_pose(model, d, g).inverse() * (d.body_pose[at(link.body)] * link.mass.com);
    Faces& faces = links[at(l)];
    for (int f = 0; f < p->face_count(); ++f) {
      const double area = std::max(area_of(*p, f), least);
      faces.largest = std::max(faces.largest, area);
      if (stands_on(*p, f, com) && (faces.standing == 0 || area < faces.standing))
        faces.standing = area;
    }
  }
  for (Faces& f : links)
    if (f.standing == 0) f.standing = f.largest;
  for (const Geom& geom : model.geoms) {
    const int l = model.bodies[at(geom.body)].link;
    faces_.push_back(l < 0 ? Faces{} : links[at(l)]);
  }
}

bool LayerTable::any_given() const {
  return std::any_of(geoms_.begin(), geoms_.end(), [](const auto& l) { return l.has_value(); });
}

// The mover that weighs less; of one that moves and one that does not, the mover.
int LayerTable::lighter(int a, int b) const {
  const double ma = mobility_.mass(a), mb = mobility_.mass(b);
  if (ma <= 0 || mb <= 0) return ma > 0 ? a : b;
  return ma <= mb ? a : b;
}

void LayerTable::damp(Layer& layer, int a, int b) const {
  const double area = faces_[at(lighter(a, b))].standing;
  if (layer.damping < 0) {
    const std::optional<double> zeta = zeta_.of(a, b);
    const double of = zeta.value_or(kZeta);
    layer.damping =
        area > 0 ? 2 * of * std::sqrt(layer.stiffness * area * reduced_mass(a, b)) / area : 0;
    if (!layer.given && !zeta && !explicit_ && g_ > 0)
      layer.landing = kRelaxes * std::sqrt(mobility_.size(a, b) / g_) * layer.stiffness;
  }
  layer.landing = std::max(layer.landing, layer.damping);
}

Layer LayerTable::by_default(int a, int b) const {
  const int light = lighter(a, b);
  const double L = mobility_.size(light, light), m = reduced_mass(a, b);
  const Faces& faces = faces_[at(light)];
  if (!(L > 0 && faces.standing > 0)) return {};
  const double weight = g_ * loaded_mass(mobility_.tree_mass(a), mobility_.tree_mass(b));
  const double eq8 = M_PI * M_PI * m / (64 * longest_ * longest_);
  Layer layer{kLayerThickness * L,
              std::max(eq8, StepParts::kLoads * weight / (kSpringSag * L)) / faces.standing, -1};
  if (explicit_)
    layer.stiffness =
        std::min(layer.stiffness, GainTable::kStiffest * m / (step_ * step_ * faces.largest));
  return layer;
}

const std::optional<Layer>& LayerTable::of_geom(int geom) const { return geoms_[at(geom)]; }

Layer LayerTable::of_core(int core, int other) const {
  Layer layer = geoms_[at(core)].value_or(Layer());
  layer.given = true;
  damp(layer, core, other);
  return layer;
}

Layer LayerTable::of(int a, int b) const {
  const std::optional<Layer>&la = geoms_[at(a)], &lb = geoms_[at(b)];
  Layer layer;
  if (la && lb) {
    layer.thickness = la->thickness + lb->thickness;
    layer.stiffness = 1 / (1 / la->stiffness + 1 / lb->stiffness);
    layer.damping = la->damping < 0 || lb->damping < 0 ? -1
                    : la->damping == 0 || lb->damping == 0
                        ? 0
                        : 1 / (1 / la->damping + 1 / lb->damping);
  } else {
    layer = la ? *la : lb ? *lb : by_default(a, b);
  }
  layer.given = la || lb;
  damp(layer, a, b);
  return layer;
}

Layer LayerTable::under(int a, int b, double load, double size, double area) const {
  Layer layer = of(a, b);
  if (layer.given || !(load > 0 && size > 0 && area > 0 && layer.stiffness > 0)) return layer;
  double k = load / (0.5 * kSpringSag * size);
  if (explicit_) k = std::min(k, StepParts::kAtEase * reduced_mass(a, b) / (step_ * step_));
  const double times = k / (layer.stiffness * area);
  if (!(times > 1)) return layer;
  layer.stiffness *= times;
  layer.damping *= times;
  layer.landing *= times;
  return layer;
}

std::vector<std::string> LayerTable::warnings(const PairFilter& filter) const {
  double worst = 4;
  int count = 0, wa = -1, wb = -1;
  const double h = step_;
  if (explicit_)
    filter.for_each_pair([&](int a, int b) {
      const double m = reduced_mass(a, b);
      if (m <= 0) return;
      const double s = 2 * h * h * of(a, b).stiffness * faces_[at(lighter(a, b))].largest / m;
      count += s > 4;
      if (s > worst) worst = s, wa = a, wb = b;
    });
  if (count == 0) return {};
  return {fmt::format(
      "the step is too long for the layers of {} pairs, the worst '{}' and '{}': on the largest "
      "face "
      "2 h^2 K A/m is {:.3g}, and beyond 4 it flies apart; use abut.quasirigid.step implicit, or a "
      "step of {:.2g} s",
      count, model_.geom_names[wa], model_.geom_names[wb], worst, h * std::sqrt(4 / worst))};
}

}  // namespace abut
