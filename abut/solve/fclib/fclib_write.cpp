// Writing FCLIB's layout.
#include <fmt/format.h>

#include <algorithm>

#include "abut/math/hdf5/hdf5_handle.h"
#include "abut/math/output_file.h"
#include "abut/solve/fclib/fclib_file.h"
#include "abut/solve/file/triplets.h"

namespace abut {

namespace {

using hdf5::check;
using hdf5::Handle;

struct Output {
  std::string name;
  Handle file;

  // HDF5 may crash at the end of the process after a failed write to a disk: it writes to memory.
  void create_in_memory() {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, name);
    check(H5Pset_fapl_core(access, 1 << 20, false), name);
    file = Handle(H5Fcreate("abut problem in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose,
                  name);
  }
  std::string bytes() const {
    check(H5Fflush(file, H5F_SCOPE_GLOBAL), name);
    std::string all(static_cast<std::size_t>(check(H5Fget_file_image(file, nullptr, 0), name)), 0);
    check(H5Fget_file_image(file, all.data(), all.size()), name);
    return all;
  }
  void group(const std::string& path) const {
    const Handle made(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Gclose, name);
  }
  void write(const std::string& path, hid_t stored, hid_t type, const void* data,
             std::size_t count) const {
    const hsize_t size = count;
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
    const Handle set(
        H5Dcreate2(file, path.c_str(), stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose, name);
    if (count > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
  }
  void ints(const std::string& path, const std::vector<int>& x) const {
    write(path, H5T_STD_I32LE, H5T_NATIVE_INT, x.data(), x.size());
  }
  void numbers(const std::string& path, const VectorX& x) const {
    write(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, x.data(), static_cast<std::size_t>(x.size()));
  }
  void text(const std::string& path, const std::string& value) const {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
    check(H5Tset_size(type, value.size() + 1), name);
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
    const Handle set(
        H5Dcreate2(file, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose, name);
    check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.c_str()), name);
  }
  void matrix(const std::string& path, int rows, int columns,
              const std::vector<Triplet>& entries) const {
    group(path);
    const int nz = static_cast<int>(entries.size());
    std::vector<int> p, i;
    VectorX x(nz);
    for (const Triplet& t : entries) {
      x[static_cast<Eigen::Index>(p.size())] = t.value;
      p.push_back(t.column);  // in CSparse's order, as in read_fclib
      i.push_back(t.row);
    }
    ints(path + "/m", {rows});
    ints(path + "/n", {columns});
    ints(path + "/nz", {nz});
    ints(path + "/nzmax", {nz});
    ints(path + "/p", p);
    ints(path + "/i", i);
    numbers(path + "/x", x);
  }
};

// Where each row goes: cones first, then the free rows.
struct Layout {
  int spacedim = 3, cone_rows = 0;
  std::vector<int> place;  // of each row of the problem
};

Layout layout_of(const Problem& p, const std::string& name) {
  const auto refuse = [&](const std::string& why) {
    throw FileError(fmt::format(
        "{}: FCLIB's files hold cones of one size and free rows; {}: write a .json", name, why));
  };
  Layout out;
  if (p.cones.empty()) refuse("this problem has no cone");
  out.spacedim = p.cones[0].size;
  out.place.assign(p.size(), -1);
  for (const Cone& c : p.cones) {
    if (c.size != out.spacedim) refuse("this problem has cones of 2 and of 3 rows");
    for (int k = 0; k < c.size; ++k) out.place[c.first + k] = out.cone_rows++;
  }
  int next = out.cone_rows;
  for (int i = 0; i < p.size(); ++i) {
    if (out.place[i] >= 0) continue;
    if (!p.is_free(i)) refuse(fmt::format("row {} is neither", i));
    out.place[i] = next++;
  }
  return out;
}

// Writes r, u and l: the parts of z and w.
void write_point(const Output& out, const std::string& group, const Layout& layout,
                 const VectorX& z, const VectorX& w) {
  VectorX zz(z.size()), ww(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i)
    zz[layout.place[i]] = z[i], ww[layout.place[i]] = w[i];
  const int m = layout.cone_rows, free = static_cast<int>(z.size()) - m;
  out.group(group);
  out.numbers(group + "/u", ww.head(m));
  out.numbers(group + "/r", zz.head(m));
  if (free > 0) out.numbers(group + "/l", zz.tail(free));
}

}  // namespace

void write_fclib(const std::filesystem::path& path, const ProblemFile& file, const Answer* answer) {
  const Problem& p = file.problem;
  const Layout layout = layout_of(p, path.string());
  const int m = layout.cone_rows, free = p.size() - m;

  std::vector<Triplet> W, V, R, below;
  for (Triplet t : triplets_of(p.A)) {
    t.row = layout.place[t.row], t.column = layout.place[t.column];
    if (t.row < m && t.column < m)
      W.push_back(t);
    else if (t.row >= m && t.column >= m)
      R.push_back({t.row - m, t.column - m, t.value});
    else if (t.row < m)
      V.push_back({t.row, t.column - m, t.value});
    else
      below.push_back({t.column, t.row - m, t.value});
  }
  // the part below W must be V': FCLIB stores no other
  const auto by_place = [](const Triplet& s, const Triplet& t) {
    return s.row != t.row ? s.row < t.row : s.column < t.column;
  };
  const auto same = [](const Triplet& s, const Triplet& t) {
    return s.row == t.row && s.column == t.column && s.value == t.value;
  };
  std::sort(V.begin(), V.end(), by_place);
  std::sort(below.begin(), below.end(), by_place);
  if (!std::equal(V.begin(), V.end(), below.begin(), below.end(), same))
    throw FileError(path.string() +
                    ": A is not symmetric between cones and free rows, which FCLIB's files cannot "
                    "say: write a .json");
  VectorX b(p.size()), mu(static_cast<Eigen::Index>(p.cones.size()));
  for (int i = 0; i < p.size(); ++i) b[layout.place[i]] = p.b[i];
  for (Eigen::Index k = 0; k < mu.size(); ++k) mu[k] = p.cones[static_cast<std::size_t>(k)].mu;

  const hdf5::Session session;
  Output out{path.string(), {}};
  out.create_in_memory();
  out.group("fclib_local");
  out.ints("fclib_local/spacedim", {layout.spacedim});
  out.matrix("fclib_local/W", m, m, W);
  if (free > 0) {
    out.matrix("fclib_local/V", m, free, V);
    out.matrix("fclib_local/R", free, free, R);
  }
  out.group("fclib_local/vectors");
  out.numbers("fclib_local/vectors/mu", mu);
  out.numbers("fclib_local/vectors/q", b.head(m));
  if (free > 0) out.numbers("fclib_local/vectors/s", b.tail(free));
  if (!file.note.empty()) {
    out.group("fclib_local/info");
    out.text("fclib_local/info/title", file.note);
    // libfclib requires all three
    out.text("fclib_local/info/description", "");
    out.text("fclib_local/info/math_info", "");
  }
  if (answer && answer->status == SolveStatus::solved)
    write_point(out, "solution", layout, answer->z, answer->w);
  if (file.start.size() == p.size() && p.size() > 0) {
    out.group("guesses");
    out.ints("guesses/number_of_guesses", {1});
    VectorX w;
    p.A.multiply(file.start, w);
    write_point(out, "guesses/1", layout, file.start, w + p.b);
  }
  write_file(path, out.bytes());
}

}  // namespace abut
