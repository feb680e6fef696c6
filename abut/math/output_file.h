// OutputFile: the one way in which abut writes files.
//
// The bytes go to a file of a name that nobody can guess, made anew in the folder of the target, so
// that a link planted in advance is never followed. publish() gives that file its name: a reader
// sees the old file or the new one, never half of either. An existing file keeps its mode and,
// where that is allowed, its owner. A target that is a symbolic link, a folder, a device, a pipe or
// a socket is refused; folders on the way to it may be links.
//
//   abut::write_file("summary.json", text);            // whole, or not at all
//
//   abut::OutputFile table("measures.csv");            // row by row
//   table.write(header);
//   table.publish();                                   // others can read along
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
  ~OutputFile();  // what was not published leaves no trace
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends. Throws FileError if not all of it can be written; the file is then as before.
  void write(std::string_view bytes);
  // What was written goes to the disk, and the file takes its name. write() goes on as before.
  void publish();
  // Publishes, brings all to the disk and ends. Throws FileError if bytes may be lost, or if the
  // name is no longer this file's.
  void close();

  const std::filesystem::path& path() const { return file_; }
  // For libraries that open by name: leads to this file even if somebody changes names meanwhile.
  std::string name_to_open() const;
  int descriptor() const { return descriptor_; }  // open for reading and writing

 private:
  void check_target();
  void make_temporary();
  void sync();
  bool has_its_name() const;
  [[noreturn]] void fail() const;  // with the words for errno

  std::filesystem::path file_;
  std::string last_, temporary_;  // names in the folder; temporary_ is empty once published
  int folder_ = -1, descriptor_ = -1;
  std::int64_t length_ = 0;
  bool replaces_ = false;  // there is a file of that name
  unsigned mode_ = 0, owner_ = 0, group_ = 0;
};

// Throws the FileError that writing the file would end with, as far as it is known beforehand. For
// work whose result is written at its end.
void check_output(const std::filesystem::path& file);

// The file has exactly these bytes afterwards, or is as it was and FileError says why.
void write_file(const std::filesystem::path& file, std::string_view bytes);

// Makes the folder, and those above it, if it is not there. Throws FileError, and names the flag.
void make_output_folder(const std::filesystem::path& folder, std::string_view flag);

}  // namespace abut
