#include "abut/contact/model_info.h"

namespace abut {

std::string_view name(Axis axis) {
  switch (axis) {
    case Axis::contact:
      return "contact";
    case Axis::data:
      return "data";
    case Axis::friction:
      return "friction";
    case Axis::stabilize:
      return "stabilize";
    case Axis::solver:
      return "solver";
    case Axis::integrator:
      return "integrator";
    case Axis::coordinates:
      return "coordinates";
  }
  return "";
}

std::string_view Choice::operator[](Axis axis) const {
  switch (axis) {
    case Axis::contact:
      return contact;
    case Axis::data:
      return data;
    case Axis::friction:
      return friction;
    case Axis::stabilize:
      return stabilize;
    case Axis::solver:
      return solver;
    case Axis::integrator:
      return integrator;
    case Axis::coordinates:
      return coordinates;
  }
  return "";
}

}  // namespace abut
