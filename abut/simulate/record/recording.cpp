#include "abut/simulate/record/recording.h"

#include <algorithm>
#include <optional>

#include "abut/math/hdf5/hdf5_handle.h"

namespace abut {

using hdf5::check;
using hdf5::Handle;

namespace {

constexpr int kFirstLayout = 120;  // bytes of a PairMemory in recordings that say none

}  // namespace

struct Recording::Impl {
  std::string name;
  Handle file;
  std::int64_t rows = 0;

  // A number of the file's root; nothing if there is none.
  std::optional<int> number_attribute(const char* attribute) const {
    if (H5Aexists(file, attribute) <= 0) return {};
    const Handle a(H5Aopen(file, attribute, H5P_DEFAULT), H5Aclose, name);
    int value = 0;
    check(H5Aread(a, H5T_NATIVE_INT, &value), name);
    return value;
  }
  void check_version() const {
    const std::optional<int> version = number_attribute("format_version");
    if (!version || *version < 1) throw RecordError(name + ": has no format version");
    if (*version > kRecordVersion)
      throw RecordError(name + ": has format version " + std::to_string(*version) +
                        " of a newer abut; this abut reads versions 1 to " +
                        std::to_string(kRecordVersion));
  }
  bool has(const std::string& dataset) const {
    const auto slash = dataset.find('/');
    if (slash != std::string::npos &&
        H5Lexists(file, dataset.substr(0, slash).c_str(), H5P_DEFAULT) <= 0)
      return false;
    return H5Lexists(file, dataset.c_str(), H5P_DEFAULT) > 0;
  }
  Handle open(const std::string& dataset) const {
    if (!has(dataset)) throw RecordError(name + ": has no dataset '" + dataset + "'");
    return {H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose, name + ": " + dataset};
  }
  std::vector<hsize_t> shape(hid_t dataset) const {
    const Handle space(H5Dget_space(dataset), H5Sclose, name);
    std::vector<hsize_t> size(
        static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space), name)));
    check(H5Sget_simple_extent_dims(space, size.data(), nullptr), name);
    return size;
  }
  static std::int64_t width(const std::vector<hsize_t>& shape) {
    std::int64_t n = 1;
    for (std::size_t i = 1; i < shape.size(); ++i) n *= static_cast<std::int64_t>(shape[i]);
    return n;
  }
  void read_row_count() {
    const Handle dataset = open("rows");
    check(H5Drefresh(dataset), name);
    check(H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &rows), name);
  }

  std::vector<std::string> texts(const std::string& dataset) const;
  template <class Number>
  std::vector<Number> read(const std::string& dataset, hid_t type, std::int64_t begin,
                           std::int64_t count) const;
  template <class Number>
  std::vector<Number> read_whole(const std::string& dataset, hid_t type, std::int64_t begin,
                                 std::int64_t count) const;
  // Entries that rows begin .. end have in datasets whose rows end where `ends` says.
  struct Range {
    std::int64_t begin = 0, count = 0;
  };
  Range range(const std::string& ends, std::int64_t begin, std::int64_t end) const;
  Range points(const Range& pairs) const;
  std::int64_t number(const std::string& dataset, std::int64_t index) const;
};

std::vector<std::string> Recording::Impl::texts(const std::string& dataset) const {
  if (!has(dataset)) return {};
  const Handle d = open(dataset);
  const Handle type(H5Dget_type(d), H5Tclose, name);
  const std::vector<hsize_t> size = shape(d);
  const std::size_t length = H5Tget_size(type), count = size.empty() ? 1 : size[0];
  std::string all(count * length, '\0');
  if (count > 0) check(H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), name);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string line = all.substr(i * length, length);
    lines.push_back(line.substr(0, line.find('\0')));
  }
  return lines;
}

template <class Number>
std::vector<Number> Recording::Impl::read(const std::string& dataset, hid_t type,
                                          std::int64_t begin, std::int64_t count) const {
  begin = std::clamp<std::int64_t>(begin, 0, rows);
  return read_whole<Number>(dataset, type, begin, std::clamp<std::int64_t>(count, 0, rows - begin));
}

template <class Number>
std::vector<Number> Recording::Impl::read_whole(const std::string& dataset, hid_t type,
                                                std::int64_t begin, std::int64_t count) const {
  const Handle d = open(dataset);
  std::vector<hsize_t> size = shape(d), start(size.size(), 0);
  if (count > 0 && (size.empty() || static_cast<std::int64_t>(size[0]) < begin + count))
    throw RecordError(name + ": '" + dataset + "' has no row for each recorded step");
  std::vector<Number> numbers(static_cast<std::size_t>(count * width(size)));
  if (numbers.empty()) return numbers;
  start[0] = static_cast<hsize_t>(begin);
  size[0] = static_cast<hsize_t>(count);
  const Handle from(H5Dget_space(d), H5Sclose, name);
  check(H5Sselect_hyperslab(from, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr),
        name);
  const Handle to(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose,
                  name);
  check(H5Dread(d, type, to, from, H5P_DEFAULT, numbers.data()), name + ": " + dataset);
  return numbers;
}

