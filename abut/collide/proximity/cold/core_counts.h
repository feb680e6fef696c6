// How the queries of cores (core_proximity.h) were answered.
#pragma once

namespace abut {

// How often each way was taken, for tests and benchmarks; one for each thread.
struct CoreCounts {
  long long queries = 0, gjk_iterations = 0, expansions = 0, expansion_iterations = 0;
  long long same_features = 0;  // coherent queries answered from last time's features
  long long followed = 0;       // coherent depths found by a walk from there
  long long polished = 0;       // near or doubtful: V-Clip had the last word
  long long fallbacks = 0;      // answered by the separating axes, for rounding's sake
};
inline CoreCounts& core_counts() {
  thread_local CoreCounts counts;
  return counts;
}

}  // namespace abut
