// The state file: magic, format version, mark of the byte order, layout of the contact memory,
// signature of the model, then the arrays of State and the held part of Input, then a hash of all
// that came before. Numbers have the machine's byte order and sizes that are the same on every
// machine. docs/compatibility.md says which versions are read, converted and refused.
#include <array>
#include <fstream>
#include <sstream>

#include "abut/math/output_file.h"
#include "abut/model/state.h"

namespace abut {

namespace {

constexpr char kMagic[8] = {'a', 'b', 'u', 't', 's', 't', 'a', 't'};
constexpr std::uint32_t kVersion = 5;
constexpr std::uint32_t kOldest = 4;  // version that is still read
constexpr std::uint32_t kByteOrder = 0x01020304;

// A state fits a model with the same joints in the same order and the same actuators.
std::uint64_t signature(const Model& model) {
  Hash h;
  h.value(static_cast<std::uint64_t>(model.nq));
  h.value(static_cast<std::uint64_t>(model.nv));
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    h.value(static_cast<std::uint64_t>(model.joints[j].type));
    h.text(model.joint_names[static_cast<int>(j)]);
  }
  for (int a = 0; a < model.nu(); ++a) h.text(model.actuator_names[a]);
  h.value(static_cast<std::uint64_t>(model.na));
  h.value(static_cast<std::uint64_t>(model.nmocap));
  return h.digest();
}

class Writer {
 public:
  void bytes(const void* data, std::size_t size) {
    if (size > 0) out_.append(static_cast<const char*>(data), size);
  }
  template <typename T>
  void value(const T& x) {
    bytes(&x, sizeof x);
  }
  template <typename T>
  void array(const std::vector<T>& a) {
    value(static_cast<std::uint64_t>(a.size()));
    bytes(a.data(), a.size() * sizeof(T));
  }
  std::string take() {
    Hash h;
    h.bytes(out_.data(), out_.size());
    value(h.digest());
    return std::move(out_);
  }

 private:
  std::string out_;
};

class Reader {
 public:
  Reader(std::string data, std::string name) : data_(std::move(data)), name_(std::move(name)) {
    if (data_.size() < sizeof kMagic + 12 || std::memcmp(data_.data(), kMagic, sizeof kMagic) != 0)
      fail("is not a state file of abut; write one with 'abut run WORLD --save FILE'");
    end_ = data_.size() - sizeof(std::uint64_t);
    at_ = sizeof kMagic;
    version_ = value<std::uint32_t>();
    check_version();
    Hash h;
    h.bytes(data_.data(), end_);
    std::uint64_t stored;
    std::memcpy(&stored, data_.data() + end_, sizeof stored);
    if (stored != h.digest()) fail("is damaged or cut short (its hash does not match)");
  }
  std::uint32_t version() const { return version_; }
  [[noreturn]] void fail(const std::string& what) const { throw StateError(name_ + ": " + what); }
  template <typename T>
  T value() {
    T x;
    need(sizeof x);
    std::memcpy(&x, data_.data() + at_, sizeof x);
    at_ += sizeof x;
    return x;
  }
  template <typename T>
  void array(std::vector<T>& a) {
    const auto n = value<std::uint64_t>();
    if (n > (end_ - at_) / sizeof(T)) fail("is damaged (an array runs past the end)");
    a.resize(n);
    if (n == 0) return;  // memcpy wants a place even for nothing
    std::memcpy(static_cast<void*>(a.data()), data_.data() + at_, n * sizeof(T));
    at_ += n * sizeof(T);
  }

  // Poses of version 4 lie as in memory: x y z, a gap, then the quaternion as x y z w.
  void old_poses(std::vector<Pose>& poses) {
    std::vector<std::array<double, 8>> raw;
    array(raw);
    poses.clear();
    for (const auto& r : raw) poses.push_back({{r[0], r[1], r[2]}, {r[7], r[4], r[5], r[6]}});
  }
  // x y z and the quaternion as w x y z.
  void poses(std::vector<Pose>& poses) {
    std::vector<std::array<double, 7>> raw;
    array(raw);
    poses.clear();
    for (const auto& r : raw) poses.push_back({{r[0], r[1], r[2]}, {r[3], r[4], r[5], r[6]}});
  }

