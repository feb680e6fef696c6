#include "abut/contact/impact/impact_law.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "abut/contact/impact/tolerances.h"
#include "abut/solve/sweeping/one_contact.h"

namespace abut {

namespace {

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

// The slip turns by no more than this in a step of the path.
constexpr double kTurn = 0.05;
constexpr int kMostSteps = 20000;

// An impact on its way, by Routh's and Keller's equations.
class ImpactPath {
 public:
  ImpactPath(const Block& K, const Vec3& v, double mu) : K_(K), start_(v), mu_(mu) {
    stopped_ = kStoppedSlip * v.norm();
    hold_ = -K.bottomRightCorner<2, 2>().ldlt().solve(K.block<2, 1>(1, 0));
    if (hold_.norm() > mu) hold_ = -mu * lasting_direction();
  }

  // To the end by Poisson's or Stronge's law; false if it has none.
  bool follow(RestitutionLaw law, double e, Vec3& p) {
    law_ = law;
    compressing_ = true;
    Point now;
    for (int i = 0; i < kMostSteps; ++i) {
      const Vec3 v = velocity(now);
      if (v.tail<2>().norm() <= stopped_) {
        now = along_hold(now, rest_of_phase(now, v[0]));
      } else {
        double high = step_length(v);
        const Point next = step(now, high);
        if (left(next) < 0) {
          compressing_ = compressing_ || velocity(next)[0] < 0;
          now = next;
          continue;
        }
        for (double low = 0, k = 0; k < 60; ++k) {
          const double middle = 0.5 * (low + high);
          (left(step(now, middle)) < 0 ? low : high) = middle;
        }
        now = step(now, high);
      }
      // a phase has ended
      if (!compressing_ || e == 0) {
        p = {now.normal, now.slip[0], now.slip[1]};
        return p.allFinite();
      }
      compressing_ = false;
      goal_ = law == RestitutionLaw::poisson ? (1 + e) * now.normal : (1 - e * e) * now.work;
    }
    return false;
  }

 private:
  struct Point {
    double normal = 0;         // N s, the clock
    Vec2 slip = Vec2::Zero();  // N s, of friction
    double work = 0;           // J, of the normal impulse
  };

  Vec3 velocity(const Point& x) const { return start_ + K_ * Vec3(x.normal, x.slip[0], x.slip[1]); }
  Vec2 friction(const Vec3& v) const {
    const Vec2 t = v.tail<2>();
    const double speed = t.norm();
    return speed > 0 ? Vec2(-mu_ / speed * t) : hold_;
  }

  // Where friction cannot hold, slip goes on along s with K_tn - mu K_tt s = lambda s, lambda > 0.
  Vec2 lasting_direction() const {
    constexpr int kParts = 64;
    const auto direction = [](double a) { return Vec2(std::cos(a), std::sin(a)); };
    const auto pull = [&](double a) -> Vec2 {
      return K_.block<2, 1>(1, 0) - mu_ * K_.bottomRightCorner<2, 2>() * direction(a);
    };
    const auto aside = [&](double a) {
      const Vec2 s = direction(a), f = pull(a);
      return s.x() * f.y() - s.y() * f.x();
    };
    Vec2 best = Vec2(K_.block<2, 1>(1, 0)).normalized();
    double most = 0;
    for (int i = 0; i < kParts; ++i) {
      double low = 2 * std::numbers::pi * i / kParts,
             high = 2 * std::numbers::pi * (i + 1) / kParts;
      const double at_low = aside(low);
      if ((at_low > 0) == (aside(high) > 0)) continue;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        ((aside(middle) > 0) == (at_low > 0) ? low : high) = middle;
      }
      const double along = direction(low).dot(pull(low));
      if (along <= most) continue;
      most = along;
      best = direction(low);
    }
    return best;
  }

