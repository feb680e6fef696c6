#include "abut/math/output_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace abut {

namespace fs = std::filesystem;

namespace {

// Does not contain the target's name, which may already have the maximum length.
std::string unguessable_name() {
  std::array<unsigned char, 16> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    throw FileError("the system gives no random bytes to name a temporary file with");
  std::string name = ".abut-";
  for (const unsigned char byte : random) {
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", byte);
    name += hex.data();
  }
  return name + ".part";
}

std::string kind_of(mode_t mode) {
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a pipe";
  return "a socket";
}

}  // namespace

void OutputFile::fail() const {
  throw FileError(file_.string() + ": cannot be written: " + std::system_category().message(errno));
}

OutputFile::OutputFile(fs::path file) : file_(std::move(file)), last_(file_.filename().string()) {
  try {
    check_target();
    make_temporary();
  } catch (...) {
    if (folder_ >= 0) ::close(folder_);
    throw;
  }
}

void OutputFile::check_target() {
  const std::string name = file_.string();
  if (last_.empty() || last_ == "." || last_ == "..")
    throw FileError(name + ": is a folder; write the name of a file");
  const fs::path folder = file_.has_parent_path() ? file_.parent_path() : fs::path(".");
  folder_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // a folder with permission to write but not to list
  if (folder_ < 0 && errno == EACCES)
    folder_ = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0 && (errno == ENOENT || errno == ENOTDIR))
    throw FileError(name + ": there is no folder " + folder.string() + "; make it first");
  if (folder_ < 0) fail();
  struct stat old {};
  if (fstatat(folder_, last_.c_str(), &old, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno != ENOENT) fail();
    return;
  }
  if (S_ISDIR(old.st_mode)) throw FileError(name + ": is a folder; write the name of a file");
  if (S_ISLNK(old.st_mode)) {
    std::error_code ignored;
    throw FileError(name + ": is a symbolic link to " + fs::read_symlink(file_, ignored).string() +
                    ", and links are not written through; write the name of the file itself");
  }
  if (!S_ISREG(old.st_mode))
    throw FileError(name + ": is " + kind_of(old.st_mode) +
                    ", not a regular file; write the name of a file");
  // a write-protected file is not replaced
  if (faccessat(folder_, last_.c_str(), W_OK, AT_EACCESS) != 0) fail();
  replaces_ = true;
  mode_ = old.st_mode & 0777u, owner_ = old.st_uid, group_ = old.st_gid;
}

void OutputFile::make_temporary() {
  for (int tries = 0; descriptor_ < 0; ++tries) {
    temporary_ = unguessable_name();
    descriptor_ =
        openat(folder_, temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               replaces_ ? 0600 : 0666);
    if (descriptor_ < 0 && (errno != EEXIST || tries == 16)) fail();
  }
  if (!replaces_) return;
  // The owner first, because a change of owner may remove permissions. Only root may change the
  // owner, and only root needs to.
  if (owner_ != geteuid() || group_ != getegid()) [[maybe_unused]]
    const int refused = fchown(descriptor_, owner_, group_);
  if (fchmod(descriptor_, mode_) != 0) {
    unlinkat(folder_, temporary_.c_str(), 0);
    ::close(std::exchange(descriptor_, -1));
    fail();
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) unlinkat(folder_, temporary_.c_str(), 0);
  ::close(folder_);
}

void OutputFile::write(std::string_view bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int why = n == 0 ? ENOSPC : errno;
      // an incomplete row is worse than none; on a full disk the truncation also frees space
      [[maybe_unused]] const int kept = ftruncate(descriptor_, length_);
      [[maybe_unused]] const off_t place = lseek(descriptor_, length_, SEEK_SET);
      errno = why;
      fail();
    }
    done += static_cast<std::size_t>(n);
  }
  length_ += static_cast<std::int64_t>(bytes.size());
}

void OutputFile::sync() {
  if (fsync(descriptor_) != 0) fail();
}

void OutputFile::publish() {
  if (temporary_.empty()) return;
  sync();
  if (renameat(folder_, temporary_.c_str(), folder_, last_.c_str()) != 0) fail();
  temporary_.clear();
  // some file systems have no such call for folders, and a folder that may not be listed has none
  if (fsync(folder_) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT)) fail();
}

bool OutputFile::has_its_name() const {
  struct stat mine {
  }, there{};
  return fstat(descriptor_, &mine) == 0 &&
         fstatat(folder_, last_.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

void OutputFile::close() {
  if (descriptor_ < 0) return;
  if (temporary_.empty())
    sync();
  else
    publish();
  const bool kept = has_its_name();
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail();
  if (!kept)
    throw FileError(file_.string() + ": was removed or replaced while it was being written");
}

std::string OutputFile::name_to_open() const {
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor_);
  if (access(link.c_str(), R_OK) == 0) return link;
  return (temporary_.empty() ? file_ : file_.parent_path() / temporary_).string();
}

void check_output(const fs::path& file) { const OutputFile probe(file); }

void write_file(const fs::path& file, std::string_view bytes) {
  OutputFile out(file);
  out.write(bytes);
  out.close();
}

void make_output_folder(const fs::path& folder, std::string_view flag) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!fs::is_directory(folder, failed))
    throw FileError(std::string(flag) + " " + folder.string() +
                    ": is no folder, and none can be made there");
}

}  // namespace abut
