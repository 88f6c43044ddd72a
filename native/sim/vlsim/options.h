// The command line of vlsim.
#pragma once

#include <expected>
#include <string>

#include "sim/scenario/pcap.h"

namespace vlsim {

extern const char kUsage[];

struct Options {
  const char* scenario = nullptr;  // file; null: standard input
  bool flows = false, progress = false, time = false, help = false, schema = false;
  const char* pcap = nullptr;  // file
  PcapSettings capture;
};

// The options, or one sentence on what is wrong with them.
std::expected<Options, std::string> read_options(int argc, char** argv);

}  // namespace vlsim
