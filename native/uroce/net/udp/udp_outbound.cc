// Sends: batches by UDP_SEGMENT, several in one system call, or packet by packet where the kernel cannot
// segment.
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "uroce/net/udp/udp_link.h"
#include "uroce/net/udp/udp_socket.h"
#include "uroce/wire/bth.h"

namespace uroce::net {
namespace {

constexpr uint32_t kPlainBatch = 32;
constexpr uint32_t kMaxTogether = 16;  // batches in one system call
constexpr uint32_t kSameSegment = 16;  // sends of one segment size after which it becomes the default

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
std::size_t control_of(const GsoBatch& batch, uint32_t segment, msghdr* message, char* control) {
  if (segment == kNoSegment && batch.has_default_header()) return 0;
  const Flow& flow = *batch.flow;
  std::memset(control, 0, kControl);
  message->msg_control = control;
  message->msg_controllen = kControl;
  cmsghdr* at = nullptr;
  std::size_t length = 0;
  if (segment != kNoSegment) {
    put(message, &at, SOL_UDP, UDP_SEGMENT, static_cast<uint16_t>(segment));
    length += CMSG_SPACE(sizeof(uint16_t));
  }
  if (const uint8_t tos = batch.tos(); tos != 0) {
    put(message, &at, flow.ipv4 ? IPPROTO_IP : IPPROTO_IPV6, flow.ipv4 ? IP_TOS : IPV6_TCLASS,
        static_cast<int>(tos));
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
  return raw_syscall(SYS_sendto, batch.flow->socket, batch.data, batch.length, MSG_DONTWAIT | MSG_NOSIGNAL,
                     &batch.flow->to, batch.flow->to_length);
}

// Buffers behind the message header of a send.
struct Outgoing {
  void fill(const GsoBatch& batch, uint32_t segment, msghdr* message) {
    iov = {const_cast<uint8_t*>(batch.data), batch.length};
    message->msg_name = const_cast<sockaddr_storage*>(&batch.flow->to);
    message->msg_namelen = batch.flow->to_length;
    message->msg_iov = &iov;
    message->msg_iovlen = 1;
    message->msg_controllen = control_of(batch, segment, message, control);
  }
  iovec iov;
  alignas(cmsghdr) char control[kControl];
};

ssize_t send_with_control(const GsoBatch& batch, uint32_t segment) {
  msghdr message{};
  Outgoing outgoing;
  outgoing.fill(batch, segment, &message);
  return raw_syscall(SYS_sendmsg, batch.flow->socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace

SendResult UdpLink::send(const GsoBatch& batch) {
  if ((batch.marks & packet_mark::dropped) != 0) return SendResult::sent;
  if ((batch.marks & packet_mark::congested) != 0) [[unlikely]]
    announce_mark(batch);
  return segmented(batch) ? send_segmented(batch) : send_plain(batch);
}

void UdpLink::announce_mark(const GsoBatch& batch) {
  const Flow& flow = *batch.flow;
  if (!is_loopback(flow.destination)) return;
  const MarkNotice notice = mark_notice(wire::BthView::of(batch.data, batch.length)->dest_qpn());
  raw_syscall(SYS_sendto, flow.socket, notice.data(), notice.size(), MSG_DONTWAIT | MSG_NOSIGNAL, &flow.to,
              flow.to_length);
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
      // Nothing was sent: send the first batch alone to get its errno.
    }
    if (send(left.front()) == SendResult::busy) break;
    ++done;
  }
  return done;
}

std::size_t UdpLink::together(std::span<const GsoBatch> batches) const {
  const auto end = std::find_if(batches.begin(), batches.end(), [&](const GsoBatch& batch) {
    return batch.flow->socket != batches.front().flow->socket || !segmented(batch) ||
           (batch.marks & (packet_mark::dropped | packet_mark::congested)) != 0;
  });
  return std::min<std::size_t>(static_cast<std::size_t>(end - batches.begin()), kMaxTogether);
}

// Number of batches that the kernel took, or -1.
int UdpLink::send_together(std::span<const GsoBatch> batches) {
  mmsghdr messages[kMaxTogether];
  Outgoing outgoing[kMaxTogether];
  for (std::size_t i = 0; i < batches.size(); ++i) {
    messages[i] = {};
    const uint32_t segment = batches[i].count > 1 ? batches[i].segment : 0;
    outgoing[i].fill(batches[i], segment, &messages[i].msg_hdr);
  }
  const uint64_t before = timed_ ? now_ns() : 0;
  const auto sent = static_cast<int>(raw_syscall(SYS_sendmmsg, batches.front().flow->socket, messages,
                                                 batches.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
  if (timed_) counters_.kernel_ns += now_ns() - before;
  if (sent > 0) ++counters_.sends;
  for (int i = 0; i < sent; ++i) counters_.bytes_out += batches[static_cast<std::size_t>(i)].length;
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

// True if the socket cuts `length` bytes as wanted (0: leaves them whole) without a control message. The
// socket leaves data whole that is not longer than its default segment.
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
  const bool is_default = segment_as_default(batch.flow->socket, segment, batch.length);
  const uint64_t before = timed_ ? now_ns() : 0;
  const ssize_t sent = is_default && batch.has_default_header()
                           ? send_simply(batch)
                           : send_with_control(batch, is_default ? kNoSegment : segment);
  const int error = errno;
  if (timed_) counters_.kernel_ns += now_ns() - before;
  if (sent < 0) return explain(error, batch.count);
  ++counters_.sends;
  counters_.bytes_out += batch.length;
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
      message.msg_controllen = control_of(batch, kNoSegment, &message, control);
    }
    const uint64_t before = timed_ ? now_ns() : 0;
    const int sent = sendmmsg(batch.flow->socket, messages, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    const int error = errno;
    if (timed_) counters_.kernel_ns += now_ns() - before;
    if (sent > 0) {
      ++counters_.sends;
      for (int i = 0; i < sent; ++i) counters_.bytes_out += iov[i].iov_len;
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

}  // namespace uroce::net
