// The worlds of Drumwright, built in code; those that name a file are in worlds/multipoint too (a
// test compares them).
#pragma once

#include <string>
#include <string_view>

#include "abut/model/world.h"

namespace abut::reproduce {

inline constexpr double kBlockStep = 1e-3;  // s, with rk4: Drumwright, IV-A and B

// Gains of one model, written into the world: "abut.NAME.kp" and so on.
struct PenaltyGains {
  std::string_view model = "multipoint";
  double kp = 5000, kv = 2500, ki = 100;  // N/m, N s/m, N/m
  std::string_view share = "count";       // multipoint's
};
void set_gains(World& world, const PenaltyGains& gains);
std::string text_of(const PenaltyGains& gains);   // "multipoint 5000/2500/100, count"
std::string flags_of(const PenaltyGains& gains);  // as one types them
inline constexpr const char* kBlockFlags = "--friction none --integrator rk4 --step 0.001";

// A unit cube of `mass` kg over the ground z = 0 with its centre at `at`, without friction, rk4.
// D-X1 is worlds/multipoint/block.xml with 10 kg, D-X2 worlds/multipoint/pushed_block.xml.
World block_on_plane(double mass, const Vec3& at, const Quat& q);

// D-X3: boxes, cylinders and spheres of many sizes, masses in (0, 100] kg, over a bin of five
// slabs; seed 1 is worlds/multipoint/pile.xml.
World pile_of_shapes(unsigned seed);
inline constexpr int kPileBodies = 12;
inline constexpr double kPileSmallest = 0.16,
                        kPileBin = 0.6;  // m: least size; half width of the bin

}  // namespace abut::reproduce
