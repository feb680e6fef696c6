// The worlds of Hasegawa and Fujii, and of K-X1, built in code. Those that name a file are in
// worlds/ too, to be run and looked at (a test compares them). Gains are written into them, for
// `deepest` and `volumetric` alike: a method is never tuned alone.
#pragma once

#include "abut/contact/settings.h"
#include "abut/model/world.h"

namespace abut::reproduce {

// Of both methods, for everything; `floor` is a geom whose pairs have gains of their own.
struct SpringGains {
  double kp = 0, kv = 0;              // N/m, N s/m
  double kp_floor = 0, kv_floor = 0;  // 0: the same
};
// Hasegawa and Fujii, eqs 7 and 8, with b = 2 zeta sqrt(k m) (H-E6), for bodies of `mass` on each
// other and on what does not move.
SpringGains gains_of_eq_8(double mass, double step, double zeta);
void set_gains(World& world, const SpringGains& gains);

// H-X1, Fig. 8: a cube of 2 m and 1 kg, tilted by 0.1 rad about y, its lowest edge `height` (m)
// over the ground; no friction, g 9.8, step 10 ms. zeta 0.37, height 0.1: worlds/slanted_cube.xml.
World slanted_cube(double zeta, double height);

// H-X2, Fig. 10: four cubes of 1 m and 1 kg on each other, each aside by up to 5 cm, turned by up
// to 0.01 rad, at random; friction 0.5, static 0.6, step 5 ms. zeta 0.4, seed 1:
// worlds/four_blocks.xml.
World four_blocks(double zeta, unsigned seed);
inline constexpr int kBlocks = 4;

// K-X1, Cheng Yi and Drumwright, Fig. 3: a unit cube of 10 kg, its centre 0.45 m over the ground
// and turned, at rest; k_p 5000 N/m, k_v 250 N s/m, no friction. 0.5 rad about (0.6, 0.8, 0), 1 ms:
// worlds/embedded_box.xml.
World embedded_box(const Quat& turned, double step);

// pd without an integral term, and the other with its own friction.
ContactSettings point_method(FrictionKind friction = FrictionKind::natural);
ContactSettings volumetric_method(FrictionKind friction = FrictionKind::natural);

}  // namespace abut::reproduce
