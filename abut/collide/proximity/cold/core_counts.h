// Statistics of the queries of cores (core_proximity.h).
#pragma once

namespace abut {

// How often each method was used, for tests and benchmarks; one for each thread.
struct CoreCounts {
  long long queries = 0, gjk_iterations = 0, expansions = 0, expansion_iterations = 0;
  long long same_features = 0;  // coherent queries answered from the last features
  long long followed = 0;       // coherent depths found by a walk from the last features
  long long polished = 0;       // nearly touching or doubtful: decided by V-Clip
  long long fallbacks = 0;      // answered by separating axes, because of rounding
};
inline CoreCounts& core_counts() {
  thread_local CoreCounts counts;
  return counts;
}

}  // namespace abut
