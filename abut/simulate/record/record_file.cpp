#include "abut/simulate/record/record_file.h"

#include <algorithm>
#include <limits>

#include "abut/dynamics/integrate.h"
#include "abut/model/type_names.h"
#include "abut/version.h"

namespace abut {

using hdf5::check;
using hdf5::Handle;

namespace {

constexpr std::size_t kWarningLength = 512, kEndedLength = 16;
// chunk indices of some blocks, headers, warnings at the end
constexpr std::uint64_t kRoomForMetadata = 1 << 20;
constexpr std::uint64_t kChunkCache = 1 << 20;  // HDF5's default, of each dataset

hid_t memory_type(ColumnType type) {
  switch (type) {
    case ColumnType::real:
      return H5T_NATIVE_DOUBLE;
    case ColumnType::integer:
      return H5T_NATIVE_INT64;
    case ColumnType::bits:
      return H5T_NATIVE_UINT64;
  }
  return -1;
}

// Chunks of 128 kB, but a short recording shall not be made of empty ones.
hsize_t chunk_rows(const RecordColumn& column) {
  const std::size_t width = std::max<std::size_t>(column.width(), 1);
  if (!column.by_row) return 4096 / width;  // 32 kB: there are many of these, and most are short
  return std::clamp<hsize_t>(16384 / width, 1, 1024);
}

// Text of a fixed length: HDF5 cannot add text of variable length to a file that has readers.
Handle text_type(std::size_t length) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, length), "text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "text type");
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), "text type");
  return type;
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "space"}; }

void attribute(hid_t object, const std::string& name, hid_t type, hid_t space, const void* value) {
  const Handle a(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                 name);
  check(H5Awrite(a, type, value), name);
}
void attribute(hid_t object, const std::string& name, std::string_view value) {
  const Handle type = text_type(H5T_VARIABLE);
  const std::string text(value);
  const char* pointer = text.c_str();
  attribute(object, name, type, scalar_space(), &pointer);
}
void attribute(hid_t object, const std::string& name, double value) {
  attribute(object, name, H5T_NATIVE_DOUBLE, scalar_space(), &value);
}
void attribute(hid_t object, const std::string& name, int value) {
  attribute(object, name, H5T_NATIVE_INT, scalar_space(), &value);
}

// Lines side by side, each padded with zeros. A cut never leaves half a UTF-8 character.
std::string padded(const std::vector<std::string>& lines, std::size_t length) {
  std::string all;
  for (std::string line : lines) {
    if (line.size() > length) {
      std::size_t end = length;
      while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
      line.resize(end);
    }
    line.resize(length);
    all += line;
  }
  return all;
}

}  // namespace

RecordFile::RecordFile(const Model& model, const std::filesystem::path& file,
                       const RecordSettings& settings, const std::vector<RecordColumn>& columns)
    : name_(file.string()), columns_(columns), claim_(file), lengths_(columns.size(), 0) {
  // names and tables of the model take less than 1 kB a body, joint or actuator
  for (const RecordColumn& c : columns_) room_for_chunks_ += 8 * c.width() * chunk_rows(c);
  const std::uint64_t room =
      room_for_chunks_ + kRoomForMetadata +
      1024 * (model.bodies.size() + model.joints.size() + model.geoms.size() +
              model.actuators.size() + model.warnings.size());
  claim_.reserve(room);

  const hdf5::Session session;
  // extensible arrays as chunk indices and checksummed metadata: SWMR needs the latest format
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, name_);
  check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), name_);
  check(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), name_);
  file_ = Handle(H5Fcreate(claim_.name_to_open().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access),
                 H5Fclose, name_);
  claim_.trim();  // HDF5 has emptied the file, and with it given back the room
  claim_.reserve(room);

  describe_settings(model, settings);
  describe_model(model);
  create_columns(settings.deflate);
  std::vector<std::string> warnings;
  for (const Warning& w : model.warnings) {
    const std::string where = to_string(w.source);
    warnings.push_back(where.empty() ? w.text : where + ": " + w.text);
  }
  append_warnings(warnings);

  // from here on nothing can be created, only appended and overwritten
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL), name_);
  check(H5Fstart_swmr_write(file_), name_);
  claim_.trim();
  claim_.hold();
}

