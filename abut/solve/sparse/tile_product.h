// The inner loop of dense factorisations: products of packed strips,
//
//   out[c][r] = sum over q of a[q][r] b[q][c],   r < 8, c < 4,
//
// for two strips a of four rows each, packed as a[4 q + r], and one strip b of four columns, packed
// as b[4 q + c]. Each number is a sum in the order of q without fused operations, so that all
// instruction sets give the same bits.
#pragma once

namespace abut {

using TileProduct = void (*)(const double* a_low, const double* a_high, const double* b, int depth,
                             double* out);

void tile_product_sse2(const double* a_low, const double* a_high, const double* b, int depth,
                       double* out);
void tile_product_avx2(const double* a_low, const double* a_high, const double* b, int depth,
                       double* out);

// The widest that this processor has.
TileProduct best_tile_product();

}  // namespace abut
