#include "judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/measure.h"

namespace {

using nlohmann::json;

struct Motion {
  abut::Vec3 p, v, w;  // w in world axes
  abut::Quat q;
};

abut::Vec3 vec(const Three& x) { return {x[0], x[1], x[2]}; }

Motion motion_of(const json& row) {
  const auto x = row.get<std::vector<double>>();
  if (x.size() != 13) throw std::runtime_error("a row of motions needs 13 numbers");
  if (!std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); }))
    throw std::runtime_error("its solids are nowhere: a number is not finite");
  return {{x[0], x[1], x[2]},
          {x[7], x[8], x[9]},
          {x[10], x[11], x[12]},
          abut::Quat(x[3], x[4], x[5], x[6]).normalized()};
}

// Of all solids: those that are fixed are where the scene has them.
std::vector<Motion> motions_of(const EngineScene& scene, const json& rows) {
  std::vector<Motion> out;
  std::size_t i = 0;
  for (const Solid& s : scene.solids) {
    const abut::Quat q(s.turn[0], s.turn[1], s.turn[2], s.turn[3]);
    const abut::Vec3 zero = abut::Vec3::Zero();
    out.push_back(s.mass > 0 ? motion_of(rows.at(i++)) : Motion{vec(s.position), zero, zero, q});
  }
  if (i != rows.size()) throw std::runtime_error("motions of another number of solids");
  return out;
}

double kinetic(const EngineScene& scene, const std::vector<Motion>& motions) {
  double sum = 0;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Solid& s = scene.solids[i];
    const abut::Vec3 w = motions[i].q.conjugate() * motions[i].w;
    sum += 0.5 * (s.mass * motions[i].v.squaredNorm() + w.dot(vec(s.inertia).cwiseProduct(w)));
  }
  return sum;
}

double energy(const EngineScene& scene, const std::vector<Motion>& motions) {
  double sum = kinetic(scene, motions);
  for (std::size_t i = 0; i < motions.size(); ++i)
    sum -= scene.solids[i].mass * vec(gravity_at(scene, 0)).dot(motions[i].p);
  return sum;
}

// Of the scene's start, at rest.
std::vector<Motion> start(const EngineScene& scene) {
  std::vector<Motion> out;
  for (const Solid& s : scene.solids)
    out.push_back({vec(s.position), abut::Vec3::Zero(), abut::Vec3::Zero(),
                   abut::Quat(s.turn[0], s.turn[1], s.turn[2], s.turn[3])});
  return out;
}

double joint_gap(const EngineScene& scene, const std::vector<Motion>& begin,
                 const std::vector<Motion>& now) {
  const auto anchor = [&](int solid, const Joint& j) -> abut::Vec3 {
    if (solid < 0) return vec(j.anchor);
    const auto i = static_cast<std::size_t>(solid);
    return now[i].p + now[i].q * (begin[i].q.conjugate() * (vec(j.anchor) - begin[i].p));
  };
  double worst = 0;
  for (const Joint& j : scene.joints)
    worst = std::max(worst, (anchor(j.a, j) - anchor(j.b, j)).norm());
  return worst;
}

double drift(const EngineScene& scene, const std::vector<Motion>& from,
             const std::vector<Motion>& to) {
  double worst = 0;
  for (std::size_t i = 0; i < to.size(); ++i)
    if (scene.solids[i].mass > 0) worst = std::max(worst, (to[i].p - from[i].p).norm());
  return worst;
}

abut::Overlap overlap_of(const EngineScene& scene, const std::vector<Motion>& motions) {
  const abut::Model model = abut::compile(abut::parse_mjcf(as_mjcf(scene, false)));
  abut::State state(model);
  std::size_t at = 0;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    if (scene.solids[i].mass == 0) continue;
    const Motion& m = motions[i];
    for (const double x : {m.p[0], m.p[1], m.p[2], m.q.w(), m.q.x(), m.q.y(), m.q.z()})
      state.q.at(at++) = x;
  }
  return abut::Measure(model).sample(state, abut::Input(model)).overlap;
}

}  // namespace

Verdict judge(const EngineScene& scene, const json& answer) {
  const std::vector<Motion> begin = start(scene), before = motions_of(scene, answer.at("before")),
                            after = motions_of(scene, answer.at("after"));
  Verdict out;
  out.drift = drift(scene, scene.falls ? before : begin, after);
  out.kinetic = kinetic(scene, after);
  const double at_first = energy(scene, begin);
  const auto look = [&](const std::vector<Motion>& now) {
    out.joint = std::max(out.joint, joint_gap(scene, begin, now));
    out.energy = std::max(out.energy, std::abs(energy(scene, now) - at_first));
  };
  look(after);
  if (answer.contains("samples"))
    for (const json& sample : answer.at("samples")) look(motions_of(scene, sample));
  if (scene.collides) {
    const abut::Overlap overlap = overlap_of(scene, after);
    out.mean = overlap.mean();
    out.most = overlap.deepest;
  }
  return out;
}

std::string hash_of(const json& motions) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const json& row : motions)
    for (const double x : row.get<std::vector<double>>())
      for (int byte = 0; byte < 8; ++byte)
        hash = (hash ^ (std::bit_cast<std::uint64_t>(x) >> (8 * byte) & 0xff)) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}
