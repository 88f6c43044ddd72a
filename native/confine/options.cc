#include "confine/options.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "confine/failure.h"

namespace vlconfine {

const char kUsage[] =
    "usage: vlconfine check                  what this kernel confines, as JSON\n"
    "       vlconfine run OPTIONS -- PROGRAM [ARGUMENTS...]\n"
    "\n"
    "run starts the program with access to nothing but its folder, what it needs of the system, and the\n"
    "embedded device. It stops the program when it tries anything else or exceeds a limit.\n"
    "  --folder PATH     may be read and written\n"
    "  --read PATH       may be read; may be repeated\n"
    "  --keys PATH       where the device keeps its key\n"
    "  --feed PATH       socket that the device reports to\n"
    "  --verdict PATH    file for one line of JSON: what stopped the program, and what was not confined\n"
    "  --cpu SECONDS     of CPU time. Default: 10\n"
    "  --time SECONDS    by the clock. Default: 20\n"
    "  --memory MIB      resident. Default: 512\n"
    "  --files MIB       in the folder. Default: 32\n"
    "  --compiler        the program may start others, has no sockets, and is refused other files, not "
    "stopped\n"
    "Exit code and signal are those of the program; 125: it was not started.\n";

namespace {

unsigned number(std::string_view word, std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0 || value > 1'000'000)
    throw Failure(std::string(word) + " needs a number, not “" + std::string(text) + "”");
  return value;
}

}  // namespace

Options parse(std::span<char*> words) {
  Options options;
  size_t at = 0;
  for (; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (word == "--") break;
    if (word == "--compiler") {
      options.compiler = true;
      continue;
    }
    if (at + 1 == words.size()) throw Failure("“" + std::string(word) + "” is not understood");
    const std::string_view value = words[++at];
    if (word == "--folder")
      options.folder = value;
    else if (word == "--read")
      options.read.emplace_back(value);
    else if (word == "--keys")
      options.keys = value;
    else if (word == "--feed")
      options.feed = value;
    else if (word == "--verdict")
      options.verdict = value;
    else if (word == "--cpu")
      options.cpu_seconds = number(word, value);
    else if (word == "--time")
      options.seconds = number(word, value);
    else if (word == "--memory")
      options.memory_bytes = uint64_t{number(word, value)} << 20;
    else if (word == "--files")
      options.files_bytes = uint64_t{number(word, value)} << 20;
    else
      throw Failure("“" + std::string(word) + "” is not understood");
  }
  if (options.folder.empty()) throw Failure("--folder is missing");
  // The program begins in it, where a relative path would mean another folder.
  char* folder = realpath(options.folder.c_str(), nullptr);
  if (folder == nullptr) fail(options.folder);
  options.folder = folder;
  free(folder);
  if (at + 1 >= words.size()) throw Failure("the program is missing");
  options.command.assign(words.begin() + static_cast<ptrdiff_t>(at) + 1, words.end());
  options.command.push_back(nullptr);
  return options;
}

}  // namespace vlconfine
