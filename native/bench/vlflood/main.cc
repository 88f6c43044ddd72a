// vlflood: packets that a device has to turn down, at a fixed rate, for benches. No privilege: it sends from
// the RoCE port of another loopback address, as a device would.
#include <arpa/inet.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "bench/vlflood/packets.h"
#include "uroce/clock.h"
#include "uroce/wire/ip.h"

namespace {

using vlflood::Kind;

constexpr char kHelp[] = R"(Usage: vlflood TO QPN RATE header|mixed [--sink]

Sends RATE packets per second to UDP port 4791 of the IPv4 address TO, until SIGTERM or SIGINT.
header: a BTH for queue pairs that the process of QPN does not have, and a right ICRC
mixed:  these, and wrong ICRCs, P_Keys and PSNs for QPN, and garbage, in turn
--sink: TO is an unused address; vlflood binds it, and the kernel drops the packets there
Prints one JSON object: packets sent and their rate.
)";

constexpr uint32_t kPrepared = 1024;  // packets, sent in turn
constexpr uint32_t kBatch = 32;
constexpr uint64_t kTick = 200'000;  // ns between sends
constexpr double kTicksBehind = 50;

volatile std::sig_atomic_t g_stop = 0;

[[noreturn]] void fail(const char* call) {
  std::fprintf(stderr, "vlflood: %s: %s\n", call, std::strerror(errno));
  std::exit(1);
}

sockaddr_in address(const vlflood::Ip& ip) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(uroce::wire::kRocePort);
  std::memcpy(&out.sin_addr, ip.data(), ip.size());
  return out;
}

int open_socket(const vlflood::Ip& from) {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) fail("socket");
  const int df = IP_PMTUDISC_DO;  // identification 0, which the ICRC covers
  setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &df, sizeof df);
  const sockaddr_in self = address(from);
  if (bind(fd, reinterpret_cast<const sockaddr*>(&self), sizeof self) != 0) fail("bind");
  return fd;
}

// A socket at `to` for which the kernel drops all packets: only the cost of sending remains.
int open_sink(const vlflood::Ip& to) {
  const int fd = open_socket(to);
  sock_filter drop[] = {BPF_STMT(BPF_RET | BPF_K, 0)};
  const sock_fprog program{1, drop};
  if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) != 0) fail("SO_ATTACH_FILTER");
  return fd;
}

std::vector<vlflood::Packet> prepare(const vlflood::Aim& aim, bool mixed) {
  std::vector<vlflood::Packet> out;
  for (uint32_t i = 0; i < kPrepared; ++i)
    out.push_back(make_packet(
        aim, mixed ? static_cast<Kind>(i % static_cast<uint32_t>(Kind::kinds)) : Kind::unknown_qp, i));
  return out;
}

class Flood {
 public:
  Flood(const vlflood::Aim& aim, bool mixed)
      : fd_(open_socket(aim.from)), to_(address(aim.to)), packets_(prepare(aim, mixed)) {
    for (uint32_t i = 0; i < kBatch; ++i) {
      messages_[i].msg_hdr.msg_name = &to_;
      messages_[i].msg_hdr.msg_namelen = sizeof to_;
      messages_[i].msg_hdr.msg_iov = &iov_[i];
      messages_[i].msg_hdr.msg_iovlen = 1;
    }
  }
  ~Flood() { close(fd_); }
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;

  void run(double rate) {
    const uint64_t begin = uroce::monotonic_ns();
    for (uint64_t tick = begin; !g_stop; tick += kTick) {
      const timespec until{static_cast<time_t>(tick / 1'000'000'000u),
                           static_cast<long>(tick % 1'000'000'000u)};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
      const auto due = static_cast<uint64_t>(rate * static_cast<double>(uroce::monotonic_ns() - begin) / 1e9);
      // A flood that was kept from its core makes up for some ticks, not for all.
      const auto most =
          static_cast<uint64_t>(std::ceil(kTicksBehind * rate * static_cast<double>(kTick) / 1e9));
      for (uint64_t left = std::min(due - counted_, most); left != 0 && !g_stop;) left -= send(left);
      counted_ = due;
    }
    const double seconds = static_cast<double>(uroce::monotonic_ns() - begin) / 1e9;
    std::printf("{\"packets\":%llu,\"packetsPerSecond\":%.0f}\n", static_cast<unsigned long long>(sent_),
                static_cast<double>(sent_) / seconds);
  }

 private:
  uint64_t send(uint64_t left) {
    const auto n = static_cast<uint32_t>(std::min<uint64_t>(left, kBatch));
    for (uint32_t i = 0; i < n; ++i) {
      vlflood::Packet& packet = packets_[next_++ % kPrepared];
      iov_[i] = {packet.data(), packet.size()};
    }
    const int sent = sendmmsg(fd_, messages_, n, 0);
    if (sent < 0 && errno != EINTR && errno != ENOBUFS && errno != EAGAIN) fail("sendmmsg");
    if (sent > 0) sent_ += static_cast<uint64_t>(sent);
    return n;
  }

  int fd_;
  sockaddr_in to_;
  std::vector<vlflood::Packet> packets_;
  mmsghdr messages_[kBatch]{};
  iovec iov_[kBatch]{};
  uint32_t next_ = 0;
  uint64_t counted_ = 0;
  uint64_t sent_ = 0;
};

vlflood::Ip parse_ip(const char* text) {
  vlflood::Ip ip;
  in_addr parsed;
  if (inet_pton(AF_INET, text, &parsed) != 1) {
    std::fprintf(stderr, "vlflood: %s is not an IPv4 address\n", text);
    std::exit(2);
  }
  std::memcpy(ip.data(), &parsed, ip.size());
  return ip;
}

double parse_number(const char* text, double most) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != 0 || !(value > 0 && value <= most)) {
    std::fprintf(stderr, "vlflood: %s is not a number from 1 to %.0f\n", text, most);
    std::exit(2);
  }
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
    std::fputs(kHelp, stdout);
    return 0;
  }
  const bool sink = argc == 6 && std::strcmp(argv[5], "--sink") == 0;
  const std::string mix = argc == 5 || sink ? argv[4] : "";
  if (mix != "header" && mix != "mixed") {
    std::fputs(kHelp, stderr);
    return 2;
  }
  for (const int signal : {SIGTERM, SIGINT}) std::signal(signal, [](int) { g_stop = 1; });
  vlflood::Aim aim;
  aim.to = parse_ip(argv[1]);
  aim.from = aim.to;
  aim.from[3] = static_cast<uint8_t>(aim.to[3] == 254 ? 1 : aim.to[3] + 1);
  aim.qpn = static_cast<uint32_t>(parse_number(argv[2], 0xffffff));
  if (sink) open_sink(aim.to);
  Flood(aim, mix == "mixed").run(parse_number(argv[3], 1e7));
  return 0;
}
