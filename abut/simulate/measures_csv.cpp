#include "abut/simulate/measures_csv.h"

#include <fmt/format.h>

#include <iterator>

namespace abut {

namespace {
constexpr std::size_t kRowsTogether = 8192;  // bytes
}

MeasuresCsv::MeasuresCsv(const std::filesystem::path& file) : file_(file) {
  file_.write("step,time_s,kinetic_J,potential_J,px_Ns,py_Ns,pz_Ns,Lx_Nms,Ly_Nms,Lz_Nms,hash\n");
  file_.publish();
}

MeasuresCsv::~MeasuresCsv() {
  try {
    flush();
  } catch (const FileError&) {
    // callers that need errors call close()
  }
}

void MeasuresCsv::row(std::int64_t step, const State& state, const Sample& s) {
  const Vec3 &p = s.momentum.linear, &l = s.momentum.angular;
  fmt::format_to(std::back_inserter(rows_), "{},{},{},{},{},{},{},{},{},{},{:016x}\n", step, s.time,
                 s.energy.kinetic, s.energy.potential, p.x(), p.y(), p.z(), l.x(), l.y(), l.z(),
                 state.hash());
  if (rows_.size() >= kRowsTogether) flush();
}

void MeasuresCsv::flush() {
  if (failed_) return;
  failed_ = true;  // until the write has succeeded: nothing may follow a gap
  file_.write(rows_);
  rows_.clear();
  failed_ = false;
}

void MeasuresCsv::close() {
  flush();
  if (!failed_) file_.close();
}

}  // namespace abut
