// Recordings: what goes in comes out, nothing is dropped, and every refusal says why.
#include "abut/simulate/record/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "abut/load/load.h"
#include "abut/simulate/measures_csv.h"
#include "abut/simulate/record/recording.h"
#include "abut/simulate/run.h"
#include "support/allocations.h"
#include "support/tree.h"

namespace abut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Record : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("abut_record_" + std::to_string(getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static Model world(const std::string& name) {
    return load_model(std::filesystem::path(test::in_tree()) / "worlds" / (name + ".xml"));
  }
  // What a Recorder of this file says against it; "" if nothing.
  static std::string refusal(const Model& model, const std::filesystem::path& file) {
    try {
      Recorder recorder(model, file);
    } catch (const RecordError& e) {
      return e.what();
    }
    return "";
  }
  std::filesystem::path folder_;
};

TEST_F(Record, WhatGoesInComesOut) {
  const Model model = world("humanoid");
  State state(model);
  Input input(model);
  if (!model.keyframes.empty()) set_keyframe(model, 0, state, &input);
  Simulator simulator(model);
  Measure measure(model);
  RecordSettings settings;
  settings.every = 2;
  settings.notes = {{"contact", "none"}};
  Recorder recorder(model, folder_ / "a.h5", settings);
  std::vector<State> states;
  std::vector<Sample> samples;
  std::vector<std::vector<Pose>> poses;
  for (int i = 0; i < 50; ++i) {
    for (std::size_t k = 0; k < input.ctrl.size(); ++k)
      input.ctrl[k] = 0.01 * i + static_cast<double>(k);
    recorder.record(2 * i, state, input);
    states.push_back(state);
    samples.push_back(measure.record(state, input));
    poses.push_back(measure.derived().body_pose);
    simulator.step(state, input);
    simulator.step(state, input);
  }
  EXPECT_EQ(recorder.rows(), 50);
  recorder.close("done", {"a joint passed its limit"});

  const Recording back(folder_ / "a.h5");
  ASSERT_EQ(back.rows(), 50);
  EXPECT_EQ(back.ended(), "done");
  EXPECT_EQ(back.setting("world"), model.name);
  EXPECT_EQ(back.setting("contact"), "none");
  EXPECT_EQ(back.setting("nonsense"), "");
  EXPECT_EQ(back.number_setting("step"), model.option.timestep);
  EXPECT_EQ(back.number_setting("record_every"), 2);
  EXPECT_EQ(back.warnings().back(), "a joint passed its limit");
  ASSERT_EQ(std::ssize(back.body_names()), model.nbody());
  for (int b = 0; b < model.nbody(); ++b)
    EXPECT_EQ(back.body_names()[static_cast<std::size_t>(b)], model.body_names[b]);
  EXPECT_EQ(std::ssize(back.joint_names()), std::ssize(model.joints));
  EXPECT_EQ(std::ssize(back.actuator_names()), model.nu());
  EXPECT_EQ(back.width("ctrl"), model.nu());
  EXPECT_EQ(back.width("body_quaternion"), 4 * model.nbody());

  const auto hashes = back.hashes();
  const auto kinetic = back.read("measures/kinetic"),
             momentum = back.read("measures/angular_momentum");
  const auto steps = back.read("step"), ctrl = back.read("ctrl");
  for (std::size_t i = 0; i < 50; ++i) {
    State got(model);
    back.read_state(static_cast<std::int64_t>(i), got);
    EXPECT_EQ(got, states[i]);
    EXPECT_EQ(hashes[i], states[i].hash());
    EXPECT_EQ(kinetic[i], samples[i].energy.kinetic);
    EXPECT_EQ(momentum[3 * i + 1], samples[i].momentum.angular.y());
    EXPECT_EQ(steps[i], 2.0 * static_cast<double>(i));
    if (model.nu() > 0) {
      EXPECT_EQ(ctrl[i * input.ctrl.size()], 0.01 * static_cast<double>(i));
    }
    const std::vector<Pose> there = back.poses(static_cast<std::int64_t>(i));
    for (std::size_t b = 0; b < there.size(); ++b) {
      EXPECT_EQ(there[b].p, poses[i][b].p);
      EXPECT_EQ(there[b].q.coeffs(), poses[i][b].q.coeffs());
    }
  }
  EXPECT_EQ(back.read("time", 48, 10).size(), 2u);
  EXPECT_THROW(back.read("forces"), RecordError);
  EXPECT_THROW(back.read("contacts/point"), RecordError);
  State got(model);
  EXPECT_THROW(back.read_state(50, got), RecordError);
  State other(world("pendulum"));
  EXPECT_THROW(back.read_state(0, other), RecordError);
}

// Far more rows than the two blocks hold, handed over as fast as possible.
TEST_F(Record, DropsNothing) {
  const Model model = world("double_pendulum");
  State state(model);
  const Input input(model);
  RecordSettings settings;
  settings.flush_every = 0.01;
  Recorder recorder(model, folder_ / "a.h5", settings);
  constexpr std::int64_t kRows = 50000;
  Measure measure(model);
  const Sample sample = measure.sample(state, input);
  const Derived derived = measure.derived();
  for (std::int64_t i = 0; i < kRows; ++i) {
    state.q[0] = static_cast<double>(i);
    recorder.record(i, state, input, sample, derived);
  }
  recorder.close();
  const Recording back(folder_ / "a.h5");
  ASSERT_EQ(back.rows(), kRows);
  const auto q = back.read("q");
  const auto steps = back.read("step");
  for (std::size_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(q[2 * i], static_cast<double>(i));
    ASSERT_EQ(steps[i], static_cast<double>(i));
  }
}

TEST_F(Record, HandingOverDoesNotAllocate) {
  const Model model = world("humanoid");
  const State state(model);
  const Input input(model);
  RecordSettings settings;
  settings.flush_every = 60;  // the writer sleeps, so that all that is counted is the step's
  Recorder recorder(model, folder_ / "a.h5", settings);
  recorder.record(0, state, input);
  const long before = test::allocation_count();
  for (int i = 1; i < 20; ++i) recorder.record(i, state, input);
  EXPECT_EQ(test::allocation_count(), before);
}

TEST_F(Record, CompressedRowsAreTheSame) {
  const Model model = world("pendulum");
  State state(model);
  Input input(model);
  Simulator simulator(model);
  RecordSettings settings;
  settings.deflate = 4;
  Recorder plain(model, folder_ / "a.h5"),
      small(model, folder_ / "b.hdf5", settings);  // two at once
  for (int i = 0; i < 3000; ++i) {
    plain.record(i, state, input);
    small.record(i, state, input);
    simulator.step(state, input);
  }
  plain.close();
  small.close();
  const Recording a(folder_ / "a.h5"), b(folder_ / "b.hdf5");
  EXPECT_EQ(a.hashes(), b.hashes());
  EXPECT_EQ(a.read("body_position"), b.read("body_position"));
  EXPECT_LT(std::filesystem::file_size(folder_ / "b.hdf5"),
            std::filesystem::file_size(folder_ / "a.h5"));
}

TEST_F(Record, WorldsWithoutJointsOrMoversCanBeRecorded) {
  std::ofstream(folder_ / "empty.xml") << "<mujoco><worldbody/></mujoco>";
  const Model model = load_model(folder_ / "empty.xml");
  {
    Recorder recorder(model, folder_ / "a.h5");
    recorder.record(0, State(model), Input(model));
  }  // not closed
  const Recording back(folder_ / "a.h5");
  EXPECT_EQ(back.rows(), 1);
  EXPECT_EQ(back.ended(), "unfinished");
  EXPECT_THAT(back.body_names(), ElementsAre("world"));
  EXPECT_TRUE(back.joint_names().empty());
  EXPECT_EQ(back.width("q"), 0);
}

TEST_F(Record, RunRecordsBothEndsWhateverIsMeasured) {
  const Model model = world("pendulum");
  for (const MeasureWhen when :
       {MeasureWhen{1, false}, MeasureWhen{0, false}, MeasureWhen{0, true}}) {
    State state(model);
    Input input(model);
    Simulator simulator(model);
    Measure measure(model);
    Recorder recorder(model, folder_ / "a.h5");
    RunSettings settings;
    settings.time = 25 * model.option.timestep;
    settings.measure = when;
    settings.record_every = 10;
    settings.record = [&](auto step, auto& s, auto& in, auto& sample, auto& d, auto& forces) {
      recorder.record(step, s, in, sample, d, &forces);
    };
    run(simulator, state, input, settings, measure);
    recorder.close();
    const Recording back(folder_ / "a.h5");
    EXPECT_THAT(back.read("step"), ElementsAre(0, 10, 20, 25));
    EXPECT_EQ(back.hashes().back(), state.hash());
    EXPECT_GT(back.read("measures/potential")[3], 0);
  }
}

TEST_F(Record, RefusesPlacesItCannotWriteTo) {
  const Model model = world("pendulum");
  EXPECT_THAT(refusal(model, folder_ / "a.csv"), HasSubstr("--csv"));
  EXPECT_THAT(refusal(model, folder_ / "a"), HasSubstr(".h5"));
  EXPECT_THAT(refusal(model, folder_ / "none/a.h5"), HasSubstr("no folder"));
  std::filesystem::create_directory(folder_ / "folder.h5");
  EXPECT_THAT(refusal(model, folder_ / "folder.h5"), HasSubstr("is a folder"));
  EXPECT_THAT(refusal(model, "/proc/a.h5"), HasSubstr("/proc/a.h5: cannot be written"));
}

TEST_F(Record, RefusesAFileThatIsInUse) {
  const Model model = world("pendulum");
  {
    Recorder recorder(model, folder_ / "a.h5");
    recorder.record(0, State(model), Input(model));
    EXPECT_THAT(refusal(model, folder_ / "a.h5"), HasSubstr("another run"));
    recorder.close();
  }
  {
    const Recording reading(folder_ / "a.h5");
    EXPECT_THAT(refusal(model, folder_ / "a.h5"), HasSubstr("open in another program"));
    EXPECT_EQ(reading.read("time").size(), 1u);  // and it is as it was
  }
  EXPECT_EQ(refusal(model, folder_ / "a.h5"), "");
}

TEST_F(Record, RefusesToReadWhatIsNoRecording) {
  EXPECT_THROW(Recording(folder_ / "missing.h5"), RecordError);
  std::ofstream(folder_ / "text.h5") << "hello";
  EXPECT_THROW(Recording(folder_ / "text.h5"), RecordError);
}

TEST_F(Record, RefusesStatesOfAnotherModel) {
  const Model model = world("pendulum"), other = world("humanoid");
  Recorder recorder(model, folder_ / "a.h5");
  EXPECT_THROW(recorder.record(0, State(other), Input(other), {}, Derived(other)), RecordError);
}

// A limit on the length of files stands for a full disk.
TEST_F(Record, DiskThatFillsUpEndsTheRecordingWithWhatIsWhole) {
  const Model model = world("double_pendulum");
  State state(model);
  const Input input(model);
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit low = before;
  low.rlim_cur = 8 << 20;
  setrlimit(RLIMIT_FSIZE, &low);
  std::string message;
  try {
    Recorder recorder(model, folder_ / "a.h5");
    try {
      for (int i = 0; i < 1000000; ++i) {
        state.q[0] = i;
        recorder.record(i, state, input);
      }
      ADD_FAILURE() << "the limit was not met";
    } catch (const RecordError&) {
      recorder.close();
    }
  } catch (const RecordError& e) {
    message = e.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(message, HasSubstr("File too large"));
  EXPECT_THAT(message, HasSubstr("are lost"));
  const Recording back(folder_ / "a.h5");
  EXPECT_EQ(back.ended(), "disk full");
  EXPECT_GT(back.rows(), 1000);
  const auto q = back.read("q");
  for (std::size_t i = 0; i < q.size() / 2; ++i) ASSERT_EQ(q[2 * i], static_cast<double>(i));
}

TEST_F(Record, MeasuresAsATable) {
  const Model model = world("pendulum");
  const State state(model);
  Measure measure(model);
  MeasuresCsv table(folder_ / "m.csv");
  table.row(0, state, measure.record(state, Input(model)));
  table.close();
  std::ifstream in(folder_ / "m.csv");
  std::string header, row;
  std::getline(in, header);
  std::getline(in, row);
  EXPECT_THAT(header, HasSubstr("step,time_s,kinetic_J"));
  EXPECT_EQ(std::count(header.begin(), header.end(), ','), std::count(row.begin(), row.end(), ','));
  EXPECT_THROW(MeasuresCsv(folder_ / "none/m.csv"), RecordError);
  EXPECT_THROW(MeasuresCsv("/dev/full"), RecordError);
}

// A limit on the length of files stands for a full disk.
TEST_F(Record, ATableThatHasNoRoomEndsWithAWholeRow) {
  const Model model = world("pendulum");
  const State state(model);
  signal(SIGXFSZ, SIG_IGN);
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit low = before;
  low.rlim_cur = 20000;
  setrlimit(RLIMIT_FSIZE, &low);
  MeasuresCsv table(folder_ / "m.csv");
  std::string message;
  try {
    for (int i = 0; i < 10000; ++i) table.row(i, state, {});
  } catch (const RecordError& e) {
    message = e.what();
  }
  table.close();  // nothing more is lost
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_THAT(message, HasSubstr("File too large"));
  std::ifstream in(folder_ / "m.csv");
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_GT(text.size(), 10000u);
  EXPECT_TRUE(text.ends_with("\n"));
}

// Another run may be recording to the name, or somebody may be reading what is there.
TEST_F(Record, TheOldRecordingStaysUntilTheNewOneBegins) {
  const Model model = world("pendulum");
  { Recorder first(model, folder_ / "a.h5"); }
  const auto size = std::filesystem::file_size(folder_ / "a.h5");
  chmod((folder_ / "a.h5").c_str(), 0640);
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit low = before;
  low.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &low);
  EXPECT_THROW(Recorder(model, folder_ / "a.h5"), RecordError);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(std::filesystem::file_size(folder_ / "a.h5"), size);
  Recorder second(model, folder_ / "a.h5");
  EXPECT_THROW(Recorder(model, folder_ / "a.h5"), RecordError);
  second.close();
  struct stat s {};
  stat((folder_ / "a.h5").c_str(), &s);
  EXPECT_EQ(s.st_mode & 0777u, 0640u);
  EXPECT_EQ(Recording(folder_ / "a.h5").ended(), "done");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace abut
