#include "abut/collide/solid/feature.h"

namespace abut {

const char* name(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::none:
      return "none";
    case FeatureKind::vertex:
      return "vertex";
    case FeatureKind::edge:
      return "edge";
    case FeatureKind::face:
      return "face";
    case FeatureKind::surface:
      return "surface";
  }
  return "none";
}

}  // namespace abut
