#include "abut/view/page/page_file.h"

#include <utility>

#include "abut/math/output_file.h"

namespace abut::view {

PageFile::PageFile(std::filesystem::path file) : file_(std::move(file)) { check_output(file_); }

void PageFile::write(std::string_view text) const { write_file(file_, text); }

}  // namespace abut::view
