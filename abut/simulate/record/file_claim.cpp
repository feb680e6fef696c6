#include "abut/simulate/record/file_claim.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace abut {

namespace {

// A byte far behind the end of any file stands for "is being recorded". Locks of this kind
// belong to the open file, so they work between threads, and end with the process.
bool lock_mark(int descriptor, short kind) {
  struct flock mark {};
  mark.l_type = kind;
  mark.l_whence = SEEK_SET;
  mark.l_start = off_t{1} << 62;
  mark.l_len = 1;
  return fcntl(descriptor, F_OFD_SETLK, &mark) == 0 || (errno != EAGAIN && errno != EACCES);
}

// Opens a file that is there, unless somebody else has it open; -1: there is none.
int claim_old(const std::filesystem::path& file) {
  const int old = open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (old < 0) return -1;
  std::string why;
  if (flock(old, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    why = "is open in another program; close it there, or record to another file";
  else if (!lock_mark(old, F_WRLCK))
    why = "is being recorded by another run; record to another file";
  if (why.empty()) return old;
  ::close(old);
  throw RecordError(file.string() + ": " + why);
}

}  // namespace

FileClaim::FileClaim(const std::filesystem::path& file)
    : name_(file.string()), file_(file), old_(claim_old(file)) {}

FileClaim::~FileClaim() {
  if (old_ >= 0) ::close(old_);
}

void FileClaim::hold() {
  lock_mark(file_.descriptor(), F_RDLCK);
  file_.publish();
  if (old_ >= 0) ::close(std::exchange(old_, -1));
}

void FileClaim::reserve(std::uint64_t length) {
  if (length <= reserved_) return;
  // who goes past this one gets a signal that ends the process
  struct rlimit limit {};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) limit.rlim_cur = RLIM_INFINITY;
  if (length > limit.rlim_cur) throw DiskFull(name_ + ": " + std::system_category().message(EFBIG));
  // more than needed saves calls; what is needed must do on a disk that is nearly full
  constexpr std::uint64_t kAhead = 16 << 20;
  for (const std::uint64_t end :
       {std::min<std::uint64_t>(length + kAhead, limit.rlim_cur), length}) {
    const auto start = static_cast<off_t>(reserved_), more = static_cast<off_t>(end - reserved_);
    if (fallocate(file_.descriptor(), FALLOC_FL_KEEP_SIZE, start, more) == 0) {
      reserved_ = end;
      return;
    }
  }
  if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINTR)
    throw DiskFull(name_ + ": " + std::system_category().message(errno));

  // a file system that cannot reserve (some of the network): look at what is free
  struct statvfs disk {};
  if (fstatvfs(file_.descriptor(), &disk) == 0 && disk.f_frsize > 0 &&
      disk.f_bavail < (length - reserved_) / disk.f_frsize + 1)
    throw DiskFull(name_ + ": " + std::system_category().message(ENOSPC));
  reserved_ = length;
}

void FileClaim::trim() {
  struct stat now {};
  if (fstat(file_.descriptor(), &now) != 0) return;
  reserved_ = static_cast<std::uint64_t>(now.st_size);
  // the same length again: lets go of the blocks behind it. Nothing is lost if it fails.
  [[maybe_unused]] const int failed = ftruncate(file_.descriptor(), now.st_size);
}

}  // namespace abut
