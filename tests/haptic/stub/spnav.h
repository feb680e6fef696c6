/* What examples/haptic/space_mouse.cpp uses of libspnav: a cap that is pushed down, for ever. */
#ifndef SPNAV_STUB_H
#define SPNAV_STUB_H

enum { SPNAV_EVENT_ANY, SPNAV_EVENT_MOTION, SPNAV_EVENT_BUTTON };
typedef struct {
  int type, x, y, z, rx, ry, rz;
  unsigned int period;
  int* data;
} spnav_event_motion;
typedef struct {
  int type, press, bnum;
} spnav_event_button;
typedef union {
  int type;
  spnav_event_motion motion;
  spnav_event_button button;
} spnav_event;

static inline int spnav_open(void) { return 0; }
static inline int spnav_close(void) { return 0; }
static inline int spnav_poll_event(spnav_event* event) {
  static int told = 0;
  event->type = SPNAV_EVENT_MOTION;
  event->motion = {SPNAV_EVENT_MOTION, 0, -70, 0, 0, 0, 0, 0, nullptr};
  return told++ == 0;
}

#endif
