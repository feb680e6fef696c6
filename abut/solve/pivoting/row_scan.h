// The scans over all rows at a bound in a pivot of Dantzig's method, with the widest vectors of the
// machine (kernels.h): which row is wrong, and how far z may move until another becomes wrong.
//
//   const abut::WrongRows wrong = abut::score_wrong(sign, w, noise, weight, n, score);
//   // the row whose score is wrong.most is driven next
#pragma once

namespace abut {

struct WrongRows {
  int count = 0;
  double most = 0;  // the largest score
};

// sign is the required sign of w, 1 or -1, or 0 for any. A row is wrong if sign w < -noise. score
// is |w| weight of wrong rows, 0 of the others.
WrongRows score_wrong(const double* sign, const double* w, const double* noise,
                      const double* weight, int n, double* score);

// reach_j is the distance at which w_j, which moves with rate_j, becomes 0 in a valid row. It is
// infinite for the other rows, and for rows that move away from 0, or towards it more slowly than
// still root_j. Returns the least reach.
double find_reaches(const double* sign, const double* w, const double* rate, const double* noise,
                    const double* root, double still, int n, double* reach);

}  // namespace abut
