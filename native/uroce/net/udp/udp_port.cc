#include "uroce/net/udp/udp_port.h"

#include <algorithm>
#include <cstring>

#include "uroce/net/host/address.h"
#include "uroce/net/udp/ip_headers.h"
#include "uroce/net/udp/segment_ids.h"
#include "uroce/net/udp/steering.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/mad.h"

namespace uroce {
namespace {

// Largest packet: path MTU, BTH and RETH and ImmDt, pad, ICRC, rounded up.
constexpr uint32_t kMaxPacket = kMaxMtu + 64;

const Flow& flow_of(const Path& path) { return *reinterpret_cast<const Flow*>(path.cookie); }

uint32_t begin_state(const Flow& flow, uint32_t length) {
  if (flow.state_length != length) {
    flow.state_length = length;
    flow.state = icrc_begin({.source = flow.source,
                             .destination = flow.destination,
                             .source_port = flow.source_port,
                             .destination_port = kRocePort},
                            length);
  }
  return flow.state;
}

// Flips a bit behind the BTH, by which the receiver could turn the packet down before it looks at the ICRC.
void corrupt(uint8_t* packet, uint32_t length, uint32_t bit) {
  constexpr uint32_t kFirst = wire::Bth::kSize;
  const uint32_t byte = kFirst + (bit / 8) % (length - kFirst);
  packet[byte] ^= static_cast<uint8_t>(1u << (bit & 7));
}

}  // namespace

UdpPort::UdpPort(Link& link, const UdpFeatures& features)
    : link_(&link), features_(features), staging_(new uint8_t[kStagingBytes]) {}

// In the worst case every packet is a run of its own and the kernel takes none of them.
uint32_t UdpPort::room() {
  const uint32_t runs = kRuns - closed_ - (open_ ? 1 : 0);
  return std::min(runs, (kStagingBytes - used_) / kMaxPacket);
}

bool UdpPort::admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) {
  if (receiver_room_ == nullptr) return true;
  const Flow& flow = flow_of(path);
  const uint32_t slot = slot_of(dest_qpn);
  if (receiver_room_->take(flow, slot, bytes)) return true;
  flush();  // what is staged is not in the receiver's buffer yet
  return !blocked() && receiver_room_->take_anew(flow, slot, bytes, now_ns());
}

bool UdpPort::fits(const Staged& staged, const Flow* flow, uint32_t slot, uint32_t length,
                   uint8_t marks) const {
  const Run& run = staged.run;
  return !staged.ended && run.flow == flow && staged.slot == slot && run.marks == marks &&
         length <= run.segment && run.count < features_.max_segments && run.length + length <= kRunBytes;
}

void UdpPort::stage(const TxPacket& p, const Mark& mark) {
  const Flow& flow = flow_of(*p.path);
  const uint32_t slot = slot_of(p.dest_qpn);
  const uint32_t length = udp_length(p);
  if (open_ && !fits(staged_[closed_], &flow, slot, length, mark.marks)) close();
  Staged& staged = staged_[closed_];
  if (!open_) {
    open_ = true;
    staged = {};
    staged.slot = slot;
    staged.run.flow = &flow;
    staged.run.data = &staging_[used_];
    staged.run.segment = length;
    staged.run.marks = mark.marks;
    staged.run.counted = features_.gso;
  }
  Run& run = staged.run;
  uint8_t* const packet = const_cast<uint8_t*>(run.data) + run.length;
  std::memcpy(packet, p.header, p.header_len);
  uint8_t* end = packet + p.header_len;
  for (uint32_t i = 0; i < p.iov_count; ++i) {
    if (p.iov[i].len == 0) continue;  // the address of nothing may be null
    std::memcpy(end, p.iov[i].base, p.iov[i].len);
    end += p.iov[i].len;
  }
  std::memset(end, 0, p.pad);
  end += p.pad;
  // The packet has just been written: the checksum reads it from the first-level cache, in one go.
  uint32_t state = begin_state(flow, length);
  if (flow.ipv4 && run.counted) state ^= kIdDifference[run.count];
  state = wire::icrc_in_place(state, packet, static_cast<std::size_t>(end - packet));
  wire::icrc_store(end, wire::icrc_end(state));
  if ((mark.marks & packet_mark::corrupt) != 0) corrupt(packet, length, mark.corrupt_bit);
  run.length += length;
  used_ += length;
  ++run.count;
  if (p.edges != 0) {
    ++staged.departures;
    departures_.push_back(p.departure());
  }
  // Packets to queue pair 1 are steered one by one, by what is in them: none may follow in the same send.
  staged.ended = length < run.segment || p.dest_qpn == wire::kGsiQpn;
}

void UdpPort::close() {
  open_ = false;
  ++closed_;
  push_out();
}

// Sends closed runs, oldest first, as far as the kernel has room.
void UdpPort::push_out() {
  while (first_ < closed_) {
    Run& run = staged_[first_].run;
    if (clock_ != nullptr) run.time = clock_->now();
    const SendResult result = link_->send(run);
    if (result == SendResult::busy) return;
    report_departures(staged_[first_]);
    if (result == SendResult::sent && (run.marks & packet_mark::dropped) == 0) {
      ++runs_sent_;
    }
    ++first_;
  }
  first_ = closed_ = used_ = 0;
  departures_.clear();
  reported_ = 0;
}

void UdpPort::report_departures(const Staged& staged) {
  for (uint32_t i = 0; i < staged.departures; ++i, ++reported_) {
    if (clock_ != nullptr) departure_handler_->on_departure(departures_[reported_], staged.run.time);
  }
}

void UdpPort::flush() {
  if (open_) {
    close();
  } else {
    push_out();
  }
}

uint32_t UdpPort::receive(PacketHandler& handler, uint32_t max) {
  handler_ = &handler;
  return link_->receive(*this, max);
}

void UdpPort::on_datagram(const Datagram& d) {
  // Only this user's processes can bind port 4791 of an address of ours; any process of the host can send
  // from another port. Of other hosts the port tells nothing: rxe spreads its flows over many.
  if (d.same_host && d.source_port != kRocePort) {
    ++foreign_ports_;
    return;
  }
  RxPacket received{.data = nullptr,
                    .len = 0,
                    .source = d.source,
                    .destination = d.destination,
                    .traffic_class = d.tos,
                    .hop_limit = d.ttl,
                    .flow_label = d.flow_label,
                    .time = d.time};
  const auto wanted = [&](const uint8_t* packet, uint32_t length) {
    received.data = packet;
    received.len = length - static_cast<uint32_t>(wire::kIcrcSize);
    return handler_->wants(received);
  };
  split_.each(d, icrc_, wanted, [&](const uint8_t*, uint32_t, bool right) {
    if (right) handler_->on_packet(received);
  });
}

}  // namespace uroce
