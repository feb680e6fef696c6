// What a pivot of Dantzig's method asks of every row at a bound, for the widest vectors that the
// machine has (kernels.h): which is wrong, and how far may z move until another becomes so.
//
//   const abut::WrongRows wrong = abut::score_wrong(sign, w, noise, weight, n, score);
//   // the row whose score is wrong.most is driven next
#pragma once

namespace abut {

struct WrongRows {
  int count = 0;
  double most = 0;  // the largest score
};

// sign is that which w must have, 1 or -1, or 0: any. A row is wrong if sign w < -noise. score is
// |w| weight of those that are, 0 of the others.
WrongRows score_wrong(const double* sign, const double* w, const double* noise,
                      const double* weight, int n, double* score);

// reach_j is where w_j, which moves with rate_j, is 0 with a row that is valid; infinite for the
// others and for those that go away from 0 or towards it more slowly than still root_j. Gives the
// least of them.
double find_reaches(const double* sign, const double* w, const double* rate, const double* noise,
                    const double* root, double still, int n, double* reach);

}  // namespace abut
