#include "uroce/net/udp/udp_link.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "uroce/net/udp/sender_filter.h"
#include "uroce/net/udp/udp_link.h"
#include "uroce/net/udp/udp_socket.h"
#include "uroce/wire/bth.h"

namespace uroce::net {
namespace {

constexpr uint32_t kBuffer = 65536;
constexpr uint32_t kMaxBatch = 32;
constexpr uint32_t kLargeDatagram = 8192;  // from this size on one at a time
constexpr uint32_t kSmallDatagram = 1024;  // up to this size a datagram may be part of a ping-pong
constexpr uint32_t kLoneArrivals = 16;     // this many in a row begin plain receives
constexpr uint32_t kBackToBack = 4;        // receives in a row that find something: a stream
constexpr uint32_t kLeastCharge = 2048;    // bytes of the budget that a datagram costs at least
constexpr uint32_t kIdleSocketEvery = 8;   // empty polls between polls of the sockets that had nothing lately
constexpr uint32_t kFlowLabelMask = 0xfffff;

}  // namespace

struct UdpLink::ReceiveBuffer {
  sockaddr_storage from;
  iovec iov;
  alignas(cmsghdr) char control[kControl];
};

UdpLink::UdpLink(std::vector<Socket> sockets, const UdpFeatures& features)
    : sockets_(std::move(sockets)),
      features_(features),
      // Untouched pages cost nothing: small datagrams use the front of each buffer only.
      buffers_(new uint8_t[static_cast<std::size_t>(kBuffer) * kMaxBatch]),
      receive_buffers_(new ReceiveBuffer[kMaxBatch]),
      headers_(new mmsghdr[kMaxBatch]) {
  for (Socket& s : sockets_) {
    segmenting_.push_back({.fd = s.fd});
    s.overruns_before = overrun_datagrams(s.fd);
  }
  for (uint32_t i = 0; i < kMaxBatch; ++i) {
    receive_buffers_[i].iov = {&buffers_[static_cast<std::size_t>(i) * kBuffer], kBuffer};
    headers_[i] = {};
    headers_[i].msg_hdr.msg_name = &receive_buffers_[i].from;
    headers_[i].msg_hdr.msg_iov = &receive_buffers_[i].iov;
    headers_[i].msg_hdr.msg_iovlen = 1;
    headers_[i].msg_hdr.msg_control = receive_buffers_[i].control;
  }
}

UdpLink::~UdpLink() = default;

uint64_t UdpLink::overruns() const {
  uint64_t sum = 0;
  for (const Socket& s : sockets_) {
    sum += (filtering_ ? s.drops_at_filter : overrun_datagrams(s.fd)) - s.overruns_before;
  }
  return sum;
}

void UdpLink::filter_senders(std::span<const Gid> known) {
  if (filtering_) return;
  filtering_ = true;
  for (Socket& s : sockets_) {
    s.drops_at_filter = overrun_datagrams(s.fd);
    attach_sender_filter(s.fd, s.gid, is_loopback(s.gid), known);
  }
}

void UdpLink::remove_filter() {
  if (!filtering_) return;
  filtered_before_ = filtered_datagrams();
  for (Socket& s : sockets_) {
    detach_filter(s.fd);
    s.overruns_before += overrun_datagrams(s.fd) - s.drops_at_filter;
  }
  filtering_ = false;
}

uint64_t UdpLink::filtered_datagrams() const {
  uint64_t sum = filtered_before_;
  if (!filtering_) return sum;
  for (const Socket& s : sockets_) sum += overrun_datagrams(s.fd) - s.drops_at_filter;
  return sum;
}

void UdpLink::add_socket(const Socket& socket) {
  sockets_.push_back(socket);
  if (show_headers_) show_ip_headers(socket.fd, is_ipv4(socket.gid));
}

void UdpLink::show_headers() {
  if (show_headers_) return;
  show_headers_ = true;
  plain_receive_ = false;
  for (const Socket& s : sockets_) show_ip_headers(s.fd, is_ipv4(s.gid));
}

void UdpLink::remove_socket(int fd) {
  std::erase_if(sockets_, [fd](const Socket& s) { return s.fd == fd; });
  active_socket_ = 0;
  plain_receive_ = false;
}

uint32_t UdpLink::receive(DatagramHandler& handler, uint32_t max) {
  uint32_t n = plain_receive_ ? receive_plain(sockets_[active_socket_], handler)
                              : receive_from(sockets_[active_socket_], handler, max);
  hits_ = n > 0 ? hits_ + 1 : 0;
  if (sockets_.size() > 1 && (n == 0 ? ++empty_polls_ : 0) >= kIdleSocketEvery) {
    empty_polls_ = 0;
    for (std::size_t i = 0; i < sockets_.size() && n == 0; ++i) {
      if (i == active_socket_) continue;
      n = receive_from(sockets_[i], handler, max);
      if (n > 0) {
        active_socket_ = i;
        plain_receive_ = false;
      }
    }
  }
  return n;
}

// before: start of the system call, if timed.
void UdpLink::note_receive(uint64_t before, uint32_t datagrams) {
  received_at_ = clock_ != nullptr ? clock_->now() : 0;
  if (timed_) counters_.kernel_ns += (received_at_ != 0 ? received_at_ : now_ns()) - before;
  ++counters_.receives;
  counters_.datagrams_in += datagrams;
}

// Small datagrams that come one by one, with empty polls in between, start plain receives. Anything else ends
// them.
void UdpLink::note_arrival(const Socket& socket, uint32_t datagrams, uint32_t length) {
  const bool lone = datagrams == 1 && length <= kSmallDatagram && hits_ < kBackToBack;
  lone_arrivals_ = lone ? lone_arrivals_ + 1 : 0;
  plain_receive_ = lone_arrivals_ >= kLoneArrivals && features_.gro && !show_headers_ && !marks_ &&
                   is_loopback(socket.gid);
}

uint32_t UdpLink::receive_plain(const Socket& socket, DatagramHandler& handler) {
  ReceiveBuffer& buffer = receive_buffers_[0];
  socklen_t from_length = sizeof buffer.from;
  const uint64_t before = timed_ ? now_ns() : 0;
  const ssize_t n = raw_syscall(SYS_recvfrom, socket.fd, buffer.iov.iov_base, buffer.iov.iov_len,
                                MSG_DONTWAIT, &buffer.from, &from_length);
  if (n < 0) return 0;
  note_receive(before, 1);
  note_arrival(socket, 1, static_cast<uint32_t>(n));
  Datagram d;
  d.data = static_cast<uint8_t*>(buffer.iov.iov_base);
  d.length = static_cast<uint32_t>(n);
  hand_over(socket, buffer.from, &d, handler);
  return 1;
}

uint32_t UdpLink::receive_from(const Socket& socket, DatagramHandler& handler, uint32_t max) {
  uint32_t total = 0;
  uint32_t budget = max * kBuffer;
  bool drained = false;
  while (budget != 0) {
    const uint32_t wanted = batch_;
    for (uint32_t i = 0; i < wanted; ++i) {
      headers_[i].msg_hdr.msg_namelen = sizeof receive_buffers_[i].from;
      headers_[i].msg_hdr.msg_controllen = sizeof receive_buffers_[i].control;
    }
    const uint64_t before = timed_ ? now_ns() : 0;
    int n;
    if (wanted == 1) {
      const ssize_t length = raw_syscall(SYS_recvmsg, socket.fd, &headers_[0].msg_hdr, MSG_DONTWAIT);
      n = length < 0 ? -1 : 1;
      headers_[0].msg_len = static_cast<unsigned>(length);
    } else {
      n = recvmmsg(socket.fd, headers_.get(), wanted, MSG_DONTWAIT, nullptr);
    }
    drained = n < static_cast<int>(wanted);
    if (n <= 0) break;
    const auto got = static_cast<uint32_t>(n);
    note_receive(before, got);
    bool large = false;
    for (uint32_t i = 0; i < got; ++i) {
      const uint32_t length = headers_[i].msg_len;
      const uint32_t charge = length >= kLargeDatagram ? kBuffer : std::max(length, kLeastCharge);
      budget -= std::min(budget, charge);
      large |= length >= kLargeDatagram;
      deliver(socket, i, handler);
    }
    total += got;
    if (large) {
      batch_ = 1;
    } else if (got == wanted && total > 1) {
      batch_ = std::min(batch_ * 2, kMaxBatch);
    } else if (got < wanted) {
      batch_ = std::max(1u, got);
      break;
    }
    // A single small datagram is usually an answer that a thread waits for. The next call can look for
    // another.
    if (!large && total == 1 && !more_likely_ && hits_ < kBackToBack) break;
  }
  if (total > 0) {
    more_likely_ = total > 1;
    note_arrival(socket, total, headers_[0].msg_len);
  }
  return drained && max > 1 ? std::min(total, max - 1) : total;
}

// A datagram was sent on this host if its source or destination is a loopback address, or if its source is
// one of the device's addresses.
bool UdpLink::is_same_host(const Gid& source, const Gid& destination) const {
  if (is_loopback(destination) || is_loopback(source)) return true;
  return std::any_of(sockets_.begin(), sockets_.end(), [&](const Socket& s) { return s.gid == source; });
}

void UdpLink::deliver(const Socket& socket, uint32_t index, DatagramHandler& handler) {
  ReceiveBuffer& buffer = receive_buffers_[index];
  msghdr& message = headers_[index].msg_hdr;
  Datagram d;
  d.data = static_cast<uint8_t*>(buffer.iov.iov_base);
  d.length = headers_[index].msg_len;
  d.segment = d.length;
  for (cmsghdr* c = CMSG_FIRSTHDR(&message); c != nullptr; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO) {
      int segment;
      std::memcpy(&segment, CMSG_DATA(c), sizeof segment);
      if (segment > 0) d.segment = static_cast<uint32_t>(segment);
    } else if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) {
      d.tos = *CMSG_DATA(c);
    } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS) {
      int tclass;
      std::memcpy(&tclass, CMSG_DATA(c), sizeof tclass);
      d.tos = static_cast<uint8_t>(tclass);
    } else if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TTL) ||
               (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_HOPLIMIT)) {
      int ttl;
      std::memcpy(&ttl, CMSG_DATA(c), sizeof ttl);
      d.ttl = static_cast<uint8_t>(ttl);
    } else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_FLOWINFO) {
      uint32_t flow_info;
      std::memcpy(&flow_info, CMSG_DATA(c), sizeof flow_info);
      d.flow_label = ntohl(flow_info) & kFlowLabelMask;
    }
  }
  hand_over(socket, buffer.from, &d, handler);
}

