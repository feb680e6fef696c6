#include "interrupt.h"

#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "print.h"

namespace abut::tool {

namespace {

constexpr int kPatience = 1;  // s

std::atomic<int> signal_number{0};
std::atomic<bool> stop{false}, ends_itself{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);
sem_t arrived;

// Never destroyed: the thread that waits for signals outlives main.
struct Ending {
  std::recursive_timed_mutex mutex;  // who has it decides whether the process goes on
  std::function<void()> close;
};
Ending& ending() {
  static auto* one = new Ending;
  return *one;
}

void note(int number) {
  int none = 0;
  signal_number.compare_exchange_strong(none, number);
  stop = true;
  sem_post(&arrived);
}

void wait_for_signal() {
  while (sem_wait(&arrived) != 0 && errno == EINTR) continue;
}

void wait_for_signal_or_patience() {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += kPatience;
  while (sem_timedwait(&arrived, &until) != 0 && errno == EINTR) continue;
}

// True: nothing is being written, and nothing will be.
bool wait_until_nothing_is_written(Ending& e) {
  while (!e.mutex.try_lock_for(std::chrono::milliseconds(50)))
    if (sem_trywait(&arrived) == 0) return false;
  return true;
}

[[noreturn]] void end_when_asked() {
  wait_for_signal();
  if (ends_itself) wait_for_signal_or_patience();
  if (Ending& e = ending(); wait_until_nothing_is_written(e) && e.close) try {
      e.close();
    } catch (const std::exception& problem) {
      put(stderr, "abut: " + printable_lines(problem.what()) + "\n");
    }
  put(stderr, isatty(STDERR_FILENO) ? "\nabut: stopped\n" : "abut: stopped\n");
  // not by exit(): the main thread is still at work
  std::_Exit(interrupted_exit_code());
}

// A file that is opened where stdin, stdout or stderr should be would get what is printed. Opened
// the wrong way round, these fail as they did.
void fill_standard_descriptors() {
  for (const int fd : {0, 1, 2})
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      if (const int stand_in = open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
          stand_in >= 0 && stand_in != fd)
        close(stand_in);
}

}  // namespace

void watch_signals() {
  fill_standard_descriptors();
  signal(SIGXFSZ, SIG_IGN);  // a file that is too long is an error of its write
  sem_init(&arrived, 0, 0);
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(number, nullptr, &before);
    // nohup: the run is to go on when its terminal closes
    if (number != SIGHUP || before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
  std::thread(end_when_asked).detach();
}

int interrupted_by() { return signal_number; }
std::atomic<bool>& stop_asked() { return stop; }
int interrupted_exit_code() { return 128 + signal_number; }

Uninterrupted::Uninterrupted() { resume(); }
Uninterrupted::~Uninterrupted() { pause(); }
void Uninterrupted::pause() {
  if (holds_) ending().mutex.unlock();
  holds_ = false;
}
void Uninterrupted::resume() {
  if (!holds_) ending().mutex.lock();
  holds_ = true;
}

EndsItself::EndsItself(std::function<void()> close) {
  const std::lock_guard lock(ending().mutex);
  ending().close = std::move(close);
  ends_itself = true;
}
EndsItself::~EndsItself() {
  const std::lock_guard lock(ending().mutex);
  ends_itself = false;
  ending().close = nullptr;
}

}  // namespace abut::tool
