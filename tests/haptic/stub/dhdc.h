/* What examples/haptic/force_dimension.cpp uses of the Force Dimension SDK: a device that lies still 5 mm below
 * its middle, for tests of the driver without the SDK. */
#ifndef DHDC_STUB_H
#define DHDC_STUB_H

#define DHD_ON 1

static inline int dhdOpen(void) { return 0; }
static inline int dhdOpenID(char id) { return id == 0 ? 0 : -1; }
static inline int dhdClose(char) { return 0; }
static inline const char* dhdErrorGetLastStr(void) { return "no such device"; }
static inline int dhdEnableForce(unsigned char, char) { return 0; }
static inline int dhdGetPositionAndOrientationFrame(double* x, double* y, double* z, double m[3][3],
                                                    char) {
  *x = *y = 0, *z = -0.005;
  for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = i % 4 == 0;
  return 0;
}
static inline int dhdGetLinearVelocity(double* x, double* y, double* z, char) {
  *x = *y = *z = 0;
  return 0;
}
static inline int dhdGetAngularVelocityRad(double* x, double* y, double* z, char) {
  *x = *y = *z = 0;
  return 0;
}
static inline int dhdGetButton(int, char) { return 0; }
static inline int dhdSetForceAndTorque(double, double, double, double, double, double, char) {
  return 0;
}

#endif
