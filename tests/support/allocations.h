// Counts what this program takes from the heap.
#pragma once

namespace abut::test {
long allocation_count();
}
