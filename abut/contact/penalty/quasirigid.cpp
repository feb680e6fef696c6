#include "abut/contact/penalty/quasirigid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/penalty/spread_forces.h"
#include "abut/contact/penalty/stiffness/gains.h"
#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

constexpr double kCore = 1000;  // times the layer's stiffness
constexpr double kRim = 2;      // dampers of default layers resist tilting so many times as much

// Owned by the forces and made before their frame, which points to it.
struct Layers {
  Mobility mobility;
  LayerTable table;
  StepParts parts;

  Layers(const Model& model, const Collider& collider)
      : mobility(model, collider, MobilityOf::bodies),
        table(model, collider, mobility, true),
        parts(model, collider, mobility, "abut.quasirigid", {.free = !table.any_given()}) {
    fit_to_step();
  }
  void fit_to_step() { table.set_step(parts.step(), parts.least_step()); }
};

class QuasiRigid final : public SpreadForces {
 public:
  QuasiRigid(const Model& model, const Collider& collider, const ContactSettings& settings,
             std::unique_ptr<Layers> layers)
      : SpreadForces(model, friction_rule(model, settings), layers->mobility, layers->parts.step(),
                     {.closed_forms = settings.data != ContactSource::vertices}),
        vertices_(settings.data == ContactSource::vertices),
        // explicit Euler needs all damping that there is room for along the normal, as do layers
        // that are stiff for the step: wide plates trembled
        rocking_(vertices_ || model.option.integrator == Integrator::explicit_euler ? 1 : kRim),
        layers_(std::move(layers)),
        names_(model.geom_names),
        warnings_(layers_->table.warnings(collider.filter())) {}

  std::vector<std::string> warnings() const override {
    std::vector<std::string> lines = layers_->parts.with_overload(warnings_);
    if (overloaded_.sag > 0)
      lines.push_back(fmt::format(
          "'{}' and '{}' press each other with {:.3g} N: the stiffest layer that forces can follow "
          "at this step sinks in by {:.2g} of the size; use abut.quasirigid.step implicit, or a "
          "step of {:.2g} s",
          names_[overloaded_.a], names_[overloaded_.b], overloaded_.load, overloaded_.sag,
          layers_->parts.step() * std::sqrt(kWarnedSag / overloaded_.sag)));
    return lines;
  }
  int choose_parts(const ContactMemory& memory) override {
    layers_->parts.choose(memory, slots());
    layers_->fit_to_step();
    set_step(layers_->parts.step());
    return parts();
  }
  int parts() const override { return layers_->parts.count(); }
  bool keeps_accounts() const override { return !layers_->table.any_given(); }

 protected:
  Pressed stiffness(const PairView& pair, const ContactPiece& piece, double load) const override {
    const int a = pair.patch.geom_a, b = pair.patch.geom_b;
    const Layer layer = layers_->table.under(a, b, load, layers_->mobility.size(a, b), piece.area);
    const double kp = layer.stiffness * piece.surface.area;
    const double m = layers_->mobility.reduced_mass(a, b), L = layers_->mobility.size(a, b);
    const double whole = layer.stiffness * piece.area, sag = whole > 0 ? load / (whole * L) : 0;
    // where layers were described there are no parts of a step
    if (!layers_->parts.follows_loads() && !layer.given &&
        sag > std::max(kWarnedSag, overloaded_.sag))
      overloaded_ = {a, b, load / (finer(pair) * storeys(pair)), sag};
    const double h = layers_->parts.step(), longest = layers_->parts.least_step();
    const double eq8 = M_PI * M_PI * m / (64 * longest * longest);
    return {.kp = kp,
            .kv = layer.damping * piece.surface.area,
            .kt = std::min(kp, eq8),
            .rocking = layer.given || h * h * kp > StepParts::kAtEase * m ? 1 : rocking_,
            .settles = layer.given ? 0 : StackDampers::kTimes * 2 * std::sqrt(kp * m)};
  }

  void follow_load(const PairView& pair, double load, double carried,
                   std::span<double> known) const override {
    layers_->parts.follow_load(pair.patch.geom_a, pair.patch.geom_b, load, carried, known);
  }

  void press(const PairView& pair, int piece, Pressed& p) override {
    const ContactSurface& s = pieces().all()[at(piece)].surface;
    if (!vertices_ || s.thin) return SpreadForces::press(pair, piece, p);
    samples_.clear();
    sample_vertices(pieces().part(piece), s, samples_);
    p.load = 0;
    p.point = s.center;
    Vec3 sum = Vec3::Zero();
    for (const LayerSample& sample : samples_) {
      const double part = sample.area / s.area;
      const double u = pair.velocity(sample.point).dot(s.normal);
      const double f =
          std::max(part * (p.kp * sample.depth * pair.part() - p.damping * p.kv * u), 0.0);
      p.load += f;
      sum += f * sample.point;
    }
    if (p.load > 0) p.point = sum / p.load;
  }

 private:
  bool vertices_;
  double rocking_;
  std::unique_ptr<Layers> layers_;
  std::vector<LayerSample> samples_;
  const NameTable& names_;
  std::vector<std::string> warnings_;
  struct Overloaded {
    int a = 0, b = 0;
    double load = 0, sag = 0;  // N; of the size
  };
  mutable Overloaded overloaded_;  // the worst so far, for warnings()
};

}  // namespace

std::unique_ptr<ForceModel> make_quasirigid(const Model& model, const Collider& collider,
                                            const ContactSettings& settings) {
  return std::make_unique<QuasiRigid>(model, collider, settings,
                                      std::make_unique<Layers>(model, collider));
}

