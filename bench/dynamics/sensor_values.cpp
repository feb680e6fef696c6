// Writes the values of a world's sensors at its first keyframe, by MuJoCo, a line each: the name and
// its numbers:
//
//   sensor_values tests/data/sensors/sensors.xml > tests/data/sensors/sensors.txt
#include <mujoco/mujoco.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: sensor_values WORLD.xml\n");
    return 2;
  }
  char error[1000] = "";
  mjModel* m = mj_loadXML(argv[1], nullptr, error, sizeof error);
  if (m == nullptr) {
    std::fprintf(stderr, "%s\n", error);
    return 1;
  }
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  // limits have values only where they act; all others are those of the free motion
  mj_forward(m, d);
  mjtNum* limits = new mjtNum[m->nsensordata];
  mju_copy(limits, d->sensordata, m->nsensordata);
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  mj_forward(m, d);
  for (int i = 0; i < m->nsensor; ++i) {
    const int type = m->sensor_type[i];
    const bool limit = type == mjSENS_JOINTLIMITPOS || type == mjSENS_JOINTLIMITVEL ||
                       type == mjSENS_TENDONLIMITPOS || type == mjSENS_TENDONLIMITVEL;
    std::printf("%s", mj_id2name(m, mjOBJ_SENSOR, i));
    for (int k = 0; k < m->sensor_dim[i]; ++k)
      std::printf(" %.17g", (limit ? limits : d->sensordata)[m->sensor_adr[i] + k]);
    std::printf("\n");
  }
  delete[] limits;
  mj_deleteData(d);
  mj_deleteModel(m);
}
