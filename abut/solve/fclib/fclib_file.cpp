#include "abut/solve/fclib/fclib_file.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <new>

#include "abut/math/hdf5/hdf5_handle.h"
#include "abut/solve/file/triplets.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

using hdf5::check;
using hdf5::Handle;
using Sparse = Eigen::SparseMatrix<double>;  // by columns

// A file open for reading; paths are written without the first slash.
struct Input {
  std::string name;
  Handle file;

  bool has(const std::string& path) const {
    for (std::size_t slash = path.find('/');; slash = path.find('/', slash + 1)) {
      if (H5Lexists(file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
      if (slash == path.npos) return true;
    }
  }
  [[noreturn]] void fail(const std::string& path, const std::string& what) const {
    throw FileError(fmt::format("{}: /{} {}", name, path, what));
  }
  bool was_written(const std::string& path) const {
    const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, name + ": /" + path);
    return H5Dget_storage_size(set) > 0;
  }
  template <class Number>
  std::vector<Number> read(const std::string& path, hid_t type) const {
    if (!has(path)) fail(path, "is missing");
    const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose, name + ": /" + path);
    const Handle space(H5Dget_space(set), H5Sclose, name + ": /" + path);
    const hssize_t count = check(H5Sget_simple_extent_npoints(space), name + ": /" + path);
    // a wrong size must not take all memory
    constexpr hssize_t kMost = hssize_t{1} << 28;
    if (count > kMost) fail(path, fmt::format("has {} numbers, more than {}", count, kMost));
    if (count > 0 && H5Dget_storage_size(set) == 0) fail(path, "was never written");
    std::vector<Number> out(static_cast<std::size_t>(count));
    if (count > 0)
      check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), name + ": /" + path);
    return out;
  }
  std::vector<int> ints(const std::string& path) const { return read<int>(path, H5T_NATIVE_INT); }
  int one_int(const std::string& path) const {
    const std::vector<int> x = ints(path);
    if (x.size() != 1) fail(path, fmt::format("has {} numbers, not 1", x.size()));
    return x[0];
  }
  VectorX numbers(const std::string& path, int size) const {
    const std::vector<double> x = read<double>(path, H5T_NATIVE_DOUBLE);
    if (x.size() != static_cast<std::size_t>(size))
      fail(path, fmt::format("has {} numbers, not {}", x.size(), size));
    return Eigen::Map<const VectorX>(x.data(), size);
  }
};

struct FileMatrix {
  int rows = 0, columns = 0;
  std::vector<Triplet> entries;

  Sparse sparse() const {
    std::vector<Eigen::Triplet<double>> list;
    for (const Triplet& t : entries) list.emplace_back(t.row, t.column, t.value);
    Sparse out(rows, columns);
    out.setFromTriplets(list.begin(), list.end());
    return out;
  }
};

// nz >= 0: triplets; -1: compressed columns; -2: compressed rows. For triplets, p holds the columns
// and i the rows, as in CSparse and the public collections. libfclib's header says the opposite, so
// that files that are valid only that way are read that way.
FileMatrix read_matrix(const Input& in, const std::string& path) {
  FileMatrix out;
  out.rows = in.one_int(path + "/m");
  out.columns = in.one_int(path + "/n");
  const int nz = in.one_int(path + "/nz");
  const std::vector<int> p = in.ints(path + "/p"), i = in.ints(path + "/i");
  const std::vector<double> x = in.read<double>(path + "/x", H5T_NATIVE_DOUBLE);
  if (out.rows < 0 || out.columns < 0 || nz < -2)
    in.fail(path, fmt::format("has m = {}, n = {}, nz = {}", out.rows, out.columns, nz));

  const auto add = [&](int row, int column, std::size_t k) {
    if (row < 0 || row >= out.rows || column < 0 || column >= out.columns)
      in.fail(path, fmt::format("has an entry at row {}, column {}, but is {} x {}", row, column,
                                out.rows, out.columns));
    out.entries.push_back({row, column, x[k]});
  };
  if (nz >= 0) {
    const auto count = static_cast<std::size_t>(nz);
    if (p.size() < count || i.size() < count || x.size() < count)
      in.fail(path, fmt::format("has fewer than nz = {} entries in p, i or x", nz));
    const auto fit = [&](const std::vector<int>& rows, const std::vector<int>& columns) {
      for (std::size_t k = 0; k < count; ++k)
        if (rows[k] < 0 || rows[k] >= out.rows || columns[k] < 0 || columns[k] >= out.columns)
          return false;
      return true;
    };
    const bool swapped = !fit(i, p) && fit(p, i);
    for (std::size_t k = 0; k < count; ++k) swapped ? add(p[k], i[k], k) : add(i[k], p[k], k);
    return out;
  }
  const int lines = nz == -1 ? out.columns : out.rows;
  if (p.size() != static_cast<std::size_t>(lines) + 1)
    in.fail(path + "/p", fmt::format("has {} numbers, not {}", p.size(), lines + 1));
  for (int line = 0; line < lines; ++line) {
    if (p[line] < 0 || p[line + 1] < p[line] || static_cast<std::size_t>(p[line + 1]) > x.size() ||
        static_cast<std::size_t>(p[line + 1]) > i.size())
      in.fail(path + "/p", fmt::format("goes from {} to {} at {}", p[line], p[line + 1], line));
    for (int k = p[line]; k < p[line + 1]; ++k) nz == -1 ? add(i[k], line, k) : add(line, i[k], k);
  }
  return out;
}