LayerContacts::LayerContacts(const Model& model, const Collider& collider,
                             const ContactSettings& settings)
    : model_(model),
      vertices_(settings.data == ContactSource::vertices),
      materials_(model),
      mobility_(model, collider, MobilityOf::bodies),
      layers_(model, collider, mobility_, false),
      overlap_(model, !layers_.any_given()),
      pieces_(model, {.closed_forms = !vertices_}),
      carried_(model, mobility_),
      neighbours_(model.bodies.size()) {
  if (own(settings, "quasirigid.layers") != "faces") return;
  if (!vertices_)
    throw WorldError(
        "abut.quasirigid.layers = 'faces' samples the vertices of what is in a layer; use --data "
        "vertices");
  faces_.emplace(model, collider, layers_);
}

void LayerContacts::count_neighbours(const ContactData& patches) {
  pairs_.clear();
  for (const ContactPiece& piece : pieces_.all()) {
    const Patch& p = patches.patches[at(piece.patch)];
    pairs_.push_back(pair_key(model_.geoms[at(p.geom_a)].body, model_.geoms[at(p.geom_b)].body));
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  std::fill(neighbours_.begin(), neighbours_.end(), 0);
  for (const PairKey key : pairs_) {
    ++neighbours_[static_cast<std::size_t>(key >> 32)];
    ++neighbours_[static_cast<std::size_t>(key & 0xffffffffu)];
  }
}

// What moves and has nothing else to touch.
bool LayerContacts::lands(const Patch& patch) const {
  for (const int geom : {patch.geom_a, patch.geom_b}) {
    const int body = model_.geoms[at(geom)].body;
    if (model_.bodies[at(body)].link >= 0 && neighbours_[at(body)] == 1) return true;
  }
  return false;
}

void LayerContacts::find(double h, const Input& input, const Derived& d, const Collider& collider,
                         const ContactData& patches, const ContactMemory& memory,
                         ContactData& out) {
  const ForceScene scene{model_, collider.solids(), materials_, input, d, patches};
  overlap_.begin(h, scene, memory, memory.pair_width() != kPairWidth, 0);
  out.clear();
  yield_.clear();
  softness_.clear();
  energy_ = 0;
  if (faces_)
    find_over_faces(h, scene, out);
  else
    find_inside(h, scene, memory, out);
}

void LayerContacts::find_inside(double h, const ForceScene& scene, const ContactMemory& memory,
                                ContactData& out) {
  const ContactData& patches = scene.data;
  const std::span<const Recovery> recovery = overlap_.of(patches);
  pieces_.find(scene, memory);
  count_neighbours(patches);
  carried_.begin();
  for (const ContactPiece& piece : pieces_.all()) {
    const Patch& p = patches.patches[at(piece.patch)];
    carried_.add(p.geom_a, p.geom_b, piece.surface.normal);
  }
  carried_.finish();
  for (int i = 0; i < static_cast<int>(pieces_.all().size()); ++i) {
    const ContactPiece& piece = pieces_.all()[at(i)];
    const ContactSurface& s = piece.surface;
    Patch& patch = out.patches.emplace_back(patches.patches[at(piece.patch)]);
    patch.normal = s.normal;
    const int a = patch.geom_a, b = patch.geom_b;
    const Layer layer = layers_.under(a, b, carried_.of(a, b), carried_.size(a, b), piece.area);
    const bool alone = lands(patch);
    samples_.clear();
    if (!s.thin && vertices_)
      sample_vertices(pieces_.part(i), s, samples_);
    else if (!s.thin)
      sample_moments(s, !layer.given && alone, samples_);
    add_rows(h, layer, alone, recovery.empty() ? 1 : recovery[at(piece.patch)].part, out);
  }
}

void LayerContacts::find_over_faces(double h, const ForceScene& scene, ContactData& out) {
  ContactSurface surface;
  for (int i = 0; i < static_cast<int>(scene.data.patches.size()); ++i) {
    const PairView pair(scene, i);
    // pairs without a contact are there as well: memory is written pair by pair
    Patch& patch = out.patches.emplace_back(pair.patch);
    patch.begin = patch.end = out.points.count();
    if (!faces_->find(pair, in_box_, surface)) continue;
    patch.normal = surface.normal;
    const int core = faces_->core(), other = core == patch.geom_a ? patch.geom_b : patch.geom_a;
    samples_.clear();
    sample_vertices(in_box_, surface, samples_, &faces_->top());
    add_rows(h, layers_.of_core(core, other), false, 1, out);
  }
}

// Of samples_, for the last patch of `out`. Springs act on a part of the depth.
void LayerContacts::add_rows(double h, const Layer& layer, bool alone, double part,
                             ContactData& out) {
  Patch& patch = out.patches.back();
  patch.begin = out.points.count();
  // warm starts find their points by id
  std::sort(samples_.begin(), samples_.end(),
            [](const LayerSample& x, const LayerSample& y) { return x.id < y.id; });
  for (const LayerSample& sample : samples_) {
    double k = layer.stiffness * sample.area, depth = part * sample.depth;
    const double damping = layer.given ? layer.damping * sample.area
                                       : (alone ? layer.landing : layer.damping) * sample.rim;
    energy_ += 0.5 * k * depth * depth;
    if (depth > layer.thickness) {
      k *= kCore;
      depth -= layer.thickness * (1 - 1 / kCore);
    }
    const Vec3 half = 0.5 * sample.depth * patch.normal;
    out.points.add(sample.point + half, sample.point - half, -sample.depth, sample.id);
    yield_.push_back(-k * depth / (h * k + damping));
    softness_.push_back(1 / (h * (h * k + damping)));
  }
  patch.end = out.points.count();
}

}  // namespace abut
