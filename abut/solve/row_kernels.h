// Sums of matrix rows, the inner loops of the pivoting methods.
#pragma once

#include <span>

#include "abut/solve/matrix.h"

// Kernels compiled for two widths of registers. Sums run in four lanes of a fixed order, so that
// the bits do not depend on how wide the machine's registers are; the clones differ in speed alone
// (no fused multiply-add).
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ABUT_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define ABUT_WIDE
#endif

namespace abut {

// y += x0 r0 + x1 r1 + x2 r2 + x3 r3, each of n numbers.
void add_four_rows(const double* r0, const double* r1, const double* r2, const double* r3,
                   const double x[4], int n, double* y);

// y += sum over k of x[k] times row rows[k] of A: A_:C x for symmetric A, read by rows.
void add_rows(const DenseRows& A, std::span<const int> rows, const double* x, double* y);

}  // namespace abut