Handle RecordFile::make_dataset(const std::string& name, hid_t type, hid_t space, hid_t properties,
                                std::string_view units, std::string_view about) {
  Handle link(H5Pcreate(H5P_LINK_CREATE), H5Pclose, name_);
  check(H5Pset_create_intermediate_group(link, 1), name_);
  Handle dataset(H5Dcreate2(file_, name.c_str(), type, space, link, properties, H5P_DEFAULT),
                 H5Dclose, name_ + ": " + name);
  attribute(dataset, "units", units);
  attribute(dataset, "about", about);
  return dataset;
}

template <class Number>
void RecordFile::table(const std::string& name, hid_t type, const std::vector<Number>& numbers,
                       hsize_t width, std::string_view units, std::string_view about) {
  if (numbers.empty()) return;
  const hsize_t size[2] = {numbers.size() / width, width};
  const Handle space(H5Screate_simple(width > 1 ? 2 : 1, size, nullptr), H5Sclose, name_);
  const Handle dataset = make_dataset(name, type, space, H5P_DEFAULT, units, about);
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), name_);
}

void RecordFile::text_table(const std::string& name, const std::vector<std::string>& lines,
                            std::string_view about) {
  if (lines.empty()) return;
  std::size_t length = 1;
  for (const std::string& line : lines) length = std::max(length, line.size());
  const hsize_t size = lines.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name_);
  const Handle type = text_type(length);
  const Handle dataset = make_dataset(name, type, space, H5P_DEFAULT, "1", about);
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded(lines, length).data()),
        name_);
}

