#include "abut/simulate/record/record.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <mutex>
#include <thread>

#include "abut/simulate/record/record_block.h"
#include "abut/simulate/record/record_file.h"

namespace abut {

// Two blocks of rows: the step fills one while the writer empties the other. They change
// places under the lock, when the filled one is half full, a flush is due or the run ends.
struct Recorder::Impl {
  using Clock = std::chrono::steady_clock;

  Impl(const Model& m, const std::filesystem::path& f, const RecordSettings& s)
      : model(m),
        path(f),
        columns(record_columns(m, s.contacts)),
        file(m, f, s, columns),
        measure(m),
        filling(columns),
        emptying(columns),
        flush_every(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(s.flush_every))) {
    writer = std::thread([this] { write_until_closed(); });
  }

  void put_contacts(const State& state, const ContactForces& forces);
  void write_until_closed();
  void keep_what_is_whole(double last_time);
  void finish_writer();
  void throw_if_failed() const {
    if (!failure.empty()) throw RecordError(failure);
  }

  const Model& model;
  const std::filesystem::path path;
  const std::vector<RecordColumn> columns;
  RecordFile file;  // of the writer, while it runs
  Measure measure;  // of the step, as the next three lines
  std::vector<BodyForce> on_bodies;
  std::vector<std::uint64_t> scratch;
  std::int64_t memory_end = 0, pairs_end = 0, points_end = 0;  // so far

  std::mutex mutex;  // guards what follows, to the blank line
  std::condition_variable for_writer, for_step;
  RecordBlock filling;
  std::int64_t rows = 0;  // handed over
  bool closing = false;
  std::string failure;

  RecordBlock emptying;  // of the writer
  const Clock::duration flush_every;
  double last_flushed_time = 0;  // s, of the last row that is safe
  std::thread writer;
};

void Recorder::Impl::write_until_closed() {
  auto flush_due = Clock::now() + flush_every;
  double last_time = 0;
  try {
    for (bool last = false; !last;) {
      {
        std::unique_lock lock(mutex);
        for_writer.wait_until(lock, flush_due, [&] { return closing || filling.half_full(); });
        std::swap(filling, emptying);
        last = closing;
      }
      for_step.notify_one();
      if (emptying.rows() > 0) {
        file.append(emptying);
        last_time = static_cast<const double*>(emptying.column(0))[emptying.rows() - 1];
        emptying.clear();
      }
      if (last || Clock::now() >= flush_due) {
        file.flush();
        last_flushed_time = last_time;
        flush_due = Clock::now() + flush_every;
      }
    }
  } catch (const std::exception& e) {
    keep_what_is_whole(last_time);
    const std::lock_guard lock(mutex);
    failure =
        fmt::format("{}; the recording ends at t = {:.6g} s with {} rows, {} more are lost",
                    e.what(), last_flushed_time, file.flushed_rows(), rows - file.flushed_rows());
    for_step.notify_one();
  }
}

void Recorder::Impl::keep_what_is_whole(double last_time) {
  if (file.broken()) return;
  try {
    file.flush();
    last_flushed_time = last_time;
  } catch (const RecordError&) {
    // then it ends at the last flush
  }
}

void Recorder::Impl::finish_writer() {
  {
    const std::lock_guard lock(mutex);
    closing = true;
  }
  for_writer.notify_one();
  if (writer.joinable()) writer.join();
}

Recorder::Recorder(const Model& model, const std::filesystem::path& file,
                   const RecordSettings& settings) {
  check_recording_name(file);
  impl_ = std::make_unique<Impl>(model, file, settings);
}

Recorder::~Recorder() {
  try {
    close("unfinished");
  } catch (const std::exception&) {
    // whoever wants to know calls close()
  }
}

void Recorder::record(std::int64_t step, const State& state, const Input& input,
                      const ContactForces* forces) {
  const Sample sample = impl_->measure.sample(state, input);
  record(step, state, input, sample, impl_->measure.derived(), forces);
}

