// What the makers of scenes share.
#pragma once

#include <random>

#include "scene.h"

// The same numbers in every standard library.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double within(double most) {
    const double share = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return most * (2 * share - 1);
  }

 private:
  std::mt19937_64 engine_;
};

inline constexpr double kPi = 3.141592653589793;

Turn turned(const Three& by);  // by a rotation vector
Turn operator*(const Turn& a, const Turn& b);
Turn conjugate(const Turn& a);
Three rotate(const Turn& by, const Three& v);
Three operator+(const Three& a, const Three& b);
Three operator-(const Three& a, const Three& b);

Solid ground();
Solid box(const Three& position, double mass = 1, const Three& half = {0.5, 0.5, 0.5});
// A fixed one.
Solid wall(const Three& half, const Three& position);

// Of scene_linked.cpp
EngineScene chain(int count);
EngineScene net(int side);
EngineScene ragdolls(int count, unsigned seed);
EngineScene hinges(int count);
