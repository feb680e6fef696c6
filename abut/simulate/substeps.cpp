#include "abut/simulate/substeps.h"

#include "abut/math/rotation.h"
#include "abut/simulate/tolerances.h"

namespace abut {

void Substeps::begin(double h, int parts, const Input& input) {
  input_ = input;  // keeps what it has grown to
  const double length = h / parts;
  parts_.assign(static_cast<std::size_t>(parts), {length, length, 0});
  length_ = length;
  several_ = parts > 1;
}

bool Substeps::ends_part() const {
  return !(parts_.back().left - length_ > kSubstepRest * parts_.back().whole);
}

void Substeps::shorten(double length) {
  length_ = length;
  several_ = true;
}

void Substeps::halve() {
  Part half = parts_.back();
  half.whole = half.left = length_ / 2;
  ++half.halvings;
  parts_.back() = half;
  parts_.push_back(half);
  length_ = half.left;
  several_ = true;
}

void Substeps::taken() {
  carry(length_, input_);
  Part& part = parts_.back();
  part.left -= length_;
  if (!(part.left > kSubstepRest * part.whole)) parts_.pop_back();
  if (!parts_.empty()) length_ = parts_.back().left;
}

void carry(double time, Input& input) {
  for (std::size_t i = 0; i < input.mocap.size(); ++i) {
    const Vec6& v = input.mocap_velocity[i];
    input.mocap[i].p += time * v.head<3>();
    input.mocap[i].q = (exp_rotation(time * v.tail<3>()) * input.mocap[i].q).normalized();
  }
}

}  // namespace abut
