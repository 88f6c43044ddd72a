#include "sim/fabric/host.h"

#include <algorithm>
#include <cstring>

#include "sim/fabric/fabric.h"

namespace vlsim {
namespace {

namespace rdma = uroce::transport;
using uroce::QpAttr;
using uroce::QpState;

constexpr uint32_t kCompletions = 1024;
constexpr uint32_t kMostStagedAcks = 8;
constexpr uint64_t kNoAckDeadline = 1'000'000'000'000;

uint32_t host_of(const uroce::Gid& gid) { return uint32_t{gid[13]} << 16 | uint32_t{gid[14]} << 8 | gid[15]; }

PacketKind kind_of(const rdma::TxPacket& packet) {
  switch (packet.kind()) {
    case rdma::PacketKind::cnp:
      return PacketKind::cnp;
    case rdma::PacketKind::ack:
    case rdma::PacketKind::nak:
      return PacketKind::ack;
    default:
      return PacketKind::data;
  }
}

rdma::EngineConfig of_host(rdma::EngineConfig config, uint32_t index, bool payload) {
  config.carry_payload = payload;
  config.qpn_base = index << 12;
  // Without a delay of its own transmit() is never asked to defer an ACK, so the deadline of one must not wake anybody.
  config.ack_delay_ns = kNoAckDeadline;
  return config;
}

// Where no payload is carried, nothing is read or written: registered memory needs only an address.
uint8_t g_no_memory[64];

}  // namespace

uroce::Gid host_address(uint32_t host) {
  uroce::Gid gid{};
  gid[10] = gid[11] = 0xff;
  gid[12] = 10;
  gid[13] = static_cast<uint8_t>(host >> 16);
  gid[14] = static_cast<uint8_t>(host >> 8);
  gid[15] = static_cast<uint8_t>(host);
  return gid;
}

Host::Host(Fabric& fabric, uint32_t index, const HostSettings& settings, const rdma::EngineConfig& config,
           uint64_t seed)
    : fabric_(fabric),
      index_(index),
      settings_(settings),
      random_(seed),
      engine_(of_host(config, index, fabric.packets.with_payload()), random_, *this),
      address_(host_address(index)),
      own_memory_(fabric.packets.with_payload() ? new uint8_t[kRealMemory]() : nullptr),
      pd_(engine_.alloc_pd()),
      key_(*engine_.reg_mr(pd_, memory(), kIova, own_memory_ ? kRealMemory : kMemory,
                           uroce::access_flag::local_write | uroce::access_flag::remote_any)),
      cq_(*engine_.create_cq(kCompletions)),
      defer_acks_(config.policy.ack_delay_ns != rdma::kDefaultAckDelay ? rdma::kDeferAcks : 0) {}

uint8_t* Host::memory() { return own_memory_ ? own_memory_.get() : g_no_memory; }

rdma::Qp* Host::create(const ConnectionSettings& s) {
  rdma::QpInit init;
  init.pd = pd_;
  init.send_cq = init.recv_cq = cq_;
  init.cap = {s.depth, s.receives, 1, s.receives != 0 ? 1u : 0u, 0};
  const auto made = engine_.create_qp(init);
  return made ? *made : nullptr;
}

bool Host::connect(Host& a, rdma::Qp& qp, Host& b, rdma::Qp& peer, const ConnectionSettings& s,
                   uint16_t entropy, Time now) {
  QpAttr attr;
  attr.qp_state = QpState::init;
  attr.qp_access_flags = uroce::access_flag::remote_any;
  if (a.engine_.modify_qp(qp, attr, 0x39, now / kNs) != 0) return false;
  attr.qp_state = QpState::rtr;
  attr.av.sgid = a.address_;
  attr.av.dgid = b.address_;
  attr.av.udp_source_port = entropy;
  attr.path_mtu = static_cast<uint16_t>(s.mtu);
  attr.dest_qp_num = peer.qpn();
  attr.max_dest_rd_atomic = s.reads;
  attr.min_rnr_timer = 1;
  if (a.engine_.modify_qp(qp, attr, 0x129181, now / kNs) != 0) return false;
  attr.qp_state = QpState::rts;
  attr.timeout = s.timeout;
  attr.retry_cnt = s.retries;
  attr.rnr_retry = 7;
  attr.max_rd_atomic = s.reads;
  return a.engine_.modify_qp(qp, attr, 0x12e01, now / kNs) == 0;
}

int Host::post(rdma::Qp& qp, uroce::WrOpcode opcode, uint64_t id, uint32_t bytes, uint32_t immediate,
               const Host& peer, Time now, uint32_t offset) {
  const rdma::Sge sge{kIova + offset, bytes, key_};
  rdma::SendWr wr;
  wr.wr_id = id;
  wr.opcode = opcode;
  wr.flags = uroce::send_flag::signaled;
  wr.sg_list = &sge;
  wr.num_sge = 1;
  wr.imm_data = immediate;
  wr.remote_addr = kIova + offset;
  wr.rkey = peer.key_;
  return engine_.post_send(qp, wr, now / kNs);
}

void Host::post_receive(rdma::Qp& qp, uint64_t id) {
  const rdma::Sge sge{kIova, own_memory_ ? kRealMemory : kMemory, key_};
  engine_.post_recv(qp, {id, &sge, 1});
}

uint32_t Host::room() {
  const Port& port = fabric_.host_port(index_);
  if (only_acks_) return port.queues[settings_.ack_class].count < kMostStagedAcks ? 1 : 0;
  return port.queues[settings_.data_class].count == 0 ? 1 : 0;
}

bool Host::emit(const rdma::TxPacket& t) {
  const PacketKind kind = kind_of(t);
  const uint32_t id = fabric_.make_packet(kind, now_);
  Packet& p = fabric_.packets[id];
  std::memcpy(p.header.data(), t.header, t.header_len);
  p.header_length = static_cast<uint8_t>(t.header_len);
  p.payload = static_cast<uint16_t>(t.payload_len);
  p.pad = static_cast<uint8_t>(t.pad);
  p.bytes = rdma::udp_length(t) + kFraming;
  p.entropy = t.path->udp_source_port;
  p.source = static_cast<uint16_t>(index_);
  p.destination = static_cast<uint16_t>(host_of(t.path->dgid));
  p.traffic_class = kind == PacketKind::cnp   ? settings_.cnp_class
                    : kind == PacketKind::ack ? settings_.ack_class
                                              : settings_.data_class;
  p.ecn = kind == PacketKind::data ? 2 : 0;
  if (fabric_.packets.with_payload() && !rdma::copy_payload(t, fabric_.packets.payload(id))) {
    fabric_.unmake(id);
    return false;
  }
  fabric_.enqueue(fabric_.host_port(index_), id, now_);
  return true;
}

bool Host::pull(Time now) {
  if (!wants_to_send_) return false;
  now_ = now;
  const Port& port = fabric_.host_port(index_);
  // Data that waits is paused: what goes in other classes overtakes it.
  only_acks_ = port.queues[settings_.data_class].count != 0;
  if (only_acks_ && settings_.ack_class == settings_.data_class &&
      settings_.cnp_class == settings_.data_class)
    return false;
  wants_to_send_ = engine_.transmit(now / kNs, *this, only_acks_ ? rdma::kOnlyAcks : defer_acks_);
  schedule_wake(now);
  return true;
}

void Host::kick(Time now) {
  // A queue pair that has failed completes at once what is posted to it.
  if (cq_->count() != 0) poll(now);
  if (engine_.tx_pending() || engine_.acks_deferred()) wants_to_send_ = true;
  if (wants_to_send_) fabric_.pump(fabric_.host_port(index_), now);
  schedule_wake(now);
}

// Deadlines mostly move later, so the event comes early at times, and the next one is exact. What waits for the transmitter
// needs none.
void Host::schedule_wake(Time now) {
  if (defer_acks_ == 0 && engine_.earliest_timer() >= wake_ns_) return;
  uint64_t wake = defer_acks_ != 0 ? engine_.next_wake() : engine_.next_timer();
  if (wake <= now / kNs && wants_to_send_) wake = engine_.next_timer();
  if (wake >= wake_ns_) return;
  wake_ns_ = wake;
  const Time at = std::max(wake * kNs, now);
  fabric_.events.push(at, EventKind::wake, index_);
}

void Host::on_time(Time now) {
  if (now / kNs < wake_ns_) return;
  wake_ns_ = uroce::kNever;
  const uint64_t timeouts = engine_.counters().local_ack_timeout_err;
  engine_.on_time(now / kNs);
  if (engine_.counters().local_ack_timeout_err != timeouts) fabric_.timed_out();
  poll(now);
  kick(now);
}

void Host::arrive(Time now, uint32_t id) {
  if (settings_.receive.mbps == 0 && buffered_ == 0) return deliver(now, id);
  const Packet& p = fabric_.packets[id];
  if (buffered_ + p.bytes > settings_.buffer)
    return fabric_.drop(fabric_.host_port(index_), id, DropReason::host_buffer);
  buffered_ += p.bytes;
  most_buffered_ = std::max(most_buffered_, buffered_);
  const Time length = settings_.receive.mbps == 0 ? 0 : settings_.receive.of(p.bytes);
  memory_free_at_ = std::max(memory_free_at_, now) + length;
  fabric_.events.push(memory_free_at_, EventKind::received, index_, id);
  update_pause(now);
}

void Host::received(Time now, uint32_t id) {
  buffered_ -= fabric_.packets[id].bytes;
  update_pause(now);
  deliver(now, id);
}

void Host::update_pause(Time now) {
  if (!settings_.sends_pause) return;
  Port& port = fabric_.host_port(index_);
  const uint32_t cls = settings_.data_class;
  const bool pausing = port.pausing >> cls & 1;
  if (!pausing && buffered_ >= settings_.xoff) fabric_.send_pause(port, cls, true, now);
  if (pausing && buffered_ <= settings_.xon) fabric_.send_pause(port, cls, false, now);
}

void Host::deliver(Time now, uint32_t id) {
  const Packet& p = fabric_.packets[id];
  if (p.kind == PacketKind::raw) {
    raw_received_ += p.bytes;
    fabric_.consumed(id);
    return;
  }
  const uint8_t* data = p.header.data();
  if (fabric_.packets.with_payload()) {
    uint8_t* const to = fabric_.scratch.data();
    std::memcpy(to, data, p.header_length);
    std::memcpy(to + p.header_length, fabric_.packets.payload(id), p.payload);
    std::memset(to + p.header_length + p.payload, 0, p.pad);
    data = to;
  }
  const uroce::Gid source = host_address(p.source);
  const uint32_t length = p.header_length + p.payload + p.pad;
  payload_received_ += p.kind == PacketKind::data ? p.payload : 0;
  engine_.on_packet(now / kNs, {data, length, &source, &address_, p.ecn});
  fabric_.consumed(id);
  if (cq_->count() != 0) poll(now);
  kick(now);
}

void Host::poll(Time now) {
  // What a completion leads to may come here again: the loop below goes on.
  if (polling_) return;
  polling_ = true;
  rdma::Completion wc[16];
  for (uint32_t n; (n = cq_->poll(wc, 16)) != 0;) {
    for (uint32_t i = 0; i < n; ++i) {
      if (fabric_.listener_ != nullptr) fabric_.listener_->completed(now, *this, wc[i]);
    }
  }
  polling_ = false;
}

}  // namespace vlsim
