// The families of generate.h, one function each: `n` is the desired number of unknowns. If a
// solution is known by construction, it is stored in `solution`.
#pragma once

#include "abut/math/random.h"
#include "abut/solve/problem.h"

namespace abut::family {

// generate_matrices.cpp: numbers without a mechanism
Problem p_matrix(int n, SplitMix& random, VectorX& solution);
Problem definite(int n, SplitMix& random, VectorX& solution);
Problem boxed(int n, SplitMix& random, VectorX& solution);
Problem degenerate(int n, SplitMix& random, VectorX& solution);
Problem scaled(int n, SplitMix& random, VectorX& solution);
Problem cycling(int n, SplitMix& random, VectorX& solution);
Problem infeasible(int n, SplitMix& random, VectorX& solution);

// generate_contacts.cpp: random bodies, contacts and joints
Problem semidefinite(int n, SplitMix& random, VectorX& solution);
Problem friction(int n, SplitMix& random, VectorX& solution);
Problem boxed_friction(int n, SplitMix& random, VectorX& solution);
Problem cones(int n, SplitMix& random, VectorX& solution);
Problem mixed(int n, SplitMix& random, VectorX& solution);
Problem mixed_schur(int n, SplitMix& random, VectorX& solution);
Problem mixed_friction(int n, SplitMix& random, VectorX& solution);

// generate_rods.cpp: a rod that slides on its end
Problem painleve(int n, SplitMix& random, VectorX& solution);
Problem painleve_acceleration(int n, SplitMix& random, VectorX& solution);

// generate_stacks.cpp: boxes on top of each other
Problem stack(int n, SplitMix& random, VectorX& solution);
Problem stack_redundant(int n, SplitMix& random, VectorX& solution);

}  // namespace abut::family