void expect_size(const Input& in, const std::string& path, const FileMatrix& a, int rows,
                 int columns) {
  if (a.rows != rows || a.columns != columns)
    in.fail(path, fmt::format("is {} x {}, not {} x {}", a.rows, a.columns, rows, columns));
}

// Sets cones for `m` rows, then `free` free rows.
void set_rows(const Input& in, const std::string& group, int m, int free, Problem& p) {
  const int size = in.one_int(group + "/spacedim");
  if (size != 2 && size != 3)
    in.fail(group + "/spacedim", fmt::format("is {}: 2 or 3 can be", size));
  if (m % size != 0) in.fail(group, fmt::format("has {} rows, no multiple of {}", m, size));
  // a size is accepted once a vector has it
  const VectorX mu = in.numbers(group + "/vectors/mu", m / size);
  p.resize(m + free);
  for (int k = 0; k < m / size; ++k) p.cones.push_back({size * k, size, mu[k]});
  for (int i = m; i < m + free; ++i) p.set_free(i);
}

void read_local(const Input& in, Problem& p) {
  const std::string group = "fclib_local";
  const FileMatrix W = read_matrix(in, group + "/W");
  const int m = W.rows;
  expect_size(in, group + "/W", W, m, m);
  FileMatrix V, R;
  if (in.has(group + "/V")) {
    V = read_matrix(in, group + "/V");
    R = read_matrix(in, group + "/R");
    expect_size(in, group + "/V", V, m, V.columns);
    expect_size(in, group + "/R", R, V.columns, V.columns);
  }
  const VectorX q = in.numbers(group + "/vectors/q", m);
  const VectorX s = V.columns > 0 ? in.numbers(group + "/vectors/s", V.columns) : VectorX();
  set_rows(in, group, m, V.columns, p);
  p.b << q, s;

  std::vector<Triplet> all = W.entries;
  for (const Triplet& t : V.entries) {
    all.push_back({t.row, m + t.column, t.value});
    all.push_back({m + t.column, t.row, t.value});
  }
  for (const Triplet& t : R.entries) all.push_back({m + t.row, m + t.column, t.value});
  set_from_triplets(p.A, p.size(), p.cones, all);
}

// Y = M^-1 B and c = M^-1 f, with a check that M is regular.
template <class Factor>
bool divide(const Sparse& M, const Sparse& B, const VectorX& f, std::vector<Triplet>& entries,
            VectorX& b) {
  Factor factor;
  factor.compute(M);
  if (factor.info() != Eigen::Success) return false;
  const VectorX c = factor.solve(f);
  if (!c.allFinite() ||
      (M * c - f).lpNorm<Eigen::Infinity>() > kMassDivided * (1 + f.lpNorm<Eigen::Infinity>()))
    return false;
  b += B.transpose() * c;
  for (int j = 0; j < B.cols(); ++j) {
    const VectorX column = B.transpose() * VectorX(factor.solve(VectorX(B.col(j))));
    if (!column.allFinite()) return false;
    for (int i = 0; i < column.size(); ++i)
      if (column[i] != 0) entries.push_back({i, j, column[i]});
  }
  return true;
}

