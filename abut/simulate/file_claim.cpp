#include "abut/simulate/file_claim.h"

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

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw RecordError(file.string() + ": " + why);
}

}  // namespace

FileClaim::FileClaim(const std::filesystem::path& file) : name_(file.string()) {
  std::error_code ignored;
  const auto folder = file.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    refuse(file, "there is no folder " + folder.string() + "; make it first");
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored))
    refuse(file, "cannot record to it: it is not a regular file");
  descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    refuse(file, "cannot record to it: " + std::system_category().message(errno));
  std::string why;
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    why = "is open in another program; close it there, or record to another file";
  else if (!lock_mark(descriptor_, F_WRLCK))
    why = "is being recorded by another run; record to another file";
  flock(descriptor_, LOCK_UN);
  lock_mark(descriptor_, F_UNLCK);
  if (why.empty()) return;
  ::close(descriptor_);
  refuse(file, why);
}

FileClaim::~FileClaim() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileClaim::hold() { lock_mark(descriptor_, F_RDLCK); }

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
    if (fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, start, more) == 0) {
      reserved_ = end;
      return;
    }
  }
  if (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINTR)
    throw DiskFull(name_ + ": " + std::system_category().message(errno));

  // a file system that cannot reserve (some of the network): look at what is free
  struct statvfs disk {};
  if (fstatvfs(descriptor_, &disk) == 0 && disk.f_frsize > 0 &&
      disk.f_bavail < (length - reserved_) / disk.f_frsize + 1)
    throw DiskFull(name_ + ": " + std::system_category().message(ENOSPC));
  reserved_ = length;
}

void FileClaim::trim() {
  struct stat now {};
  if (fstat(descriptor_, &now) != 0) return;
  reserved_ = static_cast<std::uint64_t>(now.st_size);
  // the same length again: lets go of the blocks behind it. Nothing is lost if it fails.
  [[maybe_unused]] const int failed = ftruncate(descriptor_, now.st_size);
}

}  // namespace abut