  // Zero where the phase ends, and negative before.
  double left(const Point& x) const {
    if (compressing_) return velocity(x)[0];
    return (law_ == RestitutionLaw::poisson ? x.normal : x.work) - goal_;
  }
  // The same as a length, where slip has ended: the normal velocity grows evenly from there.
  double rest_of_phase(const Point& x, double v) const {
    const double rate = K_.row(0).dot(Vec3(1, hold_[0], hold_[1]));
    if (compressing_) return -v / rate;
    if (law_ == RestitutionLaw::poisson) return std::max(0.0, goal_ - x.normal);
    return (std::sqrt(std::max(0.0, v * v + 2 * rate * (goal_ - x.work))) - v) / rate;
  }
  // While it slips; in all, compression takes about |v_n| / K_nn.
  double step_length(const Vec3& v) const {
    const Vec2 f = friction(v);
    const double change = (K_ * Vec3(1, f[0], f[1])).tail<2>().norm();
    const double most = 0.25 * std::max(-start_[0], std::abs(v[0])) / K_(0, 0);
    return std::min(most, kTurn * v.tail<2>().norm() / std::max(change, kStoppedSlip * K_(0, 0)));
  }

  Point along_hold(const Point& x, double h) const {
    Point end{x.normal + h, x.slip + h * hold_, x.work};
    end.work += h * 0.5 * (velocity(x)[0] + velocity(end)[0]);
    return end;
  }
  // By Runge and Kutta's rule.
  Point step(const Point& x, double h) const {
    const auto at = [&](double part, const Vec2& f) {
      return velocity({x.normal + part * h, x.slip + part * h * f, 0});
    };
    const Vec3 v1 = velocity(x);
    const Vec2 f1 = friction(v1);
    const Vec3 v2 = at(0.5, f1);
    const Vec2 f2 = friction(v2);
    const Vec3 v3 = at(0.5, f2);
    const Vec2 f3 = friction(v3);
    const Vec2 f4 = friction(at(1, f3));
    Point end{x.normal + h, x.slip + h / 6 * (f1 + 2 * f2 + 2 * f3 + f4), x.work};
    end.work += h / 6 * (v1[0] + 2 * v2[0] + 2 * v3[0] + velocity(end)[0]);
    return end;
  }

  Block K_;
  Vec3 start_;
  double mu_, stopped_ = 0;
  Vec2 hold_;  // friction for each N s of the normal impulse once slip has ended
  RestitutionLaw law_ = RestitutionLaw::stronge;
  bool compressing_ = true;
  double goal_ = 0;  // of the expansion: N s (Poisson) or J, which are negative (Stronge)
};

bool newton_impulse(const Block& K, const Vec3& v, double mu, double& e, Vec3& p) {
  OneContact contact;
  contact.set(K.data(), 3, 3, mu);
  const auto solve = [&](double restitution) {
    const Vec3 b = v + Vec3(restitution * v[0], 0, 0);
    return contact.solve(b.data(), p.data());
  };
  const auto gain = [&] { return p.dot(v) + 0.5 * p.dot(K * p); };
  if (!solve(e)) return false;
  if (gain() <= 0) return true;
  // at e = 0 energy is lost: p . v+ <= 0, so gain = p . v+ - p . K p / 2
  double low = 0, high = e;
  for (int i = 0; i < 40; ++i) {
    e = 0.5 * (low + high);
    solve(e);
    (gain() > 0 ? high : low) = e;
  }
  e = low;
  return solve(e);
}

}  // namespace

bool impact_impulse(const double* K, const Vec3& v, double mu, RestitutionLaw law, double& e,
                    Vec3& p) {
  // a direction in which neither can move has no row; its velocity is 0
  Block block = Eigen::Map<const Block>(K);
  if (!(block(0, 0) > 0)) return false;
  block(1, 1) += kImpactSoftness * block(0, 0);
  block(2, 2) += kImpactSoftness * block(0, 0);
  if (law == RestitutionLaw::newton || law == RestitutionLaw::sequential)
    return newton_impulse(block, v, mu, e, p);
  return ImpactPath(block, v, mu).follow(law, e, p);
}

}  // namespace abut
