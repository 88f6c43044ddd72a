// vlcapture: the packets of RoCEv2 on one interface, for the agent. A separate program, so that it alone
// needs CAP_NET_RAW:
//
//   sudo setcap cap_net_raw+ep native/build/Release/vlcapture
//
// The program writes records (record.h) to standard output: a mark when the capture has begun, then packets
// as they arrive, and a mark for every line on standard input, after all packets that were on the wire
// before it. It ends with the input.
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string_view>
#include <vector>

#include "capture/capture.h"
#include "uroce/clock.h"

namespace vlcapture {
namespace {

constexpr char kUsage[] =
    "usage: vlcapture check                        may packets be captured? Exit code 3: no, CAP_NET_RAW is "
    "missing\n"
    "       vlcapture run INTERFACE [--snap BYTES] [--buffer BYTES]\n"
    "\n"
    "run writes the packets to UDP port 4791, both directions, to standard output until standard input "
    "ends.\n"
    "  --snap    bytes kept of a packet, from its IP header on. Default: all\n"
    "  --buffer  bytes of the ring that holds packets until they are written. Default: 33554432, at most "
    "268435456\n";

constexpr size_t kWriteAt = 256 * 1024;

class Output {
 public:
  void packet(uint64_t time_ns, std::span<const uint8_t> bytes, size_t original) {
    put({time_ns,
         seq_++,
         static_cast<uint32_t>(original),
         static_cast<uint32_t>(bytes.size()),
         Kind::kPacket,
         {}},
        bytes);
    if (pending_.size() >= kWriteAt) flush();
  }

  void mark(const Counts& counts) {
    put({uroce::monotonic_ns(), seq_, sizeof counts, sizeof counts, Kind::kMark, {}},
        {reinterpret_cast<const uint8_t*>(&counts), sizeof counts});
    flush();
  }

  // A slow reader makes this wait; packets that the ring cannot hold meanwhile are counted as dropped.
  void flush() {
    size_t done = 0;
    while (done < pending_.size()) {
      const ssize_t wrote = write(STDOUT_FILENO, pending_.data() + done, pending_.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote < 0) throw Error{EIO, std::string("write: ") + std::strerror(errno)};
      done += static_cast<size_t>(wrote);
    }
    pending_.clear();
  }

 private:
  void put(const Header& header, std::span<const uint8_t> bytes) {
    const auto* head = reinterpret_cast<const uint8_t*>(&header);
    pending_.insert(pending_.end(), head, head + sizeof header);
    pending_.insert(pending_.end(), bytes.begin(), bytes.end());
    pending_.resize((pending_.size() + 7) & ~size_t{7});
  }

  std::vector<uint8_t> pending_;
  uint32_t seq_ = 0;
};

// Number of waiting lines; -1 at the end of the input.
int read_lines() {
  char text[256];
  const ssize_t length = read(STDIN_FILENO, text, sizeof text);
  if (length < 0) return errno == EINTR ? 0 : -1;
  if (length == 0) return -1;
  return static_cast<int>(std::count(text, text + length, '\n'));
}

void run(const Options& options) {
  Capture capture(options);
  Output output;
  const auto drain = [&] {
    capture.drain([&](uint64_t time_ns, std::span<const uint8_t> bytes, size_t original) {
      output.packet(time_ns, bytes, original);
    });
  };
  output.mark(capture.counts());
  for (;;) {
    pollfd waits[] = {{capture.fd(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    if (poll(waits, 2, -1) < 0 && errno != EINTR)
      throw Error{EIO, std::string("poll: ") + std::strerror(errno)};
    const int lines = waits[1].revents != 0 ? read_lines() : 0;
    drain();
    if (lines == 0) output.flush();
    for (int line = 0; line < lines || (lines < 0 && line == 0); ++line) output.mark(capture.counts());
    if (lines < 0) return;
  }
}

int number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0)
    throw Error{EINVAL, "“" + std::string(text) + "” is not a number of bytes"};
  return value;
}

// Kernel memory that a user without any other right than that of this program may take.
constexpr int kLargestBuffer = 256 << 20;

Options parse(std::span<char*> words) {
  Options options;
  for (size_t at = 0; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (word == "--snap" || word == "--buffer") {
      if (at + 1 == words.size()) throw Error{EINVAL, std::string(word) + " needs a number"};
      (word == "--snap" ? options.snap : options.buffer) = number(words[++at]);
    } else if (options.interface.empty() && !word.starts_with("-")) {
      options.interface = word;
    } else {
      throw Error{EINVAL, "“" + std::string(word) + "” is not understood"};
    }
  }
  if (options.buffer > kLargestBuffer)
    throw Error{EINVAL, "--buffer is at most " + std::to_string(kLargestBuffer) + " bytes, not " +
                            std::to_string(options.buffer)};
  if (options.interface.empty()) throw Error{EINVAL, "an interface is missing"};
  return options;
}

int start(std::span<char*> words) {
  const std::string_view command = words.empty() ? "" : words[0];
  if (command == "--help") {
    std::fputs(kUsage, stdout);
  } else if (command == "check") {
    check_permission();
  } else if (command == "run") {
    run(parse(words.subspan(1)));
  } else {
    throw Error{EINVAL, std::string("the command is missing\n") + kUsage};
  }
  return 0;
}

int exit_code(int error) {
  switch (error) {
    case EINVAL:
      return 2;
    case EPERM:
      return 3;
    case ENODEV:
      return 4;
    default:
      return 5;
  }
}

}  // namespace
}  // namespace vlcapture

int main(int argc, char** argv) {
  try {
    return vlcapture::start({argv + 1, static_cast<size_t>(argc - 1)});
  } catch (const uroce::Error& error) {
    std::fprintf(stderr, "vlcapture: %s\n", error.text.c_str());
    return vlcapture::exit_code(error.code);
  }
}
