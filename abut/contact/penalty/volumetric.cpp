#include "abut/contact/penalty/volumetric.h"

#include <fmt/format.h>

#include <array>

namespace abut {

namespace {

// Dampers of the default gains. A block that rocks and lands on a face is stopped where dampers
// act: spread evenly that is two thirds of the way to its far edge, and half of what an inelastic
// landing takes is lost (Housner's ratio; RockingBlock in tests/contact). At the rim they resist
// tilting three times as much, and with zeta 1 all of it is.
constexpr double kRim = 3, kZeta = 1;

SurfaceNormal normal_of(const Model& model) {
  static constexpr std::array<std::string_view, 8> kNames{"normal", "gains", "kp",    "kv",
                                                          "kt",     "zeta",  "parts", "common"};
  check_names(model, "abut.volumetric.", kNames);
  const auto it = model.custom.find("abut.volumetric.normal");
  if (it == model.custom.end() || it->second.text == "area") return SurfaceNormal::area;
  if (it->second.text == "translation") return SurfaceNormal::translation;
  throw WorldError(
      it->second.source,
      fmt::format("abut.volumetric.normal = '{}': there are area, translation", it->second.text));
}

CommonBy common_of(const Model& model) {
  const auto it = model.custom.find("abut.volumetric.common");
  if (it == model.custom.end() || it->second.text == "clip") return CommonBy::clipping;
  if (it->second.text == "dual") return CommonBy::dual;
  throw WorldError(
      it->second.source,
      fmt::format("abut.volumetric.common = '{}': there are clip, dual", it->second.text));
}

class Volumetric final : public SpreadForces {
 public:
  Volumetric(const Model& model, const Collider& collider, const ContactSettings& settings)
      : Volumetric(model, collider, settings,
                   std::make_unique<GainTable>(model, collider,
                                               GainKind{.name = "volumetric",
                                                        .integral = false,
                                                        .zeta = kZeta,
                                                        .spread = true,
                                                        .in_parts = true})) {}

  int choose_parts(const ContactMemory& memory) override {
    gains_->parts().choose(memory, slots());
    set_step(gains_->step());
    return parts();
  }
  int parts() const override { return gains_->parts().count(); }
  bool keeps_accounts() const override { return gains_->all_free(); }
  std::vector<std::string> warnings() const override {
    return gains_->parts().with_overload(warnings_);
  }

 protected:
  // A piece has its share of the springs between two bodies.
  Pressed stiffness(const PairView& pair, const ContactPiece& piece, double load) const override {
    const Gains g = gains_->of(pair.patch.geom_a, pair.patch.geom_b, 1, load);
    const bool free = g.free && !gains_->of_paper();
    return {.kp = piece.share * g.kp,
            .kv = piece.share * g.kv,
            .kt = piece.share * g.kt,
            .rocking = free ? kRim : 1,
            .settles = free ? StackDampers::kTimes * piece.share * g.kv : 0};
  }
  void follow_load(const PairView& pair, double load, double carried,
                   std::span<double> known) const override {
    gains_->parts().follow_load(pair.patch.geom_a, pair.patch.geom_b, load, carried, known);
  }
  bool limits_damping() const override { return !gains_->of_paper(); }

 private:
  Volumetric(const Model& model, const Collider& collider, const ContactSettings& settings,
             std::unique_ptr<GainTable> gains)
      : SpreadForces(model, friction_rule(model, settings), gains->mobility(), gains->step(),
                     {normal_of(model), collider.plane(), common_of(model)}),
        gains_(std::move(gains)),
        warnings_(gains_->warnings(collider.filter())) {}

  std::unique_ptr<GainTable> gains_;  // the frame points to its mobility
  std::vector<std::string> warnings_;
};

}  // namespace

std::unique_ptr<ForceModel> make_volumetric(const Model& model, const Collider& collider,
                                            const ContactSettings& settings) {
  return std::make_unique<Volumetric>(model, collider, settings);
}

}  // namespace abut