// What contacts remember, and where they press. Where entries end is counted from the first row.
void Recorder::Impl::put_contacts(const State& state, const ContactForces& forces) {
  const std::size_t words = state.contacts.word_count();
  scratch.resize(words);
  state.contacts.write_words(scratch.data());
  if (words > 0) std::memcpy(filling.extend(ColumnId::memory, words), scratch.data(), 8 * words);
  memory_end += static_cast<std::int64_t>(words);
  filling.put(ColumnId::memory_end, &memory_end);
  if (!filling.has(ColumnId::pairs_end)) return;

  double* f = filling.place(ColumnId::body_force);
  double* t = filling.place(ColumnId::body_friction);
  double* m = filling.place(ColumnId::body_torque);
  double* p = filling.place(ColumnId::body_point);
  for (const BodyForce& body : on_bodies)
    for (int k = 0; k < 3; ++k) {
      *f++ = body.force[k];
      *t++ = body.friction[k];
      *m++ = body.torque[k];
      *p++ = body.pairs > 0 ? body.point[k] : std::numeric_limits<double>::quiet_NaN();
    }
  const auto add = [this](ColumnId column, const auto* from) {
    static_assert(sizeof *from % 8 == 0);
    std::memcpy(filling.extend(column, 1), from, sizeof *from);
  };
  for (const PairForce& pair : forces.pairs) {
    const std::array<std::int64_t, 2> geoms{pair.geom_a, pair.geom_b};
    const double normal = pair.normal_force(), friction = pair.friction_force();
    const std::int64_t end = points_end + pair.end;
    add(ColumnId::pair_geoms, &geoms);
    add(ColumnId::pair_force, &pair.force);
    add(ColumnId::pair_torque, &pair.torque);
    add(ColumnId::pair_point, &pair.point);
    add(ColumnId::pair_normal, &pair.normal);
    add(ColumnId::pair_normal_force, &normal);
    add(ColumnId::pair_friction_force, &friction);
    add(ColumnId::pair_points_end, &end);
  }
  for (const PointForce& point : forces.points) {
    add(ColumnId::point_position, &point.position);
    add(ColumnId::point_force, &point.force);
    add(ColumnId::point_normal_force, &point.normal);
  }
  pairs_end += std::ssize(forces.pairs);
  points_end += std::ssize(forces.points);
  filling.put(ColumnId::pairs_end, &pairs_end);
}

void Recorder::record(std::int64_t step, const State& state, const Input& input,
                      const Sample& sample, const Derived& poses, const ContactForces* forces) {
  static const ContactForces kNone;
  Impl& r = *impl_;
  const Model& m = r.model;
  if (std::ssize(state.q) != m.nq || std::ssize(state.v) != m.nv || std::ssize(state.act) != m.na ||
      std::ssize(input.ctrl) != m.nu() || std::ssize(poses.body_pose) != m.nbody())
    throw RecordError(r.path.string() +
                      ": the state, input or poses are not of the recorded model");
  const std::uint64_t hash = state.hash();
  if (!forces) forces = &kNone;
  forces->on_bodies(m, r.on_bodies);
  std::unique_lock lock(r.mutex);
  r.for_step.wait(lock, [&] { return !r.filling.full() || !r.failure.empty(); });
  r.throw_if_failed();

  RecordBlock& block = r.filling;
  block.put(ColumnId::time, &state.time);
  block.put(ColumnId::step, &step);
  block.put(ColumnId::q, state.q.data());
  block.put(ColumnId::v, state.v.data());
  block.put(ColumnId::act, state.act.data());
  block.put(ColumnId::turn, state.turn.data());
  block.put(ColumnId::ctrl, input.ctrl.data());
  double* p = block.place(ColumnId::body_position);
  double* q = block.place(ColumnId::body_quaternion);
  for (const Pose& pose : poses.body_pose) {
    for (int k = 0; k < 3; ++k) *p++ = pose.p[k];
    for (const double x : {pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z()}) *q++ = x;
  }
  block.put(ColumnId::hash, &hash);
  block.put(ColumnId::kinetic, &sample.energy.kinetic);
  block.put(ColumnId::potential, &sample.energy.potential);
  block.put(ColumnId::linear_momentum, sample.momentum.linear.data());
  block.put(ColumnId::angular_momentum, sample.momentum.angular.data());
  r.put_contacts(state, *forces);
  block.row_done();
  ++r.rows;
  const bool wake = block.half_full();
  lock.unlock();
  if (wake) r.for_writer.notify_one();
}

void Recorder::close(std::string_view ended, const std::vector<std::string>& warnings) {
  Impl& r = *impl_;
  if (!r.writer.joinable()) return;
  r.finish_writer();
  if (!r.file.broken()) r.file.close(r.failure.empty() ? ended : "disk full", warnings);
  r.throw_if_failed();
}

const std::filesystem::path& Recorder::file() const { return impl_->path; }
std::int64_t Recorder::rows() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->rows;
}

void check_recording_name(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".h5" || ending == ".hdf5") return;
  throw RecordError(file.string() + ": a recording is an HDF5 file; write a name that ends in .h5" +
                    (ending == ".csv" ? ", or --csv FILE for the measures as a table" : ""));
}

}  // namespace abut
