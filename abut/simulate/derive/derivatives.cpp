#include "abut/simulate/derive/derivatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "abut/model/kinematics.h"
#include "abut/simulate/contact_events.h"
#include "abut/simulate/derive/analytic.h"

namespace abut {

namespace {

// Steps from states near one state, as differences to the end of the step from there.
class NearbySteps {
 public:
  NearbySteps(Simulator& simulator, const State& state, const Input& input)
      : simulator_(simulator), model_(simulator.model()), start_(state), input_(input) {
    base_ = state;
    simulator_.step(base_, input);
    events_.update(simulator_);
    moved_.resize(static_cast<std::size_t>(model_.nv));
  }

  int rows() const { return 2 * model_.nv + model_.na; }

  // The end after coordinate `column` of x, or of the controls, is moved by h.
  VectorX end(int column, double h) {
    State state = start_;
    Input input = input_;
    const int nv = model_.nv;
    if (column < nv) {
      std::fill(moved_.begin(), moved_.end(), 0);
      moved_[static_cast<std::size_t>(column)] = 1;
      advance(model_, moved_, h, state.q);
    } else if (column < 2 * nv) {
      state.v[static_cast<std::size_t>(column - nv)] += h;
    } else if (column < rows()) {
      state.act[static_cast<std::size_t>(column - 2 * nv)] += h;
    } else {
      input.ctrl[static_cast<std::size_t>(column - rows())] += h;
    }
    simulator_.step(state, input);
    VectorX x(rows());
    difference(model_, base_.q, state.q, moved_);
    for (int i = 0; i < nv; ++i) {
      const auto at = static_cast<std::size_t>(i);
      x[i] = moved_[at], x[nv + i] = state.v[at] - base_.v[at];
    }
    for (int i = 0; i < model_.na; ++i)
      x[2 * nv + i] =
          state.act[static_cast<std::size_t>(i)] - base_.act[static_cast<std::size_t>(i)];
    return x;
  }

  // Pairs that touch after one of two neighbouring steps and not after the other.
  std::string changed_pairs(int column, double h) {
    std::string text;
    for (const double side : {h, -h}) {
      events_ = {};
      base_ = start_;
      simulator_.step(base_, input_);
      events_.update(simulator_);
      end(column, side);
      events_.update(simulator_);
      const auto add = [&](std::span<const TouchingPair> pairs, const char* what) {
        for (const TouchingPair& p : pairs)
          text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", model_.geom_names[p.geom_a],
                              model_.geom_names[p.geom_b], what);
      };
      add(events_.begun(), "begin to touch");
      add(events_.ended(), "come apart");
    }
    base_ = start_;
    simulator_.step(base_, input_);
    return text.empty() ? "a contact, its friction or a limit changes" : text;
  }

 private:
  Simulator& simulator_;
  const Model& model_;
  const State start_;
  const Input input_;
  State base_;  // the end of the step from start_
  ContactEvents events_;
  std::vector<double> moved_;
};

StepDerivatives by_differences(Simulator& simulator, const State& state, const Input& input,
                               const DerivativeSettings& settings) {
  NearbySteps steps(simulator, state, input);
  const int rows = steps.rows(), nu = simulator.model().nu();
  const double h = settings.step;
  StepDerivatives out;
  out.A.resize(rows, rows), out.B.resize(rows, nu);
  out.why_not.resize(static_cast<std::size_t>(rows + nu));
  if (rows == 0) return out;
  for (int c = 0; c < rows + nu; ++c) {
    const VectorX above = steps.end(c, h) / h, below = steps.end(c, -h) / -h;
    const bool kink =
        ((above - below).array().abs() >
         settings.kink * above.array().abs().max(below.array().abs()) + kDerivativeNoise)
            .any();
    if (kink) out.why_not[static_cast<std::size_t>(c)] = steps.changed_pairs(c, h);
    const VectorX column = kink ? above : VectorX(0.5 * (above + below));
    if (c < rows)
      out.A.col(c) = column;
    else
      out.B.col(c - rows) = column;
  }
  State end = state;
  simulator.step(end, input);
  return out;
}

}  // namespace

StepDerivatives differentiate_step(Simulator& simulator, const State& state, const Input& input,
                                   const DerivativeSettings& settings) {
  if (!(settings.step > 0) || !(settings.kink > 0))
    throw std::invalid_argument("derivatives: step and kink must be positive");
  if (settings.method != DerivativeMethod::differences) {
    StepDerivatives out = analytic_derivatives(simulator, state, input);
    if (out.analytic || settings.method == DerivativeMethod::analytic) return out;
  }
  return by_differences(simulator, state, input, settings);
}

}  // namespace abut
