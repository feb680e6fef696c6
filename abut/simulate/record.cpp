#include "abut/simulate/record.h"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "abut/simulate/record_block.h"
#include "abut/simulate/record_file.h"

namespace abut {

// Two blocks of rows: the step fills one while the writer empties the other. They change
// places under the lock, when the filled one is half full, a flush is due or the run ends.
struct Recorder::Impl {
  using Clock = std::chrono::steady_clock;

  Impl(const Model& m, const std::filesystem::path& f, const RecordSettings& s)
      : model(m),
        path(f),
        columns(record_columns(m)),
        file(m, f, s, columns),
        measure(m),
        filling(columns),
        emptying(columns),
        flush_every(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(s.flush_every))) {
    writer = std::thread([this] { write_until_closed(); });
  }

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
  Measure measure;  // of the step

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
        for_writer.wait_until(lock, flush_due,
                              [&] { return closing || filling.rows() >= filling.capacity() / 2; });
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

void Recorder::record(std::int64_t step, const State& state, const Input& input) {
  const Sample sample = impl_->measure.sample(state, input);
  record(step, state, input, sample, impl_->measure.derived());
}

void Recorder::record(std::int64_t step, const State& state, const Input& input,
                      const Sample& sample, const Derived& poses) {
  Impl& r = *impl_;
  const Model& m = r.model;
  if (std::ssize(state.q) != m.nq || std::ssize(state.v) != m.nv || std::ssize(state.act) != m.na ||
      std::ssize(input.ctrl) != m.nu() || std::ssize(poses.body_pose) != m.nbody())
    throw RecordError(r.path.string() +
                      ": the state, input or poses are not of the recorded model");
  const std::uint64_t hash = state.hash();
  std::unique_lock lock(r.mutex);
  r.for_step.wait(lock,
                  [&] { return r.filling.rows() < r.filling.capacity() || !r.failure.empty(); });
  r.throw_if_failed();

  RecordBlock& block = r.filling;
  block.put(ColumnId::time, &state.time);
  block.put(ColumnId::step, &step);
  block.put(ColumnId::q, state.q.data());
  block.put(ColumnId::v, state.v.data());
  block.put(ColumnId::act, state.act.data());
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
  block.row_done();
  ++r.rows;
  const bool wake = block.rows() >= block.capacity() / 2;
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
