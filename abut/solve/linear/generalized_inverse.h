// Replaces A by X with A X A = A: the inverse if A is regular; if A is singular, dependent rows and
// columns are left out (their part of X is zero). Gauss-Jordan with complete pivoting; a pivot
// below `relative` times the first counts as zero. Returns the rank. `a` is n x n, row major.
// `scratch` is reused.
#pragma once

#include <vector>

namespace abut {

// `a` is n x n, row major. `scratch` is reused.
int generalized_inverse(double* a, int n, double relative, std::vector<int>& scratch);

}  // namespace abut
