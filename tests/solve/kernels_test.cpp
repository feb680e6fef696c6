// The innermost loops against Eigen, at lengths on both sides of where they change their way.
#include "abut/solve/linear/kernels.h"

#include <gtest/gtest.h>

#include "abut/solve/matrix.h"
#include "support/random.h"

namespace abut {
namespace {

TEST(Kernels, MagnitudesAreTheLargestOfRowsAndColumns) {
  test::Random random(1);
  for (int n = 1; n <= 40; ++n) {
    DenseRows A(n, n);
    for (int i = 0; i < n * n; ++i) A.data()[i] = random.uniform(-1, 1);
    VectorX of_rows(n), of_columns(n);
    magnitudes(A.data(), n, of_rows.data(), of_columns.data());
    EXPECT_EQ(of_rows, A.cwiseAbs().rowwise().maxCoeff()) << n;
    EXPECT_EQ(of_columns, A.cwiseAbs().colwise().maxCoeff().transpose()) << n;
  }
}

}  // namespace
}  // namespace abut
