#include "abut/haptic/record/haptic_recording.h"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <span>

#include "abut/math/hdf5/hdf5_handle.h"
#include "abut/math/output_file.h"

namespace abut::haptic {

namespace {

using hdf5::check;
using hdf5::Handle;

// The numbers of an event, in the order of the file's columns.
constexpr hsize_t kColumns = 27;
constexpr const char* kAbout =
    "a row an event: kind (0 step, 1 begin of a late step, 2 late, 3 end of a late step), tick, "
    "has a sample, "
    "position (m), quaternion wxyz, linear and angular velocity (m/s, rad/s), has velocities, "
    "buttons, force (N) "
    "and torque (N m) written, computation and wake-up (s)";

void to_row(const TickEvent& e, double* row) {
  const HandSample& s = e.sample;
  const double numbers[kColumns] = {static_cast<double>(e.kind),
                                    static_cast<double>(e.tick),
                                    e.has_sample ? 1.0 : 0.0,
                                    s.pose.p.x(),
                                    s.pose.p.y(),
                                    s.pose.p.z(),
                                    s.pose.q.w(),
                                    s.pose.q.x(),
                                    s.pose.q.y(),
                                    s.pose.q.z(),
                                    s.linear_velocity.x(),
                                    s.linear_velocity.y(),
                                    s.linear_velocity.z(),
                                    s.angular_velocity.x(),
                                    s.angular_velocity.y(),
                                    s.angular_velocity.z(),
                                    s.has_velocity ? 1.0 : 0.0,
                                    static_cast<double>(s.buttons),
                                    e.wrench.force.x(),
                                    e.wrench.force.y(),
                                    e.wrench.force.z(),
                                    e.wrench.torque.x(),
                                    e.wrench.torque.y(),
                                    e.wrench.torque.z(),
                                    e.compute,
                                    e.wake,
                                    0};
  std::copy(numbers, numbers + kColumns, row);
}

TickEvent from_row(const double* row) {
  TickEvent e;
  e.kind = static_cast<TickEvent::Kind>(row[0]);
  e.tick = static_cast<std::int64_t>(row[1]);
  e.has_sample = row[2] != 0;
  HandSample& s = e.sample;
  s.pose = {{row[3], row[4], row[5]}, Quat(row[6], row[7], row[8], row[9])};
  s.linear_velocity = {row[10], row[11], row[12]};
  s.angular_velocity = {row[13], row[14], row[15]};
  s.has_velocity = row[16] != 0;
  s.buttons = static_cast<std::uint32_t>(row[17]);
  e.wrench = {{row[18], row[19], row[20]}, {row[21], row[22], row[23]}};
  e.compute = row[24];
  e.wake = row[25];
  return e;
}

struct NamedNote {
  const char* name;
  std::string HapticRecording::Notes::*text;
};
constexpr NamedNote kNotes[] = {{"world", &HapticRecording::Notes::world},
                                {"contact", &HapticRecording::Notes::contact},
                                {"hold", &HapticRecording::Notes::hold},
                                {"device", &HapticRecording::Notes::device},
                                {"hash", &HapticRecording::Notes::hash}};

void write_text(hid_t at, const char* key, const std::string& value, const std::string& name) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, name);
  check(H5Tset_size(type, value.size() + 1), name);
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle made(H5Acreate2(at, key, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  check(H5Awrite(made, type, value.c_str()), name);
}

std::string read_text(hid_t at, const char* key, const std::string& name) {
  const Handle made(H5Aopen(at, key, H5P_DEFAULT), H5Aclose, name);
  const Handle type(H5Aget_type(made), H5Tclose, name);
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_class(type) != H5T_STRING || size == 0 || size > 65536)
    throw FileError(fmt::format("{}: '{}' is no text", name, key));
  std::string text(size, '\0');
  check(H5Aread(made, type, text.data()), name);
  return text.c_str();
}

void write_number(hid_t at, const char* key, double value, const std::string& name) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle made(H5Acreate2(at, key, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                    name);
  check(H5Awrite(made, H5T_NATIVE_DOUBLE, &value), name);
}

double read_number(hid_t at, const char* key, const std::string& name) {
  const Handle made(H5Aopen(at, key, H5P_DEFAULT), H5Aclose, name);
  double value = 0;
  check(H5Aread(made, H5T_NATIVE_DOUBLE, &value), name);
  return value;
}

}  // namespace

void HapticRecording::write(const std::filesystem::path& file) const {
  const std::string name = file.string();
  std::string bytes;
  {
    const hdf5::Session session;
    // in memory: HDF5 may crash at the end of the process after a failed write to a disk
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, name);
    check(H5Pset_fapl_core(access, 1 << 20, false), name);
    const Handle out(H5Fcreate("abut haptic run in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access),
                     H5Fclose, name);
    std::vector<double> rows(events_.size() * kColumns);
    for (std::size_t i = 0; i < events_.size(); ++i) to_row(events_[i], &rows[i * kColumns]);
    const hsize_t size[] = {events_.size(), kColumns};
    const Handle space(H5Screate_simple(2, size, nullptr), H5Sclose, name);
    const Handle set(
        H5Dcreate2(out, "events", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Dclose, name);
    if (!rows.empty())
      check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), name);
    write_text(set, "about", kAbout, name);
    write_number(out, "abut_haptic_version", kHapticRecordVersion, name);
    write_number(out, "rate", notes.rate, name);
    write_number(out, "lost", static_cast<double>(lost_), name);
    for (const NamedNote& n : kNotes) write_text(out, n.name, notes.*n.text, name);
    check(H5Fflush(out, H5F_SCOPE_GLOBAL), name);
    bytes.resize(static_cast<std::size_t>(check(H5Fget_file_image(out, nullptr, 0), name)));
    check(H5Fget_file_image(out, bytes.data(), bytes.size()), name);
  }
  write_file(file, bytes);
}

HapticRecording HapticRecording::read(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (!std::filesystem::is_regular_file(file)) throw FileError(name + ": no such file");
  const hdf5::Session session;
  const Handle in(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, name);
  if (H5Aexists(in, "abut_haptic_version") <= 0)
    throw FileError(name +
                    ": is no recording of a haptic run (abut run --haptic --record FILE.h5)");
  if (const double version = read_number(in, "abut_haptic_version", name);
      version != kHapticRecordVersion)
    throw FileError(fmt::format("{}: has version {}, and this abut reads {}", name, version,
                                kHapticRecordVersion));
  HapticRecording recording;
  recording.notes.rate = read_number(in, "rate", name);
  recording.lost_ = static_cast<std::int64_t>(read_number(in, "lost", name));
  for (const NamedNote& n : kNotes) recording.notes.*n.text = read_text(in, n.name, name);
  const Handle set(H5Dopen2(in, "events", H5P_DEFAULT), H5Dclose, name);
  const Handle space(H5Dget_space(set), H5Sclose, name);
  hsize_t size[2] = {};
  if (H5Sget_simple_extent_ndims(space) != 2 ||
      H5Sget_simple_extent_dims(space, size, nullptr) != 2 || size[1] != kColumns)
    throw FileError(name + ": its events have another form");
  std::vector<double> rows(size[0] * kColumns);
  if (!rows.empty())
    check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), name);
  for (hsize_t i = 0; i < size[0]; ++i) {
    const double kind = rows[i * kColumns];
    if (!(kind >= 0 && kind <= 3))
      throw FileError(fmt::format("{}: event {} is of no kind", name, i));
    recording.events_.push_back(from_row(&rows[i * kColumns]));
  }
  return recording;
}

}  // namespace abut::haptic