 private:
  // Before the hash: a file of another version may have another hash, too.
  void check_version() const {
    if (version_ >= kOldest && version_ <= kVersion) return;
    const std::string reads =
        "this abut reads versions " + std::to_string(kOldest) + " to " + std::to_string(kVersion);
    if (version_ > 1000 && __builtin_bswap32(version_) <= 1000)
      fail("was written on a machine with the other byte order; save the state again on this one");
    if (version_ > kVersion)
      fail("has format version " + std::to_string(version_) + " of a newer abut; " + reads);
    fail("has format version " + std::to_string(version_) + " of an older abut; " + reads +
         ": run the world again and save it anew");
  }
  void need(std::size_t n) const {
    if (n > end_ - at_) fail("is damaged (it ends too early)");
  }
  std::string data_, name_;
  std::size_t at_ = 0, end_ = 0;
  std::uint32_t version_ = 0;
};

std::vector<std::array<double, 7>> plain(const std::vector<Pose>& poses) {
  std::vector<std::array<double, 7>> out;
  for (const Pose& x : poses)
    out.push_back({x.p.x(), x.p.y(), x.p.z(), x.q.w(), x.q.x(), x.q.y(), x.q.z()});
  return out;
}

}  // namespace

void save_state(const Model& model, const State& state, const Input& input,
                const std::filesystem::path& file) {
  Writer w;
  w.bytes(kMagic, sizeof kMagic);
  w.value(kVersion);
  w.value(kByteOrder);
  w.value(std::uint64_t{sizeof(PairMemory)});
  w.value(signature(model));
  w.value(state.time);
  w.array(state.q);
  w.array(state.v);
  w.array(state.act);
  w.array(state.turn);
  std::vector<std::uint64_t> words(state.contacts.word_count());
  state.contacts.write_words(words.data());
  w.array(words);
  w.array(input.ctrl);
  w.array(plain(input.mocap));
  w.array(input.mocap_velocity);
  try {
    write_file(file, w.take());
  } catch (const FileError& e) {
    throw StateError(e.what());
  }
}

void load_state(const Model& model, const std::filesystem::path& file, State& state, Input& input) {
  if (!std::filesystem::is_regular_file(file))
    throw StateError(file.string() + ": no such state file");
  std::ifstream in(file, std::ios::binary);
  std::ostringstream data;
  data << in.rdbuf();
  Reader r(std::move(data).str(), file.string());
  if (r.version() > 4) {
    if (r.value<std::uint32_t>() != kByteOrder) r.fail("is damaged (the mark of its byte order)");
    if (r.value<std::uint64_t>() != sizeof(PairMemory))
      r.fail("lays out the contact memory otherwise than this abut; save the state again");
  }
  if (r.value<std::uint64_t>() != signature(model))
    r.fail("was saved from another world (its joints or actuators differ)");

  // read into new values: a failure must not leave an incomplete state
  State s;
  Input i = input;
  s.time = r.value<double>();
  r.array(s.q);
  r.array(s.v);
  r.array(s.act);
  r.array(s.turn);
  std::vector<std::uint64_t> words;
  r.array(words);
  if (!s.contacts.read_words(words)) r.fail("is damaged (the contact memory does not add up)");
  r.array(i.ctrl);
  if (r.version() > 4)
    r.poses(i.mocap);
  else
    r.old_poses(i.mocap);
  r.array(i.mocap_velocity);
  const bool fits = s.q.size() == static_cast<std::size_t>(model.nq) &&
                    s.v.size() == static_cast<std::size_t>(model.nv) &&
                    s.act.size() == static_cast<std::size_t>(model.na) &&
                    s.turn.size() == model.measures.size() &&
                    i.ctrl.size() == model.actuators.size() &&
                    i.mocap.size() == static_cast<std::size_t>(model.nmocap) &&
                    i.mocap_velocity.size() == i.mocap.size();
  if (!fits) r.fail("does not fit this world");
  state = std::move(s);
  input = std::move(i);
}

}  // namespace abut
