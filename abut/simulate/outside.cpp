#include "abut/simulate/outside.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/simulate/tolerances.h"

namespace abut {

namespace {

std::string_view trim(std::string_view s) {
  const auto begin = s.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(" \t\r\n") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto comma = text.find(',');
    parts.push_back(trim(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

bool parse_number(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

Source at(const CsvTable& table, int line) {
  return {std::make_shared<const std::string>(table.file), line};
}

// Index of the last row at or before the time; -1: before the first.
int row_at(const std::vector<double>& times, double time) {
  return static_cast<int>(std::upper_bound(times.begin(), times.end(), time) - times.begin()) - 1;
}

std::vector<double> time_column(const CsvTable& table) {
  if (table.columns.empty() || table.columns[0] != "t")
    throw WorldError(at(table, 1),
                     "the first column must be t (seconds), as in 't," +
                         std::string(table.columns.size() > 1 ? table.columns[1] : "..") + "'");
  if (table.rows.empty()) throw WorldError(at(table, 1), "there is no row below the header");
  std::vector<double> times;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (r > 0 && table.rows[r][0] <= times.back())
      throw WorldError(at(table, table.lines[r]), "times must ascend from row to row");
    times.push_back(table.rows[r][0]);
  }
  return times;
}

std::string did_you_mean(const NameTable& names, std::string_view name) {
  const std::string near = names.nearest(name);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace

void Push::apply(const Model& model, const Derived& d, double time, Input& input) const {
  if (time < start - kTimeGrace || time >= start + duration - kTimeGrace) return;
  const Pose& X = d.body_pose[body];
  const Vec3 arm = X.q * (point - model.bodies[body].mass.com);
  input.wrench[body].head<3>() += force;
  input.wrench[body].tail<3>() += arm.cross(force);
}

Push parse_push(const Model& model, std::string_view text) {
  const auto parts = split(text);
  const std::string form = "; write --push t0,duration,BODY,fx,fy,fz[,px,py,pz] (s, s, name, N, m)";
  if (parts.size() != 6 && parts.size() != 9)
    throw WorldError("--push " + std::string(text) + ": has " + std::to_string(parts.size()) +
                     " parts instead of 6 or 9" + form);
  Push push;
  push.body = model.find_body(parts[2]);
  if (push.body < 0)
    throw WorldError("--push " + std::string(text) + ": no body '" + std::string(parts[2]) + "'" +
                     did_you_mean(model.body_names, parts[2]));
  if (model.bodies[push.body].link < 0)
    throw WorldError("--push " + std::string(text) + ": body '" + std::string(parts[2]) +
                     "' cannot move; push one that has a joint");
  double* targets[9] = {&push.start,    &push.duration, nullptr,
                        &push.force[0], &push.force[1], &push.force[2],
                        &push.point[0], &push.point[1], &push.point[2]};
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (targets[i] && !parse_number(parts[i], *targets[i]))
      throw WorldError("--push " + std::string(text) + ": '" + std::string(parts[i]) +
                       "' is no number" + form);
  if (push.duration <= 0)
    throw WorldError("--push " + std::string(text) + ": the duration must be positive (s)");
  if (parts.size() == 6) push.point = model.bodies[push.body].mass.com;
  return push;
}

void PdTargets::set(std::string_view joint, const PdTarget& target) {
  const std::string who = "PD target of '" + std::string(joint) + "': ";
  const int j = model_.find_joint(joint);
  if (j < 0) throw WorldError(who + "no such joint" + did_you_mean(model_.joint_names, joint));
  const JointType type = model_.joints[at(j)].type;
  if (type != JointType::hinge && type != JointType::slide)
    throw WorldError(who + "only hinges and slides have a position to be pulled to");
  for (const double x : {target.position, target.velocity, target.stiffness, target.damping})
    if (!std::isfinite(x)) throw WorldError(who + "a number is not finite");
  if (target.stiffness < 0 || target.damping < 0)
    throw WorldError(who + "stiffness and damping are 0 or more");
  for (Pull& pull : pulls_)
    if (pull.joint == j) return void(pull.target = target);
  pulls_.push_back({j, target});
}

void PdTargets::set(std::string_view text) {
  const auto parts = split(text);
  const std::string form =
      "; write --pd JOINT,position,stiffness,damping (m or rad, N/m or N m/rad, N s/m or N m "
      "s/rad)";
  if (parts.size() != 4)
    throw WorldError("--pd " + std::string(text) + ": has " + std::to_string(parts.size()) +
                     " parts instead of 4" + form);
  PdTarget target;
  double* const numbers[3] = {&target.position, &target.stiffness, &target.damping};
  for (std::size_t i = 0; i < 3; ++i)
    if (!parse_number(parts[i + 1], *numbers[i]))
      throw WorldError("--pd " + std::string(text) + ": '" + std::string(parts[i + 1]) +
                       "' is no number" + form);
  set(parts[0], target);
}

void PdTargets::apply(const State& state, Input& input) const {
  for (const Pull& pull : pulls_) {
    const Joint& joint = model_.joints[at(pull.joint)];
    const PdTarget& t = pull.target;
    input.force[at(joint.dof)] += t.stiffness * (t.position - state.q[at(joint.q)]) +
                                  t.damping * (t.velocity - state.v[at(joint.dof)]);
  }
}

CsvTable read_csv(const std::filesystem::path& file) {
  CsvTable table;
  table.file = file.string();
  if (!std::filesystem::is_regular_file(file)) throw WorldError(table.file + ": no such file");
  std::ifstream in(file);
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    std::string_view content = text;
    content = trim(content.substr(0, content.find('#')));
    if (content.empty()) continue;
    const auto parts = split(content);
    if (table.columns.empty()) {
      for (const auto part : parts) table.columns.emplace_back(part);
      continue;
    }
    if (parts.size() != table.columns.size())
      throw WorldError(at(table, line), "has " + std::to_string(parts.size()) +
                                            " numbers, the header names " +
                                            std::to_string(table.columns.size()) + " columns");
    std::vector<double>& row = table.rows.emplace_back(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!parse_number(parts[i], row[i]))
        throw WorldError(at(table, line), "'" + std::string(parts[i]) + "' in column '" +
                                              table.columns[i] + "' is no finite number");
    table.lines.push_back(line);
  }
  if (table.columns.empty())
    throw WorldError(table.file + ": is empty; its first line names the columns, as in 't,motor'");
  return table;
}

ControlTable::ControlTable(const Model& model, const CsvTable& table) : times_(time_column(table)) {
  for (std::size_t c = 1; c < table.columns.size(); ++c) {
    const int actuator = model.find_actuator(table.columns[c]);
    if (actuator < 0)
      throw WorldError(at(table, 1), "no actuator '" + table.columns[c] + "'" +
                                         did_you_mean(model.actuator_names, table.columns[c]));
    actuators_.push_back(actuator);
  }
  for (const auto& row : table.rows) values_.emplace_back(row.begin() + 1, row.end());
}

void ControlTable::apply(double time, Input& input) const {
  const int row = row_at(times_, time + kTimeGrace);
  if (row < 0) return;
  for (std::size_t i = 0; i < actuators_.size(); ++i) input.ctrl[actuators_[i]] = values_[row][i];
}

DrivePath::DrivePath(const Model& model, int body, const CsvTable& table)
    : mocap_(model.bodies[body].mocap), times_(time_column(table)) {
  if (mocap_ < 0)
    throw WorldError("--drive: body '" + model.body_names[body] +
                     "' is not driven; write mocap=\"true\" in its <body>");
  if (table.columns.size() != 8)
    throw WorldError(at(table, 1),
                     "wants eight columns: t,x,y,z,qw,qx,qy,qz (s, m, unit quaternion)");
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    Quat q(row[4], row[5], row[6], row[7]);
    if (q.norm() < kNoQuaternionInPath)
      throw WorldError(at(table, table.lines[r]),
                       "the quaternion is zero; write 1,0,0,0 for no turn");
    q.normalize();
    // the nearer of the two quaternions of the same rotation
    if (!poses_.empty() && poses_.back().q.dot(q) < 0) q.coeffs() *= -1;
    poses_.push_back({Vec3(row[1], row[2], row[3]), q});
  }
}

void DrivePath::apply(double time, Input& input) const {
  const int last = static_cast<int>(times_.size()) - 1;
  const int row = row_at(times_, time);
  input.mocap_velocity[mocap_].setZero();
  if (row < 0 || row >= last) {
    input.mocap[mocap_] = poses_[row < 0 ? 0 : last];
    return;
  }
  const double span = times_[row + 1] - times_[row];
  const double s = (time - times_[row]) / span;
  const Pose &a = poses_[row], &b = poses_[row + 1];
  const Vec3 turn = log_rotation(a.q.conjugate() * b.q);  // in the axes of a
  input.mocap[mocap_] = {a.p + s * (b.p - a.p), a.q * exp_rotation(s * turn)};
  input.mocap_velocity[mocap_] << (b.p - a.p) / span, (a.q * turn) / span;
}

}  // namespace abut
