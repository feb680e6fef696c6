#include "abut/view/page_file.h"

#include <system_error>

namespace abut::view {

namespace fs = std::filesystem;

PageFile::PageFile(fs::path file) : file_(std::move(file)), part_(file_) {
  part_ += ".part";
  std::error_code ignored;
  if (file_.empty() || !file_.has_filename() || fs::is_directory(file_, ignored))
    throw PageError(file_.string() +
                    ": is a folder; write the name of a file, such as report.html");
  // the new name would take the place of a device
  if (fs::exists(file_, ignored) && !fs::is_regular_file(file_, ignored))
    throw PageError(file_.string() + ": is not a regular file");
  if (const fs::path folder = file_.parent_path();
      !folder.empty() && !fs::is_directory(folder, ignored))
    throw PageError(file_.string() + ": there is no folder " + folder.string());
  out_.open(part_, std::ios::binary);
  if (!out_)
    throw PageError(file_.string() + ": cannot be written; check the rights on its folder");
}

PageFile::~PageFile() {
  out_.close();
  std::error_code ignored;
  fs::remove(part_, ignored);
}

void PageFile::write(std::string_view text) {
  out_.write(text.data(), static_cast<std::streamsize>(text.size()));
  out_.close();
  std::error_code failed;
  if (out_) fs::rename(part_, file_, failed);
  if (!out_ || failed)
    throw PageError(file_.string() + ": cannot be written; check that its disk has room");
}

}  // namespace abut::view
