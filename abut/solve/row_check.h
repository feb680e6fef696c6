// Whether every row of an answer holds by its own measure. The residual that decides `solved` is
// relative to the largest b: with rows in units a million times apart, z = 0 can pass.
// Residuals::row_scaled measures each row by its own terms; near 1 the row is not solved at all.
#pragma once

#include "abut/solve/answer.h"

namespace abut {

// A row that is off by more than this part of its own terms is not solved. Rows of rounding alone
// come out anywhere below it: 0.035 was seen beside a residual of 6e-18.
inline constexpr double kRowWrong = 0.1;

// Rows whose terms are all rounding (0 = 1e-17 of a contact that just touches) seem wrong by their
// own measure and are not: they are put to the bound that they are next to, if that makes every row
// hold to kRowWrong and the relative residual stays within `tolerance`. True: z, w and r are of
// that answer. False: nothing changed, and a row is wrong.
bool settle_rows(const Problem& problem, double tolerance, VectorX& z, VectorX& w, Residuals& r,
                 VectorX& scratch);

}  // namespace abut