std::int64_t Recording::Impl::number(const std::string& dataset, std::int64_t index) const {
  return index < 0 ? 0 : read_whole<std::int64_t>(dataset, H5T_NATIVE_INT64, index, 1)[0];
}

Recording::Impl::Range Recording::Impl::range(const std::string& ends, std::int64_t begin,
                                              std::int64_t end) const {
  const std::int64_t first = number(ends, begin - 1);
  return {first, end > begin ? number(ends, end - 1) - first : 0};
}

Recording::Impl::Range Recording::Impl::points(const Range& pairs) const {
  return range("contacts/pair_points_end", pairs.begin, pairs.begin + pairs.count);
}

Recording::Recording(const std::filesystem::path& file) : impl_(std::make_unique<Impl>()) {
  Impl& r = *impl_;
  r.name = file.string();
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw RecordError(r.name + ": there is no such file");
  const hdf5::Session session;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, r.name);
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), r.name);
  // one that is being written, or whose writer was killed, opens only as a reader beside it
  hid_t id = H5Fopen(r.name.c_str(), H5F_ACC_RDONLY, access);
  if (id < 0) id = H5Fopen(r.name.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
  r.file = Handle(id, H5Fclose, r.name + ": cannot be read as HDF5");
  if (H5Aexists(r.file, "format") <= 0 || !r.has("rows"))
    throw RecordError(r.name + ": is no recording of abut");
  r.check_version();
  r.read_row_count();
}

Recording::~Recording() {
  if (!impl_) return;
  const hdf5::Session session;
  impl_->file.close();
}
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}

std::int64_t Recording::rows() const { return impl_->rows; }

void Recording::refresh() {
  const hdf5::Session session;
  impl_->read_row_count();
}

std::string Recording::ended() const {
  const hdf5::Session session;
  const auto lines = impl_->texts("ended");
  return lines.empty() ? "" : lines[0];
}

std::vector<std::string> Recording::body_names() const {
  const hdf5::Session session;
  return impl_->texts("model/body_names");
}
std::vector<std::string> Recording::geom_names() const {
  const hdf5::Session session;
  return impl_->texts("model/geom_names");
}
std::vector<std::string> Recording::joint_names() const {
  const hdf5::Session session;
  return impl_->texts("model/joint_names");
}
std::vector<std::string> Recording::actuator_names() const {
  const hdf5::Session session;
  return impl_->texts("model/actuator_names");
}
std::vector<std::string> Recording::warnings() const {
  const hdf5::Session session;
  return impl_->texts("warnings");
}

