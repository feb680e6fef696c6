#include "abut/simulate/measures_csv.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

#include "abut/simulate/record.h"

namespace abut {

namespace {
[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw RecordError(path.string() +
                    ": cannot be written: " + std::system_category().message(errno));
}
}  // namespace

MeasuresCsv::MeasuresCsv(const std::filesystem::path& file)
    : path_(file), file_(std::fopen(file.c_str(), "w")) {
  if (!file_) refuse(path_);
  fmt::print(file_,
             "step,time_s,kinetic_J,potential_J,px_Ns,py_Ns,pz_Ns,Lx_Nms,Ly_Nms,Lz_Nms,hash\n");
}

MeasuresCsv::~MeasuresCsv() {
  if (file_) std::fclose(file_);
}

void MeasuresCsv::row(std::int64_t step, const State& state, const Sample& s) {
  const Vec3 &p = s.momentum.linear, &l = s.momentum.angular;
  try {
    fmt::print(file_, "{},{},{},{},{},{},{},{},{},{},{:016x}\n", step, s.time, s.energy.kinetic,
               s.energy.potential, p.x(), p.y(), p.z(), l.x(), l.y(), l.z(), state.hash());
  } catch (const std::system_error&) {
    refuse(path_);
  }
}

void MeasuresCsv::close() {
  if (!file_) return;
  const bool damaged = std::ferror(file_) != 0;
  std::FILE* file = file_;
  file_ = nullptr;
  if (std::fclose(file) != 0 || damaged) refuse(path_);
}

}  // namespace abut
