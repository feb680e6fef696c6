#include "abut/model/sensor/sensor.h"

#include <algorithm>
#include <array>

namespace abut {

namespace {

constexpr std::array kSensorKinds = {
    SensorTraits{"touch", SensorKind::touch, 1, SensorRange::positive},
    SensorTraits{"accelerometer", SensorKind::accelerometer, 3, SensorRange::real},
    SensorTraits{"velocimeter", SensorKind::velocimeter, 3, SensorRange::real},
    SensorTraits{"gyro", SensorKind::gyro, 3, SensorRange::real},
    SensorTraits{"force", SensorKind::force, 3, SensorRange::real},
    SensorTraits{"torque", SensorKind::torque, 3, SensorRange::real},
    SensorTraits{"magnetometer", SensorKind::magnetometer, 3, SensorRange::real},
    SensorTraits{"rangefinder", SensorKind::rangefinder, 1, SensorRange::positive},
    SensorTraits{"jointpos", SensorKind::jointpos, 1, SensorRange::real},
    SensorTraits{"jointvel", SensorKind::jointvel, 1, SensorRange::real},
    SensorTraits{"jointactuatorfrc", SensorKind::jointactuatorfrc, 1, SensorRange::real},
    SensorTraits{"ballquat", SensorKind::ballquat, 4, SensorRange::unit},
    SensorTraits{"ballangvel", SensorKind::ballangvel, 3, SensorRange::real},
    SensorTraits{"jointlimitpos", SensorKind::jointlimitpos, 1, SensorRange::real},
    SensorTraits{"jointlimitvel", SensorKind::jointlimitvel, 1, SensorRange::real},
    SensorTraits{"tendonpos", SensorKind::tendonpos, 1, SensorRange::real},
    SensorTraits{"tendonvel", SensorKind::tendonvel, 1, SensorRange::real},
    SensorTraits{"tendonactuatorfrc", SensorKind::tendonactuatorfrc, 1, SensorRange::real},
    SensorTraits{"tendonlimitpos", SensorKind::tendonlimitpos, 1, SensorRange::real},
    SensorTraits{"tendonlimitvel", SensorKind::tendonlimitvel, 1, SensorRange::real},
    SensorTraits{"actuatorpos", SensorKind::actuatorpos, 1, SensorRange::real},
    SensorTraits{"actuatorvel", SensorKind::actuatorvel, 1, SensorRange::real},
    SensorTraits{"actuatorfrc", SensorKind::actuatorfrc, 1, SensorRange::real},
    SensorTraits{"framepos", SensorKind::framepos, 3, SensorRange::real},
    SensorTraits{"framequat", SensorKind::framequat, 4, SensorRange::unit},
    SensorTraits{"framexaxis", SensorKind::framexaxis, 3, SensorRange::unit},
    SensorTraits{"frameyaxis", SensorKind::frameyaxis, 3, SensorRange::unit},
    SensorTraits{"framezaxis", SensorKind::framezaxis, 3, SensorRange::unit},
    SensorTraits{"framelinvel", SensorKind::framelinvel, 3, SensorRange::real},
    SensorTraits{"frameangvel", SensorKind::frameangvel, 3, SensorRange::real},
    SensorTraits{"framelinacc", SensorKind::framelinacc, 3, SensorRange::real},
    SensorTraits{"frameangacc", SensorKind::frameangacc, 3, SensorRange::real},
    SensorTraits{"subtreecom", SensorKind::subtreecom, 3, SensorRange::real},
    SensorTraits{"subtreelinvel", SensorKind::subtreelinvel, 3, SensorRange::real},
    SensorTraits{"subtreeangmom", SensorKind::subtreeangmom, 3, SensorRange::real},
    SensorTraits{"e_potential", SensorKind::e_potential, 1, SensorRange::real},
    SensorTraits{"e_kinetic", SensorKind::e_kinetic, 1, SensorRange::real},
    SensorTraits{"clock", SensorKind::clock, 1, SensorRange::real},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kSensorKinds.size(); ++i)
    if (kSensorKinds[i].kind != static_cast<SensorKind>(i)) return false;
  return true;
}
static_assert(in_order());

}  // namespace

std::optional<SensorTraits> sensor_traits(std::string_view name) {
  const auto found = std::find_if(kSensorKinds.begin(), kSensorKinds.end(),
                                  [&](const SensorTraits& t) { return t.name == name; });
  if (found == kSensorKinds.end()) return {};
  return *found;
}

const SensorTraits& sensor_traits(SensorKind kind) {
  return kSensorKinds[static_cast<std::size_t>(kind)];
}

}  // namespace abut
