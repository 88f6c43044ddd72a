#include "uroce/net/udp/steering.h"

#include <linux/filter.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "uroce/wire/mad.h"

namespace uroce::net {
namespace {

// Probe: a BTH with an unassigned opcode, our magic as payload, no valid ICRC.
constexpr uint8_t kProbeOpcode = 0xe0;

// Time that a probe may take (ms). Loopback delivers within the send, but on a loaded machine the kernel
// may leave that to a thread, which then waits for a core like any other.
constexpr int kProbeTimeoutMs = 100;

struct ProbePacket {
  uint8_t opcode = kProbeOpcode;
  uint8_t flags = 0;
  uint8_t pkey[2] = {0xff, 0xff};
  uint8_t reserved = 0;
  uint8_t qpn[3] = {};
  uint8_t psn[4] = {};
  uint8_t magic[8] = {'u', 'r', 'o', 'c', 'e', '?', 0, 1};
  uint8_t nonce[16] = {};
  uint8_t slot[4] = {};
};

class Prober {
 public:
  explicit Prober(int fd) : fd_(fd) {
    length_ = sizeof self_;
    ready_ = getsockname(fd, reinterpret_cast<sockaddr*>(&self_), &length_) == 0 &&
             getrandom(packet_.nonce, sizeof packet_.nonce, 0) == static_cast<ssize_t>(sizeof packet_.nonce);
  }
  bool send(uint32_t slot) {
    const uint32_t qpn = slot << (24 - kSlotBits);
    packet_.qpn[0] = static_cast<uint8_t>(qpn >> 16);
    packet_.qpn[1] = static_cast<uint8_t>(qpn >> 8);
    std::memcpy(packet_.slot, &slot, sizeof slot);
    return ready_ && sendto(fd_, &packet_, sizeof packet_, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&self_),
                            length_) == static_cast<ssize_t>(sizeof packet_);
  }
  // The slot of the first probe that arrives within the timeout; negative if none does.
  int arrived(int timeout_ms) {
    // Bounded: other traffic may be arriving on the socket.
    for (int i = 0; i < 4096; ++i) {
      ProbePacket got;
      const ssize_t n = recv(fd_, &got, sizeof got, MSG_DONTWAIT);
      if (n == static_cast<ssize_t>(sizeof got) &&
          std::memcmp(got.nonce, packet_.nonce, sizeof got.nonce) == 0) {
        uint32_t slot;
        std::memcpy(&slot, got.slot, sizeof slot);
        return static_cast<int>(slot);
      }
      if (n < 0 && errno == EAGAIN) {
        pollfd p{fd_, POLLIN, 0};
        if (timeout_ms == 0 || poll(&p, 1, timeout_ms) <= 0) return -1;
      }
    }
    return -1;
  }

 private:
  int fd_;
  sockaddr_storage self_{};
  socklen_t length_ = 0;
  ProbePacket packet_;
  bool ready_ = false;
};

}  // namespace

int attach_steering(int fd) {
  // Offsets from BTH: the MAD header is at 20, the message at 44. A message begins with the sender's
  // communication ID, then the receiver's (SIDR_REP: only the receiver's).
  constexpr uint32_t kAttribute = 20 + 16, kFirstId = 44, kSecondId = 48;
  sock_filter code[] = {
      {BPF_LD | BPF_H | BPF_ABS, 0, 0, 5},  // upper 16 bits of the destination QPN
      {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, 0},
      {BPF_ALU | BPF_RSH | BPF_K, 0, 0, 16 - kSlotBits},
      {BPF_RET | BPF_A, 0, 0, 0},
      {BPF_LD | BPF_B | BPF_ABS, 0, 0, 7},  // its lowest 8 bits
      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, wire::kGsiQpn},
      {BPF_RET | BPF_K, 0, 0, kManagementSlot},
      {BPF_LD | BPF_H | BPF_ABS, 0, 0, kAttribute},
      {BPF_JMP | BPF_JEQ | BPF_K, 6, 0, wire::cm_attribute::req},
      {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, wire::cm_attribute::sidr_req},
      {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, wire::cm_attribute::sidr_rep},
      {BPF_LD | BPF_H | BPF_ABS, 0, 0, kSecondId},
      {BPF_JMP | BPF_JA, 0, 0, 3},
      {BPF_LD | BPF_H | BPF_ABS, 0, 0, kFirstId},
      {BPF_JMP | BPF_JA, 0, 0, 1},
      {BPF_RET | BPF_K, 0, 0, kManagementSlot},
      {BPF_ALU | BPF_RSH | BPF_K, 0, 0, 16 - kSlotBits},
      {BPF_RET | BPF_A, 0, 0, 0},
  };
  const sock_fprog program{sizeof code / sizeof code[0], code};
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program, sizeof program) == 0 ? 0 : errno;
}

bool probe_slot(int fd, uint32_t slot) {
  Prober prober(fd);
  return prober.send(slot) && prober.arrived(kProbeTimeoutMs) == static_cast<int>(slot);
}

int find_slot(int fd, uint32_t limit) {
  Prober prober(fd);
  for (uint32_t slot = 0; slot < limit && slot < kMaxSlots; ++slot) {
    if (!prober.send(slot)) continue;
    // Loopback delivers within the send, so this usually finds the probe.
    const int found = prober.arrived(0);
    if (found >= 0) return found;
  }
  return prober.arrived(kProbeTimeoutMs);
}

bool is_probe(const uint8_t* packet, uint32_t length) {
  const ProbePacket pattern;
  return length == sizeof pattern && packet[0] == kProbeOpcode &&
         std::memcmp(packet + offsetof(ProbePacket, magic), pattern.magic, sizeof pattern.magic) == 0;
}

}  // namespace uroce::net
