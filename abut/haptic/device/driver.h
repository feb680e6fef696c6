// The interface of drivers: shared libraries that bring a haptic device to abut,
//
//   abut run haptic/four_blocks --haptic --device ./libmydevice.so
//   abut run haptic/four_blocks --haptic --device ./libmydevice.so:SERIAL
//
// It is plain C, so that a driver may be built by another compiler, or in another language. A driver exports
// one function, abut_haptic_driver(). SI units, the device's own axes.
//
// open() and close() may take their time. read() and write() are called once a cycle, by a thread in real
// time: they must return at once. Between close() and the last write() the device must let go of the hand by
// itself; and so it should if no write() comes for 20 ms.
#ifndef ABUT_HAPTIC_DRIVER_H
#define ABUT_HAPTIC_DRIVER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ABUT_DRIVER_VERSION 1

typedef struct abut_hand {
  double position[3];         /* m */
  double quaternion[4];       /* w x y z, unit; 1 0 0 0 of a device that does not turn */
  double linear_velocity[3];  /* m/s */
  double angular_velocity[3]; /* rad/s */
  uint32_t has_velocity;      /* 0: abut takes differences */
  uint32_t buttons;           /* bit 0: the clutch */
} abut_hand;

typedef struct abut_wrench {
  double force[3];  /* N */
  double torque[3]; /* N m, about the hand's position */
} abut_wrench;

typedef struct abut_driver {
  uint32_t version; /* ABUT_DRIVER_VERSION */
  uint32_t size;    /* sizeof(abut_driver) */
  const char* name;
  /* `options`: what follows the colon on the command line, or "". NULL: it cannot be opened, and `why` says
   * why, in up to why_size bytes with the final zero. */
  void* (*open)(const char* options, char* why, size_t why_size);
  /* 1: a new sample; 0: none since the last; below 0: the device has gone. */
  int (*read)(void* device, abut_hand* hand);
  void (*write)(void* device, const abut_wrench* wrench);
  void (*close)(void* device);
  double force_limit, torque_limit; /* N, N m; 0: unknown */
} abut_driver;

/* What a driver exports. */
typedef const abut_driver* (*abut_driver_entry)(void);

#ifdef __cplusplus
}
#endif
#endif
