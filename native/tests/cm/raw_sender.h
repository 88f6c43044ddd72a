// Packets of any content with a right ICRC, from any address of this machine, as fast as a socket takes them.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "uroce/wire/bth.h"
#include "uroce/wire/ext_headers.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/ip.h"
#include "uroce/wire/mad.h"
#include "uroce/wire/opcode.h"

namespace uroce::cm::test {

using Bytes = std::vector<uint8_t>;
using Ip = std::array<uint8_t, 4>;

struct RawPacket {
  Ip source;
  Bytes bytes;  // UDP payload
};

inline void append(Bytes* to, std::span<const uint8_t> more) {
  to->insert(to->end(), more.begin(), more.end());
}

// BTH, DETH and a management datagram for queue pair 1.
inline Bytes mad_packet(const wire::MadBytes& mad) {
  wire::Bth bth;
  bth.opcode = wire::service::kUd | wire::opcode::send_only;
  bth.pkey = 0xffff;
  bth.dest_qpn = wire::kGsiQpn;
  Bytes out(wire::Bth::kSize + wire::Deth::kSize);
  bth.emit(out.data());
  wire::Deth{.qkey = wire::kGsiQkey, .src_qpn = wire::kGsiQpn}.emit(out.data() + wire::Bth::kSize);
  append(&out, mad);
  return out;
}

class RawSender {
 public:
  static constexpr std::size_t kBatch = 32;

  // From the RoCE port, as a device would.
  explicit RawSender(const Ip& to) : to_(to) {
    fd_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const int df = IP_PMTUDISC_DO, bytes = 1 << 20, on = 1;
    setsockopt(fd_, IPPROTO_IP, IP_MTU_DISCOVER, &df, sizeof df);  // identification 0, which the ICRC covers
    setsockopt(fd_, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    setsockopt(fd_, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_port = htons(wire::kRocePort);
    ready_ = bind(fd_, reinterpret_cast<sockaddr*>(&any), sizeof any) == 0;
  }
  ~RawSender() { close(fd_); }
  RawSender(const RawSender&) = delete;
  RawSender& operator=(const RawSender&) = delete;

  bool ready() const { return ready_; }

  RawPacket sealed(const Ip& source, Bytes bytes) const {
    while (bytes.size() % 4 != 0) bytes.push_back(0);
    const auto length = static_cast<uint16_t>(8 + bytes.size() + wire::kIcrcSize);
    uint32_t state =
        wire::icrc_begin_ipv4(source.data(), to_.data(), wire::kRocePort, wire::kRocePort, length);
    state = wire::icrc_headers(state, bytes.data(), bytes.size());
    std::array<uint8_t, wire::kIcrcSize> icrc;
    wire::icrc_store(icrc.data(), wire::icrc_end(state));
    append(&bytes, icrc);
    return {source, std::move(bytes)};
  }

  // At most kBatch packets.
  bool send(std::span<const RawPacket* const> packets) {
    std::array<mmsghdr, kBatch> messages{};
    std::array<iovec, kBatch> iov{};
    std::array<Control, kBatch> control{};
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(wire::kRocePort);
    std::memcpy(&to.sin_addr, to_.data(), 4);
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const RawPacket& p = *packets[i];
      iov[i] = {const_cast<uint8_t*>(p.bytes.data()), p.bytes.size()};
      msghdr& m = messages[i].msg_hdr;
      m.msg_name = &to;
      m.msg_namelen = sizeof to;
      m.msg_iov = &iov[i];
      m.msg_iovlen = 1;
      m.msg_control = control[i].bytes;
      m.msg_controllen = sizeof control[i].bytes;
      cmsghdr* c = CMSG_FIRSTHDR(&m);
      c->cmsg_level = IPPROTO_IP;
      c->cmsg_type = IP_PKTINFO;
      c->cmsg_len = CMSG_LEN(sizeof(in_pktinfo));
      in_pktinfo info{};
      std::memcpy(&info.ipi_spec_dst, p.source.data(), 4);
      std::memcpy(CMSG_DATA(c), &info, sizeof info);
    }
    return sendmmsg(fd_, messages.data(), static_cast<unsigned>(packets.size()), 0) >= 0;
  }

 private:
  struct Control {
    alignas(cmsghdr) char bytes[CMSG_SPACE(sizeof(in_pktinfo))];
  };

  Ip to_;
  int fd_ = -1;
  bool ready_ = false;
};

}  // namespace uroce::cm::test
