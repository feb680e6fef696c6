// Checks every row of an answer by its own measure. The residual that decides `solved` is relative
// to the largest b: if rows are in units a million times apart, z = 0 can pass.
// Residuals::row_scaled measures each row by its own terms; near 1 the row is not solved at all.
#pragma once

#include "abut/solve/answer.h"

namespace abut {

// Rows whose terms are all rounding (0 = 1e-17 of a contact that just touches) seem wrong by their
// own measure but are not. This function sets them to their nearest bound, if then every row holds
// to kRowWrong and the relative residual stays within `tolerance`. Returns true if z, w and r are
// those of that answer; false if nothing changed and a row is wrong.
bool settle_rows(const Problem& problem, double tolerance, VectorX& z, VectorX& w, Residuals& r,
                 VectorX& scratch);

}  // namespace abut
