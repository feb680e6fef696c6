#include "abut/solve/file/problem_content.h"

namespace abut {

VectorX in_file_order(const ProblemFile& file, const VectorX& z) {
  if (file.file_row.empty()) return z;
  VectorX out(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i) out[file.file_row[i]] = z[i];
  return out;
}

VectorX from_file_order(const ProblemFile& file, const VectorX& z) {
  if (file.file_row.empty()) return z;
  VectorX out(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i) out[i] = z[file.file_row[i]];
  return out;
}

}  // namespace abut
