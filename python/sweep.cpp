// Sweeps: the C++ of abut/sweep for Python's engines.
#include "abut/sweep/sweep.h"

#include <fmt/format.h>

#include "held.h"

namespace abut::python {
namespace {

// A plan, and a worker where one is needed.
struct HeldSweep {
  SweepPlan plan;
  std::unique_ptr<SweepWorker> worker;
  SweepWorker& ready() {
    if (!worker) worker = std::make_unique<SweepWorker>(plan);
    return *worker;
  }
};

FindWorld found_by(const py::function& find) {
  return [find](const std::string& name, const std::filesystem::path& folder) {
    return std::filesystem::path(find(name, folder.string()).cast<std::string>());
  };
}

std::unique_ptr<HeldSweep> make_sweep(const std::string& source, const std::string& folder,
                                      const py::function& find, bool is_text) {
  auto s = std::make_unique<HeldSweep>();
  s->plan = is_text ? parse_sweep(source, "sweep", folder, found_by(find))
                    : read_sweep(source, found_by(find));
  return s;
}

py::dict result_of(const SweepResult& r) {
  py::dict out;
  out["runs"] = r.runs, out["failed"] = r.failed, out["table"] = r.table.string();
  out["hash"] = fmt::format("{:016x}", r.hash);
  return out;
}

// Lines of the table, of these runs.
std::vector<std::string> lines(HeldSweep& s, const std::vector<std::int64_t>& runs) {
  const py::gil_scoped_release unlocked;
  SweepWorker& worker = s.ready();
  std::vector<std::string> out;
  for (const std::int64_t run : runs) out.push_back(csv_line(worker.run(run), worker.measures()));
  return out;
}

void run_local(HeldSweep& s, const std::string& folder, int threads, bool resume,
               const py::object& progress) {
  SweepJournal journal(s.plan, folder, "local", resume);
  SweepRunSettings settings;
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  settings.threads = threads, settings.stop = &stop;
  settings.progress = [&](std::int64_t done, std::int64_t all) {
    const py::gil_scoped_acquire locked;
    try {
      if (!progress.is_none()) progress(done, all);
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (...) {
      if (!failure) failure = std::current_exception();
      stop = true;
    }
  };
  {
    const py::gil_scoped_release unlocked;
    run_sweep(s.plan, journal, settings);
  }
  if (failure) std::rethrow_exception(failure);
}

struct HeldJournal {
  SweepJournal journal;
};

}  // namespace

void bind_sweep(py::module_& m) {
  py::register_exception<SweepError>(m, "SweepError", PyExc_ValueError);
  py::class_<HeldSweep>(m, "SweepPlan", "The runs of a sweep; abut.sweep() makes them.")
      .def(py::init(&make_sweep), py::arg("source"), py::arg("folder"), py::arg("find_world"),
           py::arg("is_text"))
      .def_property_readonly("runs", [](const HeldSweep& s) { return s.plan.runs(); })
      .def_property_readonly("columns", [](HeldSweep& s) { return s.ready().columns(); })
      .def_property_readonly(
          "varied", [](const HeldSweep& s) { return s.plan.grid.size() + s.plan.random.size(); })
      .def_property_readonly("world_file", [](const HeldSweep& s) { return s.plan.file.string(); })
      .def("lines", &lines, py::arg("runs"))
      .def("run_local", &run_local, py::arg("folder"), py::arg("threads"), py::arg("resume"),
           py::arg("progress") = py::none())
      .def(
          "finish",
          [](const HeldSweep& s, const std::string& folder) {
            const SweepJournal journal(s.plan, folder, "finish", true);
            return result_of(finish_sweep(s.plan, journal, folder));
          },
          py::arg("folder"));
  py::class_<HeldJournal>(m, "SweepJournal", "The rows of a sweep that a folder has.")
      .def(py::init([](const HeldSweep& s, const std::string& folder, const std::string& label,
                       bool resume) {
             return std::make_unique<HeldJournal>(
                 HeldJournal{SweepJournal(s.plan, folder, label, resume)});
           }),
           py::arg("plan"), py::arg("folder"), py::arg("label"), py::arg("resume"))
      .def(
          "missing",
          [](const HeldJournal& j, const HeldSweep& s) { return missing_runs(s.plan, j.journal); },
          py::arg("plan"))
      .def(
          "add",
          [](HeldJournal& j, const std::string& line) { j.journal.add(run_of_line(line), line); },
          py::arg("line"));
}

}  // namespace abut::python
