#include "uroce/net/udp/udp_link.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "uroce/net/udp/stranger_filter.h"
#include "uroce/net/udp/udp_options.h"

namespace uroce::net {
namespace {

constexpr uint32_t kBuffer = 65536;
constexpr uint32_t kMaxBatch = 32;
constexpr uint32_t kPlainBatch = 32;
constexpr uint32_t kMaxTogether = 16;      // batches in one system call
constexpr uint32_t kSameSegment = 16;      // sends of one segment size after which it becomes the default
constexpr uint32_t kLargeDatagram = 8192;  // from here on one at a time
constexpr uint32_t kSmallDatagram = 1024;  // up to here a datagram may be part of a ping-pong
constexpr uint32_t kLoneArrivals = 16;     // of these in a row begin plain receives
constexpr uint32_t kBackToBack = 4;        // receives in a row that find something: a stream
constexpr uint32_t kLeastCharge = 2048;    // bytes of the budget that a datagram costs, however small
constexpr uint32_t kIdleSocketEvery = 8;   // empty polls between looks at the sockets that had nothing lately

constexpr std::size_t kControl = CMSG_SPACE(sizeof(int)) * 4;
constexpr uint32_t kFlowLabelMask = 0xfffff;

// System calls without the C library's wrapper, which makes each of these a cancellation point: two atomic
// operations in a process with threads, on the way of every message.
template <class... Arguments>
ssize_t call(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

template <class T>
void put(msghdr* message, cmsghdr** at, int level, int type, T value) {
  *at = *at == nullptr ? CMSG_FIRSTHDR(message) : CMSG_NXTHDR(message, *at);
  (*at)->cmsg_level = level;
  (*at)->cmsg_type = type;
  (*at)->cmsg_len = CMSG_LEN(sizeof value);
  std::memcpy(CMSG_DATA(*at), &value, sizeof value);
}

constexpr uint32_t kNoSegment = UINT32_MAX;  // leave the socket's default alone

// Control messages of a send; returns their length.
std::size_t control_of(const Flow& flow, uint32_t segment, msghdr* message, char* control) {
  if (segment == kNoSegment && flow.has_default_header()) return 0;
  std::memset(control, 0, kControl);
  message->msg_control = control;
  message->msg_controllen = kControl;
  cmsghdr* at = nullptr;
  std::size_t length = 0;
  if (segment != kNoSegment) {
    put(message, &at, SOL_UDP, UDP_SEGMENT, static_cast<uint16_t>(segment));
    length += CMSG_SPACE(sizeof(uint16_t));
  }
  if (flow.traffic_class != 0) {
    put(message, &at, flow.ipv4 ? IPPROTO_IP : IPPROTO_IPV6, flow.ipv4 ? IP_TOS : IPV6_TCLASS,
        static_cast<int>(flow.traffic_class));
    length += CMSG_SPACE(sizeof(int));
  }
  if (flow.hop_limit != 0) {
    put(message, &at, flow.ipv4 ? IPPROTO_IP : IPPROTO_IPV6, flow.ipv4 ? IP_TTL : IPV6_HOPLIMIT,
        static_cast<int>(flow.hop_limit));
    length += CMSG_SPACE(sizeof(int));
  }
  return length;
}

ssize_t send_simply(const GsoBatch& batch) {
  return call(SYS_sendto, batch.flow->socket, batch.data, batch.length, MSG_DONTWAIT | MSG_NOSIGNAL,
              &batch.flow->to, batch.flow->to_length);
}

// What a message header of a send points to.
struct Outgoing {
  void fill(const GsoBatch& batch, uint32_t segment, msghdr* message) {
    iov = {const_cast<uint8_t*>(batch.data), batch.length};
    message->msg_name = const_cast<sockaddr_storage*>(&batch.flow->to);
    message->msg_namelen = batch.flow->to_length;
    message->msg_iov = &iov;
    message->msg_iovlen = 1;
    message->msg_controllen = control_of(*batch.flow, segment, message, control);
  }
  iovec iov;
  alignas(cmsghdr) char control[kControl];
};

ssize_t send_with_control(const GsoBatch& batch, uint32_t segment) {
  msghdr message{};
  Outgoing outgoing;
  outgoing.fill(batch, segment, &message);
  return call(SYS_sendmsg, batch.flow->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

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
    sum += (shut_ ? s.drops_at_shut : overrun_datagrams(s.fd)) - s.overruns_before;
  }
  return sum;
}

void UdpLink::shut_out(std::span<const Gid> friends) {
  if (shut_) return;
  shut_ = true;
  for (Socket& s : sockets_) {
    s.drops_at_shut = overrun_datagrams(s.fd);
    attach_stranger_filter(s.fd, s.gid, is_loopback(s.gid), friends);
  }
}

void UdpLink::let_in() {
  if (!shut_) return;
  shut_out_before_ = shut_out_datagrams();
  for (Socket& s : sockets_) {
    detach_filter(s.fd);
    s.overruns_before += overrun_datagrams(s.fd) - s.drops_at_shut;
  }
  shut_ = false;
}

uint64_t UdpLink::shut_out_datagrams() const {
  uint64_t sum = shut_out_before_;
  if (!shut_) return sum;
  for (const Socket& s : sockets_) sum += overrun_datagrams(s.fd) - s.drops_at_shut;
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

SendResult UdpLink::send(const GsoBatch& batch) {
  if ((batch.marks & packet_mark::dropped) != 0) return SendResult::sent;
  return segmented(batch) ? send_segmented(batch) : send_plain(batch);
}

std::size_t UdpLink::send_all(std::span<const GsoBatch> batches) {
  std::size_t done = 0;
  while (done < batches.size()) {
    const auto left = batches.subspan(done);
    const std::size_t n = together(left);
    if (n > 1) {
      if (const int sent = send_together(left.first(n)); sent > 0) {
        done += static_cast<std::size_t>(sent);
        continue;
      }
      // Nothing left. Alone, the first one tells why.
    }
    if (send(left.front()) == SendResult::busy) break;
    ++done;
  }
  return done;
}

std::size_t UdpLink::together(std::span<const GsoBatch> batches) const {
  const auto end = std::find_if(batches.begin(), batches.end(), [&](const GsoBatch& batch) {
    return batch.flow->socket != batches.front().flow->socket || !segmented(batch) ||
           (batch.marks & packet_mark::dropped) != 0;
  });
  return std::min<std::size_t>(static_cast<std::size_t>(end - batches.begin()), kMaxTogether);
}

// How many the kernel took, or -1.
int UdpLink::send_together(std::span<const GsoBatch> batches) {
  mmsghdr messages[kMaxTogether];
  Outgoing outgoing[kMaxTogether];
  for (std::size_t i = 0; i < batches.size(); ++i) {
    messages[i] = {};
    const uint32_t segment = batches[i].count > 1 ? batches[i].segment : 0;
    outgoing[i].fill(batches[i], segment, &messages[i].msg_hdr);
  }
  const uint64_t before = timed_ ? now_ns() : 0;
  const auto sent = static_cast<int>(call(SYS_sendmmsg, batches.front().flow->socket, messages,
                                          batches.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
  if (timed_) counters_.kernel_ns += now_ns() - before;
  if (sent > 0) ++counters_.sends;
  return sent;
}

SendResult UdpLink::explain(int error, uint32_t packets) {
  if (error == EAGAIN || error == ENOBUFS || error == ENOMEM || error == EINTR) {
    ++counters_.busy;
    return SendResult::busy;
  }
  counters_.lost += packets;
  return SendResult::lost;
}

// True if the socket cuts `length` bytes as wanted (0: leaves them whole) without a control message. It
// leaves whole what is not longer than its default.
bool UdpLink::segment_as_default(int fd, uint32_t segment, uint32_t length) {
  const auto s =
      std::find_if(segmenting_.begin(), segmenting_.end(), [fd](const Segmenting& g) { return g.fd == fd; });
  if (s == segmenting_.end()) return false;
  if (segment == s->set || (segment == 0 && length <= s->set)) return true;
  s->streak = segment == s->last ? s->streak + 1 : 0;
  s->last = segment;
  if (s->streak < kSameSegment) return false;
  const int value = static_cast<int>(segment);
  if (setsockopt(fd, SOL_UDP, UDP_SEGMENT, &value, sizeof value) != 0) return false;
  s->set = segment;
  return true;
}

SendResult UdpLink::send_segmented(const GsoBatch& batch) {
  const uint32_t segment = batch.count > 1 ? batch.segment : 0;
  const bool told = segment_as_default(batch.flow->socket, segment, batch.length);
  const uint64_t before = timed_ ? now_ns() : 0;
  const ssize_t sent = told && batch.flow->has_default_header()
                           ? send_simply(batch)
                           : send_with_control(batch, told ? kNoSegment : segment);
  const int error = errno;
  if (timed_) counters_.kernel_ns += now_ns() - before;
  if (sent < 0) return explain(error, batch.count);
  ++counters_.sends;
  return SendResult::sent;
}

SendResult UdpLink::send_plain(const GsoBatch& batch) {
  alignas(cmsghdr) char control[kControl];
  mmsghdr messages[kPlainBatch];
  iovec iov[kPlainBatch];
  while (plain_sent_ < batch.count) {
    const uint32_t n = std::min(batch.count - plain_sent_, kPlainBatch);
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t offset = (plain_sent_ + i) * batch.segment;
      iov[i] = {const_cast<uint8_t*>(batch.data) + offset, std::min(batch.segment, batch.length - offset)};
      messages[i] = {};
      msghdr& message = messages[i].msg_hdr;
      message.msg_name = const_cast<sockaddr_storage*>(&batch.flow->to);
      message.msg_namelen = batch.flow->to_length;
      message.msg_iov = &iov[i];
      message.msg_iovlen = 1;
      message.msg_controllen = control_of(*batch.flow, kNoSegment, &message, control);
    }
    const uint64_t before = timed_ ? now_ns() : 0;
    const int sent = sendmmsg(batch.flow->socket, messages, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    const int error = errno;
    if (timed_) counters_.kernel_ns += now_ns() - before;
    if (sent > 0) {
      ++counters_.sends;
      plain_sent_ += static_cast<uint32_t>(sent);
      continue;
    }
    const SendResult result = explain(error, 1);
    if (result == SendResult::busy) return result;
    ++plain_sent_;  // this one is lost; the next may fare better
  }
  plain_sent_ = 0;
  return SendResult::sent;
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

// before: when the system call began, if timed.
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
  plain_receive_ =
      lone_arrivals_ >= kLoneArrivals && features_.gro && !show_headers_ && is_loopback(socket.gid);
}

uint32_t UdpLink::receive_plain(const Socket& socket, DatagramHandler& handler) {
  ReceiveBuffer& buffer = receive_buffers_[0];
  socklen_t from_length = sizeof buffer.from;
  const uint64_t before = timed_ ? now_ns() : 0;
  const ssize_t n = call(SYS_recvfrom, socket.fd, buffer.iov.iov_base, buffer.iov.iov_len, MSG_DONTWAIT,
                         &buffer.from, &from_length);
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
      const ssize_t length = call(SYS_recvmsg, socket.fd, &headers_[0].msg_hdr, MSG_DONTWAIT);
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
    // A small datagram alone is usually an answer that a thread waits for. The next call can look for
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
// one of our addresses.
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

void UdpLink::hand_over(const Socket& socket, const sockaddr_storage& address, Datagram* d,
                        DatagramHandler& handler) {
  counters_.bytes_in += d->length;
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
  d->destination = &socket.gid;
  d->time = received_at_;
  handler.on_datagram(*d);
}

}  // namespace uroce::net
