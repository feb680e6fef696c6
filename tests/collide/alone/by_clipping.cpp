#include "abut/collide/volume/clip_volume.h"
#include "maker.h"

namespace abut {

// weak: null unless something brings it in
[[gnu::weak]] Intersection dual_volume(const Convex& A, const Convex& B, const Transform& X_AB);

namespace testing {

Intersection common_part(const Convex& A, const Convex& B, const Transform& X_AB) {
  ClipBuffers buffers;
  Intersection common;
  clip_volume(A, B, X_AB, buffers, common);
  return common;
}

bool other_maker_is_linked() { return &dual_volume != nullptr; }

}  // namespace testing
}  // namespace abut
