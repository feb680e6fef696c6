// OutputFile: the one way in which abut writes files.
//
// The bytes go to a new file with an unguessable name in the folder of the target, so that a link
// planted in advance is never followed. publish() renames that file to the target. A reader
// therefore sees the complete old file or the complete new file. An existing file keeps its mode
// and, if permitted, its owner. A target that is a symbolic link, a folder, a device, a pipe or a
// socket is refused; folders of its path may be links.
//
//   abut::write_file("summary.json", text);            // whole, or not at all
//
//   abut::OutputFile table("measures.csv");            // row by row
//   table.write(header);
//   table.publish();                                   // others can read it now
//   table.write(row);
//   table.close();
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "abut/math/file_error.h"

namespace abut {

class OutputFile {
 public:
  // Throws FileError, with the reason, if a file of that name cannot be written.
  explicit OutputFile(std::filesystem::path file);
  ~OutputFile();  // an unpublished file is removed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends. Throws FileError if not all bytes can be written; then the file is unchanged.
  void write(std::string_view bytes);
  // Writes all data to the disk and gives the file its name. write() may continue.
  void publish();
  // Publishes, writes all data to the disk and closes the file. Throws FileError if bytes may be
  // lost, or if the name no longer belongs to this file.
  void close();

  const std::filesystem::path& path() const { return file_; }
  // A name for libraries that open files by name; it refers to this file even if its name changes.
  std::string name_to_open() const;
  int descriptor() const { return descriptor_; }  // open for reading and writing

 private:
  void check_target();
  void make_temporary();
  void sync();
  bool has_its_name() const;
  [[noreturn]] void fail() const;  // throws the message for errno

  std::filesystem::path file_;
  std::string last_, temporary_;  // names in the folder; temporary_ is empty once published
  int folder_ = -1, descriptor_ = -1;
  std::int64_t length_ = 0;
  bool replaces_ = false;  // a file of that name exists
  unsigned mode_ = 0, owner_ = 0, group_ = 0;
};

// Throws the FileError that writing the file would throw, as far as it is known beforehand. For
// work whose result is written at its end.
void check_output(const std::filesystem::path& file);

// Afterwards the file has exactly these bytes; or it is unchanged and FileError says why.
void write_file(const std::filesystem::path& file, std::string_view bytes);

// Creates the folder and its parents if necessary. Throws FileError that names the flag.
void make_output_folder(const std::filesystem::path& folder, std::string_view flag);

}  // namespace abut
