// Recording a run to an HDF5 file, from a thread of its own. docs/recording.md has the layout.
//
//   abut::Recorder recorder(model, "out.h5");
//   recorder.record(0, state, input);
//   for (int i = 1; i <= 1000; ++i) {
//     simulator.step(state, input);
//     simulator.contact_forces(forces);
//     recorder.record(i, state, input, &forces);
//   }
//   recorder.close();
//
// A row has the whole State, so a run can go on from any of them. A killed process leaves a file
// that can be read up to the last flush, about a second back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abut/model/derived.h"
#include "abut/model/state.h"
#include "abut/simulate/contact_forces.h"
#include "abut/simulate/measure.h"
#include "abut/simulate/record/record_settings.h"

namespace abut {

class Recorder {
 public:
  // Creates the file, over an old one unless that is in use. The model must outlive it.
  Recorder(const Model& model, const std::filesystem::path& file,
           const RecordSettings& settings = {});
  ~Recorder();  // close("unfinished"), but silent about errors
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Hands a copy of one row to the writer. Allocates nothing; waits while the writer is more
  // than a block of rows (4 MB) behind, since no row is ever dropped. Throws RecordError once
  // the file could not be written. `forces`: of the step that led to the state; none: no contacts.
  void record(std::int64_t step, const State& state, const Input& input, const Sample& sample,
              const Derived& poses, const ContactForces* forces = nullptr);
  // The same; works out measures and poses itself.
  void record(std::int64_t step, const State& state, const Input& input,
              const ContactForces* forces = nullptr);

  // Writes what is left, how the run ended and what it warned of; throws if any row was lost.
  void close(std::string_view ended = "done", const std::vector<std::string>& warnings = {});

  const std::filesystem::path& file() const;
  std::int64_t rows() const;  // given to record() so far

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Throws RecordError unless the name ends in .h5 or .hdf5.
void check_recording_name(const std::filesystem::path& file);

}  // namespace abut