void read_global(const Input& in, Problem& p) {
  const std::string group = "fclib_global";
  const FileMatrix M = read_matrix(in, group + "/M"), H = read_matrix(in, group + "/H");
  expect_size(in, group + "/M", M, M.rows, M.rows);
  expect_size(in, group + "/H", H, M.rows, H.columns);
  const int m = H.columns;
  FileMatrix both = H;  // [H G]
  if (in.has(group + "/G")) {
    const FileMatrix G = read_matrix(in, group + "/G");
    expect_size(in, group + "/G", G, M.rows, G.columns);
    for (const Triplet& t : G.entries) both.entries.push_back({t.row, m + t.column, t.value});
    both.columns += G.columns;
  }
  const int free = both.columns - m;
  const VectorX f = in.numbers(group + "/vectors/f", M.rows);
  const VectorX w = in.numbers(group + "/vectors/w", m);
  const VectorX g = free > 0 ? in.numbers(group + "/vectors/b", free) : VectorX();
  set_rows(in, group, m, free, p);
  p.b << w, g;

  std::vector<Triplet> entries;
  const Sparse mass = M.sparse(), B = both.sparse();
  const bool symmetric =
      Sparse(mass - Sparse(mass.transpose())).norm() <= kMassSymmetric * mass.norm();
  const VectorX b = p.b;
  if (!symmetric || !divide<Eigen::SimplicialLDLT<Sparse>>(mass, B, f, entries, p.b)) {
    entries.clear();
    p.b = b;
    if (!divide<Eigen::SparseLU<Sparse>>(mass, B, f, entries, p.b))
      in.fail(group + "/M", "is singular: the problem cannot be reduced");
  }
  set_from_triplets(p.A, p.size(), p.cones, entries);
}

// (r, l) of a solution or a guess; empty if it is missing, or present but never written, as in some
// public files.
VectorX read_point(const Input& in, const std::string& group, const Problem& p) {
  if (!in.has(group + "/r") || !in.was_written(group + "/r")) return {};
  int rows = 0;
  for (const Cone& c : p.cones) rows += c.size;
  VectorX z(p.size());
  z.head(rows) = in.numbers(group + "/r", rows);
  const int free = p.size() - rows;
  if (free > 0) z.tail(free) = in.numbers(group + "/l", free);
  if (!z.allFinite()) in.fail(group, "has a number that is not finite");
  return z;
}

std::string read_text(const Input& in, const std::string& path) {
  if (!in.has(path)) return "";
  const Handle set(H5Dopen2(in.file, path.c_str(), H5P_DEFAULT), H5Dclose, in.name);
  const Handle type(H5Dget_type(set), H5Tclose, in.name);
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || size > 1 << 20) return "";
  const Handle space(H5Dget_space(set), H5Sclose, in.name);
  if (H5Sget_simple_extent_npoints(space) != 1) return "";
  std::string text(size, '\0');
  check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), in.name);
  return text.substr(0, text.find('\0'));
}

}  // namespace

ProblemFile read_fclib(const std::filesystem::path& path) {
  const hdf5::Session session;
  Input in{path.string(), {}};
  in.file = Handle(H5Fopen(in.name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                   in.name + ": cannot be read as HDF5");
  ProblemFile out;
  try {
    const bool local = in.has("fclib_local");
    if (local)
      read_local(in, out.problem);
    else if (in.has("fclib_global"))
      read_global(in, out.problem);
    else
      throw FileError(in.name + ": has neither /fclib_local nor /fclib_global");
    out.solution = read_point(in, "solution", out.problem);
    out.start = read_point(in, "guesses/1", out.problem);
    out.note = read_text(in, std::string(local ? "fclib_local" : "fclib_global") + "/info/title");
  } catch (const std::bad_alloc&) {
    throw FileError(in.name + ": is too large for this machine's memory");
  }
  if (const std::string wrong = out.problem.what_is_wrong(); !wrong.empty())
    throw FileError(in.name + ": " + wrong);
  return out;
}

}  // namespace abut
