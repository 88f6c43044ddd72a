// The command line of vlconfine.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vlconfine {

struct Options {
  std::string folder;             // the only one that may be written
  std::vector<std::string> read;  // besides what every program needs of the system
  std::string keys;               // folder for the file that the device keeps its key in
  std::string feed;               // the one socket that may be connected to by its path
  std::string verdict;            // file that says what stopped the program
  unsigned cpu_seconds = 10;
  unsigned seconds = 20;
  uint64_t memory_bytes = uint64_t{512} << 20;
  uint64_t files_bytes = uint64_t{32} << 20;
  bool compiler = false;       // processes may be started; no sockets; files elsewhere are refused, not fatal
  std::vector<char*> command;  // ends with a null pointer
};

extern const char kUsage[];

// Throws Failure.
Options parse(std::span<char*> words);

}  // namespace vlconfine
