#include "uroce/net/port/roce_port.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "uroce/net/host/address.h"
#include "uroce/net/port/icrc_check.h"
#include "uroce/net/udp/steering.h"
#include "uroce/wire/bth.h"
#include "uroce/wire/icrc.h"
#include "uroce/wire/mad.h"

namespace uroce::net {
namespace {

constexpr uint32_t kMaxPacket = RocePort::kLongest;

// Flips a bit behind the BTH, by which the receiver could reject the packet before it checks the ICRC.
void corrupt(uint8_t* packet, uint32_t length, uint32_t bit) {
  constexpr uint32_t kFirst = wire::Bth::kSize;
  const uint32_t byte = kFirst + (bit / 8) % (length - kFirst);
  packet[byte] ^= static_cast<uint8_t>(1u << (bit & 7));
}

}  // namespace

RocePort::RocePort(Link& link, const UdpFeatures& features)
    : link_(&link), features_(features), staging_(new uint8_t[kStagingBytes]) {}

// The worst case: every packet is a batch, and the kernel takes none of them.
uint32_t RocePort::room() {
  const bool ack = ack_.held || (open_ && batch_states_[open_batch_].ack_at_end);
  const uint32_t batches = kBatches - open_batch_ - (open_ ? 1 : 0) - (ack_.held ? 1 : 0);
  return std::min(batches, (kStagingBytes - used_) / kMaxPacket - (ack ? 1 : 0));
}

// Management packets are steered by their contents, and multicast packets go to many.
bool RocePort::may_use_rings(const Flow& flow, uint32_t dest_qpn) const {
  return rings_ != nullptr && !flow.sockets_only && dest_qpn != wire::kGsiQpn && dest_qpn != kMulticastQpn;
}

ShmChannel* RocePort::channel_to(const Flow& flow, uint32_t dest_qpn) {
  if (!may_use_rings(flow, dest_qpn)) return nullptr;
  ShmChannel& channel = rings_->channel(flow, slot_of(dest_qpn));
  return channel.state() == ShmChannel::State::sockets ? nullptr : &channel;
}

RocePort::LinkState RocePort::link_to(const Path& path, uint32_t dest_qpn) {
  const ShmChannel* channel = channel_to(flow_of(path), dest_qpn);
  if (channel == nullptr) return LinkState::sockets;
  return channel->state() == ShmChannel::State::open ? LinkState::rings : LinkState::undecided;
}

int RocePort::obstacle_to(const Path& path, uint32_t dest_qpn, bool ask_again) {
  const Flow& flow = flow_of(path);
  if (!rings_only_ || !may_use_rings(flow, dest_qpn)) return 0;
  const ShmChannel& channel =
      ask_again ? rings_->ask_again(flow, slot_of(dest_qpn)) : rings_->channel(flow, slot_of(dest_qpn));
  if (channel.state() == ShmChannel::State::open) return 0;
  return channel.state() == ShmChannel::State::opening || channel.error() == 0 ? EAGAIN : channel.error();
}

uint32_t RocePort::room_to(const Path& path, uint32_t dest_qpn) {
  if (path.cookie == 0) return UINT32_MAX;  // the QP has no path yet
  ShmChannel* channel = channel_to(flow_of(path), dest_qpn);
  return channel != nullptr ? rings_->room(*channel) : UINT32_MAX;
}

bool RocePort::room_returned() { return rings_ != nullptr && rings_->room_returned(); }

bool RocePort::made_progress(const Path& path, uint32_t dest_qpn, uint64_t* position) {
  ShmChannel* channel = channel_to(flow_of(path), dest_qpn);
  return channel == nullptr || ShmLink::made_progress(*channel, position);
}

bool RocePort::waiting() const { return rings_ != nullptr && rings_->waiting(); }

bool RocePort::admit(const Path& path, uint32_t dest_qpn, uint32_t bytes) {
  const Flow& flow = flow_of(path);
  if (ShmChannel* channel = channel_to(flow, dest_qpn))
    return rings_->room(*channel) != 0 || rings_->reader_stopped(*channel);
  if (receiver_room_ == nullptr) return true;
  const uint32_t slot = slot_of(dest_qpn);
  if (receiver_room_->reserve(flow, slot, bytes)) return true;
  flush();  // staged packets are not in the receiver's buffer yet
  return !blocked() && receiver_room_->reserve_after_measure(flow, slot, bytes, now_ns());
}

bool RocePort::fits(const Flow* flow, uint32_t slot, uint32_t length, uint8_t marks) const {
  const GsoBatch& batch = batches_[open_batch_];
  const BatchState& staged = batch_states_[open_batch_];
  const bool at_end = staged.ack_at_end;
  return !staged.sealed && batch.flow == flow && staged.slot == slot && batch.marks == marks &&
         (at_end ? length == batch.segment : length <= batch.segment) &&
         batch.count + (at_end ? 1 : 0) < features_.max_segments &&
         batch.length + length + (at_end ? kAckLength : 0) <= kBatchBytes;
}

// A packet from BTH to ICRC, the index-th of its batch. False if its payload is gone.
bool RocePort::write(const transport::TxPacket& p, const Mark& mark, const Flow& flow, uint32_t index,
                     uint32_t length, uint8_t* packet) {
  std::memcpy(packet, p.header, p.header_len);
  uint8_t* end = packet + p.header_len;
  if (!transport::copy_payload(p, end)) return false;
  end += p.payload_len;
  if (p.pad != 0) std::memset(end, 0, p.pad);
  end += p.pad;
  // The packet has just been written: the checksum reads it from the first-level cache, in one pass.
  uint32_t state = flow.icrc_states.of(flow.source, flow.destination, flow.source_port, length);
  if (index != 0) state ^= kIdDifference[index];
  state = wire::icrc_in_place(state, packet, static_cast<std::size_t>(end - packet));
  wire::icrc_store(end, wire::icrc_end(state));
  if ((mark.marks & packet_mark::corrupt) != 0) corrupt(packet, length, mark.corrupt_bit);
  return true;
}

bool RocePort::send_as_is(const Path& path, uint32_t dest_qpn, std::span<const uint8_t> packet) {
  flush();  // the packet must not overtake earlier ones
  if (blocked()) return false;
  const Flow& flow = flow_of(path);
  const auto length = static_cast<uint32_t>(packet.size());
  GsoBatch batch{.flow = &flow,
                 .data = packet.data(),
                 .length = length,
                 .segment = length,
                 .count = 1,
                 .time = clock_ != nullptr ? clock_->now() : 0};
  if (ShmChannel* channel = channel_to(flow, dest_qpn)) {
    if (rings_->room(*channel) == 0) return false;
    // A channel that has just closed itself has no room: then the sockets take the packet.
    if (uint8_t* place = rings_->reserve(*channel, length)) {
      std::memcpy(place, packet.data(), length);
      batch.channel = channel;
    }
  }
  if (link_->send(batch) == SendResult::busy) return false;
  link_->flush();
  return true;
}

// The engine has asked for room. A packet that needs no answer finds none if the reader has stopped. Taps
// see it as dropped, like packets that the fault injector drops.
bool RocePort::send_through(ShmChannel& channel, const transport::TxPacket& p, const Mark& mark,
                            const Flow& flow) {
  const uint32_t length = transport::udp_length(p);
  uint8_t* place = rings_->reserve(channel, length);
  uint8_t marks = mark.marks;
  if (place == nullptr && (marks & packet_mark::dropped) == 0) [[unlikely]] {
    marks |= packet_mark::dropped;
    ++ring_drops_;
  }
  // The packet is made in the staging buffer, which has room for one more behind the waiting packets
  // (room()). Reading back a packet just written to a ring, for the checksum, waits for the lines to come
  // from the reader's core. Storing the whole packet at once does not wait.
  uint8_t* packet = &staging_[used_];
  if (!write(p, mark, flow, 0, length, packet)) return false;
  if (place != nullptr) [[likely]]
    std::memcpy(place, packet, length);
  GsoBatch batch{.flow = &flow,
                 .data = packet,  // for taps: the reader may write to the ring
                 .length = length,
                 .segment = length,
                 .count = 1,
                 .marks = marks,
                 .time = clock_ != nullptr ? clock_->now() : 0,
                 .channel = &channel};
  link_->send(batch);
  if ((batch.marks & packet_mark::dropped) == 0) ++batches_sent_;
  if (p.position_flags != 0 && clock_ != nullptr) departure_handler_->on_departure(p.timestamp(), batch.time);
  return true;
}

bool RocePort::stage(const transport::TxPacket& p, const Mark& mark) {
  const Flow& flow = flow_of(*p.path);
  if (ShmChannel* channel = channel_to(flow, p.dest_qpn)) return send_through(*channel, p, mark, flow);
  if (rings_only_ && may_use_rings(flow, p.dest_qpn)) [[unlikely]] {
    ++unreachable_;
    return true;
  }
  const uint32_t slot = slot_of(p.dest_qpn);
  if (ack_.held && !takes_ack(p, mark, flow, slot)) release_ack();
  return hold_ack(p, mark, flow, slot) || put(p, mark, flow, slot);
}

bool RocePort::put(const transport::TxPacket& p, const Mark& mark, const Flow& flow, uint32_t slot) {
  const uint32_t length = transport::udp_length(p);
  if (open_ && (ack_.held || !fits(&flow, slot, length, mark.marks))) {
    close();
    if (closed_bytes_ >= kEnough) push_out();
  }
  BatchState& staged = batch_states_[open_batch_];
  GsoBatch& batch = batches_[open_batch_];
  if (!open_) {
    open_ = true;
    staged = {.slot = slot, .ack_at_end = std::exchange(ack_.held, false)};
    batch = {.flow = &flow,
             .data = &staging_[used_],
             .segment = length,
             .marks = mark.marks,
             .counted = features_.gso};
  }
  if (!write_next(p, mark, flow, length)) {
    open_ = batch.count != 0;
    if (!open_) ack_.held = staged.ack_at_end;
    return false;
  }
  if (p.position_flags != 0) {
    ++staged.departures;
    departures_.push_back(p.timestamp());
  }
  // Packets to queue pair 1 are steered one by one, by their contents: none may follow in the same send.
  staged.sealed = length < batch.segment || p.dest_qpn == wire::kGsiQpn;
  return true;
}

// Writes into the batch that is being filled. Returns as write().
bool RocePort::write_next(const transport::TxPacket& p, const Mark& mark, const Flow& flow, uint32_t length) {
  GsoBatch& batch = batches_[open_batch_];
  if (!write(p, mark, flow, flow.ipv4 && batch.counted ? batch.count : 0, length,
             const_cast<uint8_t*>(batch.data) + batch.length)) {
    return false;
  }
  batch.length += length;
  used_ += length;
  ++batch.count;
  return true;
}

// The kernel passes a send unchanged to a socket of this host if that socket receives by UDP_GRO. Elsewhere
// the packets of one send may arrive one by one, so an ACK has to go ahead.
bool RocePort::hold_ack(const transport::TxPacket& p, const Mark& mark, const Flow& flow, uint32_t slot) {
  if (p.opcode != wire::opcode::acknowledge || p.header_len != kAckHeader || mark.marks != 0 ||
      !flow.same_host || !features_.gso || !features_.gro || (open_ && fits(&flow, slot, kAckLength, 0))) {
    return false;
  }
  if (open_ && batch_states_[open_batch_].ack_at_end) close();
  std::memcpy(ack_.header.data(), p.header, kAckHeader);
  ack_.flow = &flow;
  ack_.slot = slot;
  ack_.held = true;
  return true;
}

bool RocePort::takes_ack(const transport::TxPacket& p, const Mark& mark, const Flow& flow,
                         uint32_t slot) const {
  return ack_.flow == &flow && ack_.slot == slot && mark.marks == 0 && p.dest_qpn != wire::kGsiQpn &&
         is_request(p.opcode) && transport::udp_length(p) > kAckLength;
}

transport::TxPacket RocePort::ack_packet() const {
  transport::TxPacket packet{};
  packet.header = ack_.header.data();
  packet.header_len = kAckHeader;
  packet.opcode = wire::opcode::acknowledge;
  return packet;
}

// Sends the held ACK like any other packet.
void RocePort::release_ack() {
  ack_.held = false;
  put(ack_packet(), {}, *ack_.flow, ack_.slot);
}

void RocePort::close() {
  if (batch_states_[open_batch_].ack_at_end) write_next(ack_packet(), {}, *ack_.flow, kAckLength);
  open_ = false;
  closed_bytes_ += batches_[open_batch_].length;
  ++open_batch_;
}

// Sends closed batches, oldest first, while the kernel has room.
void RocePort::push_out() {
  const auto waiting = std::span(batches_).subspan(first_, open_batch_ - first_);
  if (clock_ != nullptr && !waiting.empty()) {
    const uint64_t now = clock_->now();
    for (GsoBatch& batch : waiting) batch.time = now;
  }
  const std::size_t done = link_->send_all(waiting);
  for (std::size_t i = 0; i < done; ++i, ++first_) {
    report_departures(first_);
    closed_bytes_ -= waiting[i].length;
    if ((waiting[i].marks & packet_mark::dropped) == 0) ++batches_sent_;
  }
  refused_ = first_ < open_batch_;
  if (refused_) return;
  first_ = open_batch_ = used_ = 0;
  departures_.clear();
  reported_ = 0;
}

void RocePort::report_departures(uint32_t batch) {
  for (uint32_t i = 0; i < batch_states_[batch].departures; ++i, ++reported_) {
    if (clock_ != nullptr) departure_handler_->on_departure(departures_[reported_], batches_[batch].time);
  }
}

void RocePort::flush() {
  if (ack_.held) release_ack();
  if (open_) close();
  if (first_ < open_batch_) push_out();
  link_->flush();
}

uint32_t RocePort::receive(PacketHandler& handler, uint32_t max) {
  handler_ = &handler;
  return link_->receive(*this, max);
}

void RocePort::on_datagram(const Datagram& d) {
  // Only this user's processes can bind port 4791 of an address of this device; any process of the host can
  // send from another port. For other hosts the port says nothing: rxe spreads its flows over many.
  if (d.same_host && d.source_port != wire::kRocePort) {
    ++foreign_ports_;
    return;
  }
  transport::RxPacket received{.data = nullptr,
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

}  // namespace uroce::net