void RecordFile::describe_settings(const Model& model, const RecordSettings& settings) {
  attribute(file_, "format", "abut recording");
  attribute(file_, "format_version", kRecordVersion);
  // the words of `memory` are for an abut that lays them out alike
  attribute(file_, "memory_layout", static_cast<int>(sizeof(PairMemory)));
  attribute(file_, "abut_version", version());
  const Handle group(H5Gcreate2(file_, "settings", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                     name_);
  attribute(group, "world", model.name);
  attribute(group, "step", model.option.timestep);
  attribute(group, "integrator",
            integrator_name(settings.integrator.value_or(model.option.integrator)));
  const hsize_t three = 3;
  attribute(group, "gravity", H5T_NATIVE_DOUBLE,
            Handle(H5Screate_simple(1, &three, nullptr), H5Sclose, name_),
            model.option.gravity.data());
  attribute(group, "start_time", settings.start_time);
  attribute(group, "record_every", settings.every);
  for (const auto& [key, value] : settings.notes) attribute(group, key, value);
}

void RecordFile::describe_model(const Model& model) {
  auto names_of = [](const NameTable& table) {
    std::vector<std::string> names;
    for (int i = 0; i < table.size(); ++i) names.push_back(table[i]);
    return names;
  };
  std::vector<int> parents, geom_body, joint_body, joint_q, joint_v, actuator_act;
  for (const Body& b : model.bodies) parents.push_back(b.parent);
  std::vector<std::string> types, q_units(static_cast<std::size_t>(model.nq)),
      v_units(static_cast<std::size_t>(model.nv));
  for (const Joint& j : model.joints) {
    const bool free = j.type == JointType::free, quaternion = free || j.type == JointType::ball;
    const int nq = free ? 7 : quaternion ? 4 : 1, nv = free ? 6 : quaternion ? 3 : 1;
    types.emplace_back(type_name(j.type));
    joint_body.push_back(j.body);
    joint_q.insert(joint_q.end(), {j.q, nq});
    joint_v.insert(joint_v.end(), {j.dof, nv});
    const int lengths = free ? 3 : j.type == JointType::slide ? 1 : 0;
    for (int k = 0; k < nq; ++k)
      q_units[static_cast<std::size_t>(j.q + k)] = k < lengths ? "m" : quaternion ? "1" : "rad";
    for (int k = 0; k < nv; ++k)
      v_units[static_cast<std::size_t>(j.dof + k)] = k < lengths ? "m/s" : "rad/s";
  }
  for (const Actuator& a : model.actuators) actuator_act.push_back(a.act);
  for (const Geom& g : model.geoms) geom_body.push_back(g.body);

  text_table("model/body_names", names_of(model.body_names), "bodies; 0 is the world");
  table("model/body_parent", H5T_NATIVE_INT, parents, 1, "1", "index of each body's parent");
  text_table("model/geom_names", names_of(model.geom_names), "geoms");
  table("model/geom_body", H5T_NATIVE_INT, geom_body, 1, "1", "body of each geom");
  text_table("model/joint_names", names_of(model.joint_names), "joints");
  text_table("model/joint_type", types, "free, ball, slide or hinge");
  table("model/joint_body", H5T_NATIVE_INT, joint_body, 1, "1", "body that each joint moves");
  table("model/joint_q", H5T_NATIVE_INT, joint_q, 2, "1", "first entry in q, from 0, and how many");
  table("model/joint_v", H5T_NATIVE_INT, joint_v, 2, "1", "first entry in v, from 0, and how many");
  text_table("model/q_units", q_units, "unit of each entry of q");
  text_table("model/v_units", v_units, "unit of each entry of v");
  text_table("model/actuator_names", names_of(model.actuator_names), "actuators");
  table("model/actuator_act", H5T_NATIVE_INT, actuator_act, 1, "1",
        "entry in act, from 0; -1: none");
}

void RecordFile::create_columns(int deflate) {
  for (const RecordColumn& column : columns_) {
    datasets_.emplace_back();
    if (column.width() == 0) continue;
    std::vector<hsize_t> size{0}, most{H5S_UNLIMITED}, chunk;
    chunk.push_back(chunk_rows(column));
    for (const std::size_t s : column.shape) {
      size.push_back(s);
      most.push_back(s);
      chunk.push_back(s);
    }
    const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()),
                       H5Sclose, name_);
    const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name_);
    check(H5Pset_chunk(create, static_cast<int>(chunk.size()), chunk.data()), name_);
    if (deflate > 0) {
      check(H5Pset_shuffle(create), name_);
      check(H5Pset_deflate(create, static_cast<unsigned>(deflate)), name_);
    }
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    if (column.type == ColumnType::real)
      check(H5Pset_fill_value(create, H5T_NATIVE_DOUBLE, &nothing), name_);
    datasets_.back() = make_dataset(column.name, memory_type(column.type), space, create,
                                    column.units, column.about);
  }

  const Handle early(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name_);
  check(H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY), name_);
  rows_dataset_ = make_dataset("rows", H5T_NATIVE_INT64, scalar_space(), early, "1",
                               "rows that are whole in every dataset");
  const std::int64_t none = 0;
  check(H5Dwrite(rows_dataset_, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &none), name_);
  const Handle ended_type = text_type(kEndedLength);
  ended_dataset_ = make_dataset(
      "ended", ended_type, scalar_space(), early, "1",
      "how the run ended: done, stopped, diverged; running: it did not, or was killed");
  check(H5Dwrite(ended_dataset_, ended_type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 padded({"running"}, kEndedLength).data()),
        name_);
  const hsize_t size = 0, most = H5S_UNLIMITED, chunk = 8;
  const Handle space(H5Screate_simple(1, &size, &most), H5Sclose, name_);
  const Handle create(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name_);
  check(H5Pset_chunk(create, 1, &chunk), name_);
  warnings_dataset_ = make_dataset("warnings", text_type(kWarningLength), space, create, "1",
                                   "of the world, and at the end of the run");
}