std::string Recording::setting(const std::string& name) const {
  const hdf5::Session session;
  const std::string& file = impl_->name;
  if (H5Aexists_by_name(impl_->file, "settings", name.c_str(), H5P_DEFAULT) <= 0) return "";
  const Handle a(H5Aopen_by_name(impl_->file, "settings", name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                 H5Aclose, file);
  const Handle type(H5Aget_type(a), H5Tclose, file);
  if (H5Tis_variable_str(type) <= 0) return "";
  char* text = nullptr;
  check(H5Aread(a, type, &text), file);
  const std::string copy = text ? text : "";
  H5free_memory(text);
  return copy;
}

double Recording::number_setting(const std::string& name) const {
  const hdf5::Session session;
  double number = std::numeric_limits<double>::quiet_NaN();
  if (H5Aexists_by_name(impl_->file, "settings", name.c_str(), H5P_DEFAULT) <= 0) return number;
  const Handle a(H5Aopen_by_name(impl_->file, "settings", name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
                 H5Aclose, impl_->name);
  const Handle space(H5Aget_space(a), H5Sclose, impl_->name);
  if (H5Sget_simple_extent_npoints(space) == 1) H5Aread(a, H5T_NATIVE_DOUBLE, &number);
  return number;
}

std::int64_t Recording::width(const std::string& dataset) const {
  const hdf5::Session session;
  return impl_->has(dataset) ? Impl::width(impl_->shape(impl_->open(dataset))) : 0;
}

std::vector<double> Recording::read(const std::string& dataset, std::int64_t begin,
                                    std::int64_t count) const {
  const hdf5::Session session;
  return impl_->read<double>(dataset, H5T_NATIVE_DOUBLE, begin, count);
}

std::vector<std::uint64_t> Recording::hashes(std::int64_t begin, std::int64_t count) const {
  const hdf5::Session session;
  return impl_->read<std::uint64_t>("hash", H5T_NATIVE_UINT64, begin, count);
}

std::vector<double> Recording::read_contacts(const std::string& dataset, std::int64_t begin,
                                             std::int64_t count) const {
  const hdf5::Session session;
  begin = std::clamp<std::int64_t>(begin, 0, rows());
  count = std::clamp<std::int64_t>(count, 0, rows() - begin);
  Impl::Range entries = impl_->range("contacts/pairs_end", begin, begin + count);
  if (dataset.starts_with("contacts/point_")) entries = impl_->points(entries);
  return impl_->read_whole<double>(dataset, H5T_NATIVE_DOUBLE, entries.begin, entries.count);
}

namespace {

Vec3 vector(const std::vector<double>& of, std::size_t i) {
  return {of[3 * i], of[3 * i + 1], of[3 * i + 2]};
}

}  // namespace

ContactForces Recording::contact_forces(std::int64_t row) const {
  check_row(row);
  ContactForces forces;
  {
    const hdf5::Session session;
    if (!impl_->has("contacts/pairs_end")) return forces;
  }
  const auto read = [&](const char* name) { return read_contacts(name, row, 1); };
  const auto geoms = read("contacts/pair_geoms"), ends = read("contacts/pair_points_end");
  const auto force = read("contacts/pair_force"), torque = read("contacts/pair_torque");
  const auto point = read("contacts/pair_point"), normal = read("contacts/pair_normal");
  const auto position = read("contacts/point_position"), pressed = read("contacts/point_force"),
             along = read("contacts/point_normal_force");
  for (std::size_t i = 0; i < along.size(); ++i)
    forces.points.push_back({vector(position, i), vector(pressed, i), along[i]});
  const double before = ends.empty() ? 0 : ends.back() - static_cast<double>(along.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    PairForce& pair = forces.pairs.emplace_back();
    pair.geom_a = static_cast<int>(geoms[2 * i]);
    pair.geom_b = static_cast<int>(geoms[2 * i + 1]);
    pair.force = vector(force, i);
    pair.torque = vector(torque, i);
    pair.point = vector(point, i);
    pair.normal = vector(normal, i);
    pair.begin = i == 0 ? 0 : forces.pairs[i - 1].end;
    pair.end = static_cast<int>(ends[i] - before);
  }
  return forces;
}

void Recording::check_row(std::int64_t row) const {
  if (row < 0 || row >= rows())
    throw RecordError(impl_->name + ": has no row " + std::to_string(row) + ", but " +
                      std::to_string(rows()));
}

void Recording::read_state(std::int64_t row, State& state) const {
  check_row(row);
  state.time = read("time", row, 1)[0];
  for (const auto& [dataset, to] :
       {std::pair{"q", &state.q}, {"v", &state.v}, {"act", &state.act}, {"turn", &state.turn}}) {
    if (width(dataset) != static_cast<std::int64_t>(to->size()))
      throw RecordError(impl_->name + ": is of another model: '" + dataset + "' has " +
                        std::to_string(width(dataset)) + " numbers, not " +
                        std::to_string(to->size()));
    if (!to->empty()) *to = read(dataset, row, 1);
  }
  const hdf5::Session session;
  if (impl_->number_attribute("format_version") == 1)
    throw RecordError(impl_->name +
                      ": has format version 1, without what contacts remember: a run cannot go on "
                      "from it");
  // recordings of version 2 that say no layout have the one of abut 0.1
  if (impl_->number_attribute("memory_layout").value_or(kFirstLayout) != sizeof(PairMemory))
    throw RecordError(impl_->name +
                      ": lays out what contacts remember otherwise than this abut: a run cannot go "
                      "on from it");
  const Impl::Range words = impl_->range("memory_end", row, row + 1);
  if (!state.contacts.read_words(
          impl_->read_whole<std::uint64_t>("memory", H5T_NATIVE_UINT64, words.begin, words.count)))
    throw RecordError(impl_->name + ": what contacts remember at row " + std::to_string(row) +
                      " does not add up");
}

std::vector<Pose> Recording::poses(std::int64_t row) const {
  const std::vector<double> p = read("body_position", row, 1), q = read("body_quaternion", row, 1);
  std::vector<Pose> poses(p.size() / 3);
  for (std::size_t b = 0; b < poses.size(); ++b) {
    poses[b].p = Vec3(p[3 * b], p[3 * b + 1], p[3 * b + 2]);
    poses[b].q = Quat(q[4 * b], q[4 * b + 1], q[4 * b + 2], q[4 * b + 3]);
  }
  return poses;
}

}  // namespace abut
