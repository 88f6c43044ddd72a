#include "uroce/net/udp/sender_filter.h"

#include <linux/filter.h>
#include <sys/socket.h>

#include <cerrno>
#include <vector>

#include "uroce/wire/bytes.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/mad.h"

namespace uroce::net {
namespace {

// The program sees the packet from its UDP header on, and the IP header by an offset of its own.
constexpr uint32_t kBth = wire::Udp::kSize;
constexpr uint32_t kIp = static_cast<uint32_t>(SKF_NET_OFF);
constexpr uint32_t kSourceV4 = kIp + 12, kSourceV6 = kIp + 8;

// Jumps reach 255 instructions; with kMaxKnownSenders IPv6 addresses the end is nearer.
class Program {
 public:
  void load(uint16_t size, uint32_t at) { add(BPF_LD | size | BPF_ABS, at); }
  void keep(uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }
  // Goes on where A is `value`, else leaves out the next `skipped` instructions.
  void expect(uint32_t value, std::size_t skipped) {
    code_.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, static_cast<uint8_t>(skipped), value});
  }
  void refuse_unless(uint32_t value) {
    code_.push_back({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value});
    finish(false);
  }
  void finish(bool accept) { add(BPF_RET | BPF_K, accept ? UINT32_MAX : 0); }
  int attach(int fd) {
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0 ? 0 : errno;
  }

 private:
  void add(uint16_t code, uint32_t k) { code_.push_back({code, 0, 0, k}); }
  std::vector<sock_filter> code_;
};

// Ends the program for what comes from this address.
void accept_from(Program& program, const Gid& address, bool ipv4) {
  const std::size_t words = ipv4 ? 1 : 4;
  const uint8_t* bytes = address.data() + (ipv4 ? 12 : 0);
  for (std::size_t i = 0; i < words; ++i) {
    program.load(BPF_W, (ipv4 ? kSourceV4 : kSourceV6) + static_cast<uint32_t>(4 * i));
    program.expect(wire::load32(bytes + 4 * i), 2 * (words - 1 - i) + 1);
  }
  program.finish(true);
}

}  // namespace

int attach_sender_filter(int fd, const Gid& local, bool loopback, std::span<const Gid> known) {
  if (known.size() > kMaxKnownSenders) return E2BIG;
  const bool ipv4 = is_ipv4(local);
  Program program;
  if (loopback) {
    program.load(BPF_H, 0);
    program.refuse_unless(wire::kRocePort);
  }
  // Processes that join the address send from it to find their places.
  accept_from(program, local, ipv4);
  for (const Gid& address : known) {
    if (is_ipv4(address) == ipv4) accept_from(program, address, ipv4);
  }
  program.load(BPF_W, kBth + 4);
  program.keep(kQpnMask);
  program.expect(wire::kGsiQpn, 1);
  program.finish(true);
  program.finish(false);
  return program.attach(fd);
}

void detach_filter(int fd) {
  const int unused = 0;
  setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &unused, sizeof unused);
}

}  // namespace uroce::net