void RecordFile::append_warnings(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return;
  const hsize_t start = warnings_, count = warnings.size(), size = start + count;
  check(H5Dset_extent(warnings_dataset_, &size), name_);
  const Handle to(H5Dget_space(warnings_dataset_), H5Sclose, name_);
  check(H5Sselect_hyperslab(to, H5S_SELECT_SET, &start, nullptr, &count, nullptr), name_);
  const Handle from(H5Screate_simple(1, &count, nullptr), H5Sclose, name_);
  check(H5Dwrite(warnings_dataset_, text_type(kWarningLength), from, to, H5P_DEFAULT,
                 padded(warnings, kWarningLength).data()),
        name_);
  warnings_ = size;
}

// A failure leaves HDF5 in a state of which nothing is known.
void RecordFile::work(const std::function<void()>& calls_of_hdf5) {
  const hdf5::Session session;
  broken_ = true;
  calls_of_hdf5();
  broken_ = false;
}

void RecordFile::append(const RecordBlock& block) {
  work([&] {
    hsize_t length = 0;
    check(H5Fget_filesize(file_, &length), name_);
    broken_ = false;  // so far
    // chunks that wait in HDF5's caches, 1 MB a dataset, are not in the length yet
    const std::uint64_t waiting =
        std::min<std::uint64_t>(unflushed_bytes_, columns_.size() * kChunkCache);
    claim_.reserve(length + waiting + block.bytes() + room_for_chunks_ + kRoomForMetadata);
    broken_ = true;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const hsize_t entries = block.entries(c);
      if (datasets_[c] < 0 || entries == 0) continue;
      std::vector<hsize_t> size{lengths_[c] + entries}, start{lengths_[c]}, count{entries};
      for (const std::size_t s : columns_[c].shape) {
        size.push_back(s);
        start.push_back(0);
        count.push_back(s);
      }
      check(H5Dset_extent(datasets_[c], size.data()), name_);
      const Handle to(H5Dget_space(datasets_[c]), H5Sclose, name_);
      check(H5Sselect_hyperslab(to, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
            name_);
      const Handle from(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                        H5Sclose, name_);
      check(H5Dwrite(datasets_[c], memory_type(columns_[c].type), from, to, H5P_DEFAULT,
                     block.column(c)),
            name_);
      lengths_[c] += entries;
    }
    rows_ += block.rows();
    unflushed_bytes_ += block.bytes();
  });
}

void RecordFile::flush() {
  if (flushed_ == rows_) return;
  work([&] {
    check(H5Fflush(file_, H5F_SCOPE_GLOBAL), name_);
    const auto rows = static_cast<std::int64_t>(rows_);
    check(H5Dwrite(rows_dataset_, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &rows), name_);
    check(H5Dflush(rows_dataset_), name_);
    claim_.trim();
    flushed_ = rows_;
    unflushed_bytes_ = 0;
  });
}

void RecordFile::close(std::string_view ended, const std::vector<std::string>& warnings) {
  flush();
  work([&] {
    append_warnings(warnings);
    check(H5Dwrite(ended_dataset_, text_type(kEndedLength), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                   padded({std::string(ended)}, kEndedLength).data()),
          name_);
    for (Handle& d : datasets_) check(d.close(), name_);
    for (Handle* d : {&rows_dataset_, &ended_dataset_, &warnings_dataset_})
      check(d->close(), name_);
    check(file_.close(), name_);
    claim_.trim();
  });
  claim_.close();
}

RecordFile::~RecordFile() {
  const hdf5::Session session;
  for (Handle& d : datasets_) broken_ ? d.leak() : (void)d.close();
  for (Handle* d : {&rows_dataset_, &ended_dataset_, &warnings_dataset_, &file_})
    broken_ ? d->leak() : (void)d->close();
}

}  // namespace abut
