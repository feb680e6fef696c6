// What `abut run` writes while the run goes on: the recording and the tables of measures.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/math/output_file.h"
#include "abut/simulate/measures_csv.h"
#include "abut/simulate/record/record.h"
#include "abut/simulate/run.h"
#include "common.h"

namespace abut::tool {

struct OutputArguments {
  std::string world, out, csv, record;  // as given; empty: not asked for
  std::string contact = "none";
  int record_every = 1;
  Integrator integrator = Integrator::euler;
};

// The first file that cannot be written stops the run, as the user's ^C would: what was asked
// for would else be lost without a word.
class Outputs {
 public:
  Outputs(const OutputArguments& a, const Model& model, const State& start, std::atomic<bool>& stop)
      : stop_(stop), record_every_(a.record_every) {
    if (a.record_every < 1) throw UsageError("--record-every: write a number of steps, 1 or more");
    if (!a.out.empty()) {
      make_output_folder(a.out, "--out");
      check_output(std::filesystem::path(a.out) / "summary.json");
      tables_.push_back(
          std::make_unique<MeasuresCsv>(std::filesystem::path(a.out) / "measures.csv"));
    }
    if (!a.csv.empty()) tables_.push_back(std::make_unique<MeasuresCsv>(a.csv));
    if (a.record.empty()) return;
    RecordSettings settings;
    settings.every = a.record_every;
    settings.start_time = start.time;
    settings.contacts = a.contact != "none";
    settings.integrator = a.integrator;
    settings.notes = {{"contact", a.contact}, {"file", a.world}};
    recorder_.emplace(model, a.record, settings);
  }

  void observe(std::int64_t step, const State& state, const Sample& sample) {
    attempt([&] {
      for (auto& table : tables_) table->row(step, state, sample);
    });
  }
  void record_into(RunSettings& settings) {
    if (!recorder_) return;
    settings.record_every = record_every_;
    settings.record = [this](std::int64_t step, const State& state, const Input& input,
                             const Sample& sample, const Derived& poses,
                             const ContactForces& forces) {
      attempt([&] { recorder_->record(step, state, input, sample, poses, &forces); });
    };
  }
  void close(std::string_view ended, const std::vector<std::string>& warnings) {
    if (recorder_) attempt([&] { recorder_->close(ended, warnings); });
    for (auto& table : tables_) attempt([&] { table->close(); });
  }

  bool recording() const { return recorder_.has_value(); }
  const std::string& failure() const { return failure_; }  // empty: none

  // Writes something else. What it throws is the failure, if there was none before.
  template <class Write>
  void attempt(const Write& write) {
    try {
      write();
    } catch (const std::runtime_error& e) {
      fail(e.what());
    }
  }
  void fail(const std::string& why) {
    if (failure_.empty()) failure_ = why;
    stop_ = true;
  }

 private:
  std::atomic<bool>& stop_;
  int record_every_;
  std::vector<std::unique_ptr<MeasuresCsv>> tables_;
  std::optional<Recorder> recorder_;
  std::string failure_;
};

}  // namespace abut::tool
