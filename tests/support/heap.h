// Counts every malloc of this program: Eigen's arrays do not come by operator new, which is
// all that allocations.h sees. Under a sanitizer, which has a malloc of its own, always 0.
#pragma once

namespace abut::test {
long heap_count();
}