// Datagrams received in one system call with the first notice came without their TOS: the next packet is
// the marked one.
void UdpLink::expect_mark(const uint8_t* notice) {
  if (marks_) return;
  marks_ = true;
  plain_receive_ = false;
  noticed_qpn_ = wire::load24(notice + kNoticeQpn);
  for (const Socket& s : sockets_) show_marks(s.fd, is_ipv4(s.gid));
}

void UdpLink::hand_over(const Socket& socket, const sockaddr_storage& address, Datagram* d,
                        DatagramHandler& handler) {
  const auto* from = reinterpret_cast<const sockaddr*>(&address);
  const std::size_t compared = from->sa_family == AF_INET ? 8 : sizeof(sockaddr_in6);
  if (std::memcmp(&last_from_, from, compared) != 0) {
    std::memcpy(&last_from_, from, sizeof(sockaddr_in6));
    last_source_ = gid_from(from);
    last_same_host_ = is_same_host(last_source_, socket.gid);
  }
  // Both families have the port at the same offset.
  d->source_port = ntohs(reinterpret_cast<const sockaddr_in*>(from)->sin_port);
  d->source = &last_source_;
  d->same_host = last_same_host_;
  // Only a device of this host sends notices, and only this user's processes have its port
  // (RocePort::on_datagram).
  if (is_mark_notice(d->data, d->length) && d->same_host && d->source_port == wire::kRocePort) [[unlikely]] {
    expect_mark(d->data);
    return;
  }
  if (noticed_qpn_ != 0) [[unlikely]] {
    if (d->length >= wire::Bth::kSize && wire::BthView::of(d->data, d->length)->dest_qpn() == noticed_qpn_)
      d->tos |= 3;
    noticed_qpn_ = 0;
  }
  counters_.bytes_in += d->length;
  d->destination = &socket.gid;
  d->time = received_at_;
  handler.on_datagram(*d);
}

}  // namespace uroce::net
