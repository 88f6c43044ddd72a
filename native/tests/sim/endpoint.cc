#include "endpoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "shared_receives.h"

namespace uroce::sim {
namespace {

constexpr WcOpcode kWcOpcode[] = {
    WcOpcode::rdma_write, WcOpcode::rdma_write, WcOpcode::send,      WcOpcode::send,    WcOpcode::rdma_read,
    WcOpcode::comp_swap,  WcOpcode::fetch_add,  WcOpcode::local_inv, WcOpcode::bind_mw, WcOpcode::send};

bool is_write(WrOpcode o) { return o <= WrOpcode::rdma_write_with_imm; }
bool has_imm(WrOpcode o) { return o == WrOpcode::rdma_write_with_imm || o == WrOpcode::send_with_imm; }

}  // namespace

Endpoint::Endpoint(transport::Engine& engine, uint32_t pd, transport::Cq* cq, const Shape& shape,
                   uint64_t seed, std::vector<uint64_t>* shared, SharedReceives* receives)
    : engine_(engine), shape_(shape), random_(seed), pd_(pd), cq_(cq), shared_(shared), receives_(receives) {
  using namespace access_flag;
  transport::QpInit init;
  init.pd = pd;
  init.send_cq = init.recv_cq = cq;
  if (receives != nullptr) init.srq = receives->srq();
  init.cap = {shape.depth, shape.recv_depth, kMaxPieces, kMaxPieces, kMaxInline};
  qp_ = *engine.create_qp(init);
  const uint32_t size = shape.max_size + 64;
  source_ = reserve(size);
  window_ = reserve(size);
  read_ = reserve(size);
  chain_ = reserve(kChain);
  words_ = reserve(kWords * 8);
  results_ = reserve(kResults * 8);
  recv_ = reserve(shape.recv_depth * shape.max_size);
  memory_.start(random_);
  register_region(source_, remote_read);
  register_region(window_, local_write | remote_write | remote_read | mw_bind);
  register_region(read_, local_write);
  register_region(chain_, local_write);
  register_region(words_, local_write | remote_atomic);
  register_region(results_, local_write);
  register_region(recv_, local_write);
  if (shape.windows) make_windows();
  if (shared != nullptr) {
    shared_key_ = *engine.reg_mr(pd, reinterpret_cast<uint8_t*>(shared->data()), Memory::kIova,
                                 shared->size() * 8, local_write | remote_atomic);
  }
}

void Endpoint::register_region(Region& r, uint32_t access) {
  r.key = *engine_.reg_mr(pd_, memory_.real(r.at), Memory::iova(r.at), r.size, access);
}

void Endpoint::connect(Endpoint& peer, const Gid& own, const Gid& other, uint32_t own_psn, uint32_t peer_psn,
                       uint32_t window_packets) {
  peer_ = &peer;
  wire_.start({shape_.mtu, window_packets}, peer.qp_->qpn(), own_psn, peer_psn);
  QpAttr a;
  a.qp_state = QpState::init;
  a.qp_access_flags = access_flag::remote_any;
  require(engine_.modify_qp(*qp_, a, 0x39, 0) == 0, "RESET to INIT");
  a.qp_state = QpState::rtr;
  a.av.sgid = own;
  a.av.dgid = other;
  a.av.udp_source_port = kPort;
  a.path_mtu = shape_.mtu;
  a.dest_qp_num = peer.qp_->qpn();
  a.rq_psn = peer_psn;
  a.max_dest_rd_atomic = static_cast<uint8_t>(shape_.rd_atomic);
  a.min_rnr_timer = shape_.min_rnr_timer;
  require(engine_.modify_qp(*qp_, a, 0x129181, 0) == 0, "INIT to RTR");
  a.qp_state = QpState::rts;
  a.timeout = shape_.timeout;
  a.retry_cnt = 7;
  a.rnr_retry = 7;
  a.sq_psn = own_psn;
  a.max_rd_atomic = static_cast<uint8_t>(shape_.rd_atomic);
  require(engine_.modify_qp(*qp_, a, 0x12e01, 0) == 0, "RTR to RTS");
  if (receives_ == nullptr) recv_times_.assign(shape_.recv_depth, 0);
}

// Zero, tiny, around multiples of the path MTU, and log-uniform up to the largest.
uint32_t Endpoint::random_size() {
  const uint32_t kind = random_.below(16);
  if (kind == 0) return 0;
  if (kind < 5) return 1 + random_.below(std::min(64u, shape_.max_size));
  uint32_t size;
  if (kind < 10) {
    size = shape_.mtu * (1 + random_.below(8)) + random_.below(3) - 1;
  } else {
    uint32_t bits = 1;
    while ((2u << bits) <= shape_.max_size) ++bits;
    size = 1u << random_.below(bits + 1);
    size += random_.below(size);
  }
  return std::min(size, shape_.max_size);
}

std::vector<transport::Sge> Endpoint::split(uint32_t offset, uint32_t len, uint32_t key) {
  std::vector<transport::Sge> list;
  const uint32_t parts = 1 + random_.below(random_.below(4) == 0 ? kMaxPieces : 2);
  for (uint32_t i = 0; i < parts; ++i) {
    const uint32_t n = i + 1 == parts ? len : random_.below(len + 1);
    // The key of an empty piece must not be checked.
    list.push_back({Memory::iova(offset), n, n != 0 ? key : random_.next()});
    offset += n;
    len -= n;
  }
  return list;
}

std::vector<transport::Sge> Endpoint::pieces_of_source(uint32_t len) {
  std::vector<transport::Sge> list;
  const uint32_t parts = 1 + random_.below(random_.below(4) == 0 ? kMaxPieces : 2);
  for (uint32_t i = 0; i < parts; ++i) {
    const uint32_t n = i + 1 == parts ? len : random_.below(len + 1);
    list.push_back({Memory::iova(source_.at + random_.below(source_.size - n + 1)), n, source_.key});
    len -= n;
  }
  return list;
}

void Endpoint::post_sends(uint64_t now, uint32_t n) {
  while (n-- != 0 && qp_->send_room() != 0) post_one(now);
  if (qp_->send_room() == 0 && random_.below(8) == 0) {
    require(engine_.post_send(*qp_, transport::SendWr{}, now) == ENOMEM, "a full send queue that takes more");
  }
}

void Endpoint::post_one(uint64_t now) {
  static constexpr WrOpcode kMix[] = {
      WrOpcode::rdma_write, WrOpcode::rdma_write,         WrOpcode::rdma_write_with_imm,
      WrOpcode::send,       WrOpcode::send_with_imm,      WrOpcode::rdma_read,
      WrOpcode::rdma_read,  WrOpcode::atomic_cmp_and_swp, WrOpcode::atomic_fetch_and_add};
  transport::SendWr wr;
  wr.wr_id = next_id_;
  wr.opcode = kMix[random_.below(std::size(kMix))];
  // The last slot's completion frees those of unsignaled WRs before it.
  wr.flags = random_.below(4) != 0 || qp_->send_room() == 1 ? send_flag::signaled : 0;
  if (random_.below(16) == 0) wr.flags |= send_flag::solicited;
  if (random_.below(32) == 0) wr.flags |= send_flag::fence;
  std::vector<transport::Sge> list;
  transport::MwBind bind;
  uint32_t len = random_size();
  if (shape_.windows && wr.opcode == WrOpcode::send && random_.below(2) == 0) give_back(wr);
  Posted posted{next_id_, (wr.flags & send_flag::signaled) != 0, wr.opcode, len, {}, -1};
  if (shape_.windows && random_.below(8) == 0 && build_local(wr, bind, posted)) {
    len = 0;
  } else if (wr.opcode == WrOpcode::atomic_cmp_and_swp || wr.opcode == WrOpcode::atomic_fetch_and_add) {
    len = 8;
    build_atomic(wr, list);
  } else if (wr.opcode == WrOpcode::rdma_read) {
    build_read(wr, list, len, posted);
  } else {
    if (!chain(wr, list, &len)) list = pieces_of_source(len);
    build_data(wr, list, len);
  }
  if (wr.opcode != WrOpcode::rdma_read) chain_len_ = 0;
  wr.sg_list = list.data();
  wr.num_sge = static_cast<uint32_t>(list.size());
  require(engine_.post_send(*qp_, wr, now) == 0, "post_send failed");
  // Inline data is the application's again at once.
  std::memset(inline_bytes_, 0xee, sizeof inline_bytes_);
  posted.len = len;
  outstanding_.push_back(std::move(posted));
  ++next_id_;
  bytes_ += len;
}

void Endpoint::build_atomic(transport::SendWr& wr, std::vector<transport::Sge>& list) {
  const uint32_t slot = static_cast<uint32_t>(next_id_ % kResults);
  list = split(results_.at + slot * 8, 8, results_.key);
  wr.compare_add = random_.next();
  unknown_results_[slot] = false;
  if (shared_ != nullptr && wr.opcode == WrOpcode::atomic_fetch_and_add && random_.below(2) == 0) {
    // All connections add to these words; the result cannot be predicted, the sum can.
    wr.compare_add = 1 + random_.below(1000);
    wr.remote_addr = Memory::kIova + 8 * random_.below(static_cast<uint32_t>(peer_->shared_->size()));
    wr.rkey = peer_->shared_key_;
    added_ += wr.compare_add;
    unknown_results_[slot] = true;
    return;
  }
  const uint32_t at = words_.at + 8 * random_.below(kWords);
  wr.remote_addr = Memory::iova(at);
  wr.rkey = peer_->words_.key;
  uint64_t word;
  std::memcpy(&word, peer_->memory_.model(at), 8);
  std::memcpy(memory_.model(results_.at + slot * 8), &word, 8);
  if (wr.opcode == WrOpcode::atomic_fetch_and_add) {
    word += wr.compare_add;
  } else {
    if (random_.below(2) == 0) wr.compare_add = word;
    wr.swap = random_.next64();
    if (wr.compare_add == word) word = wr.swap;
  }
  std::memcpy(peer_->memory_.model(at), &word, 8);
}

void Endpoint::build_read(transport::SendWr& wr, std::vector<transport::Sge>& list, uint32_t len,
                          Posted& posted) {
  const bool chained = len <= kChain && chain_until_ == 0 && random_.below(2) == 0;
  if (chained) {
    list = split(chain_.at, len, chain_.key);
    posted.landing = list;
    chain_until_ = next_id_;
    chain_len_ = len;
  } else {
    list = split(read_.at + random_.below(read_.size - len + 1), len, read_.key);
    chain_len_ = 0;
  }
  const bool window = random_.below(2) == 0;
  uint32_t at;
  if (window) {
    at = aim(wr, len);
  } else {
    const Region& from = peer_->source_;
    at = from.at + random_.below(from.size - len + 1);
    wr.remote_addr = Memory::iova(at);
    wr.rkey = len != 0 ? from.key : random_.next();
  }
  memory_.scatter(list, peer_->memory_.model(at), len);
  window_read_ |= window;
}

// Sends the data of the READ just before, behind a fence.
bool Endpoint::chain(transport::SendWr& wr, std::vector<transport::Sge>& list, uint32_t* len) {
  if (chain_len_ == 0 || random_.below(4) == 0) return false;
  *len = 1 + random_.below(chain_len_);
  list = split(chain_.at + random_.below(chain_len_ - *len + 1), *len, chain_.key);
  wr.flags |= send_flag::fence;
  chain_until_ = next_id_;
  return true;
}

void Endpoint::build_data(transport::SendWr& wr, std::vector<transport::Sge>& list, uint32_t len) {
  const bool write = is_write(wr.opcode);
  const bool inv = wr.opcode == WrOpcode::send_with_inv;
  if (!inv) wr.imm_data = random_.next();
  scratch_.resize(len);
  memory_.gather(list, scratch_.data());
  if (write) {
    const uint32_t at = aim(wr, len);
    if (len != 0) std::memcpy(peer_->memory_.model(at), scratch_.data(), len);
    if (window_read_) wr.flags |= send_flag::fence;
    window_read_ = false;
  } else {
    ++sends_;
  }
  if (!write || has_imm(wr.opcode)) {
    peer_->messages_.push_back({write, has_imm(wr.opcode), (wr.flags & send_flag::solicited) != 0, inv,
                                wr.imm_data, len, write ? std::vector<uint8_t>() : scratch_});
  }
  // Data of a READ is not there yet to be copied at post.
  const bool chained = (wr.flags & send_flag::fence) && chain_until_ == next_id_;
  if (!chained && len <= kMaxInline && random_.below(2) == 0) {
    if (len != 0) std::memcpy(inline_bytes_, scratch_.data(), len);
    const uint32_t head = random_.below(len + 1);
    list = {{reinterpret_cast<uintptr_t>(inline_bytes_), head, 0},
            {reinterpret_cast<uintptr_t>(inline_bytes_ + head), len - head, 0}};
    wr.flags |= send_flag::inline_data;
  }
}

void Endpoint::post_recvs(uint64_t now) {
  while (!recv_times_.empty() && recv_times_.front() <= now) {
    recv_times_.pop_front();
    const uint32_t slot = static_cast<uint32_t>(next_recv_ % shape_.recv_depth);
    // A receive of exactly the length of its message, if that is already known.
    const uint64_t ahead = next_recv_ - done_recv_;
    uint32_t size = shape_.max_size;
    if (ahead < messages_.size() && random_.below(2) == 0)
      size = messages_[ahead].write ? 0 : messages_[ahead].len;
    auto list = split(recv_.at + slot * shape_.max_size, size, recv_.key);
    if (size == 0 && random_.below(2) == 0) list.clear();
    require(engine_.post_recv(*qp_, {next_recv_, list.data(), static_cast<uint32_t>(list.size())}) == 0,
            "post_recv failed");
    posted_recvs_.push_back(std::move(list));
    ++next_recv_;
  }
}

bool Endpoint::completed(uint64_t now, const transport::Completion& wc, const transport::WrStamps* stamps) {
  require(wc.status == WcStatus::success, "a completion with an error");
  if (wc.opcode >= WcOpcode::recv) return check_recv(now, wc);
  // Unsignaled WRs before it are done as well.
  while (!outstanding_.empty() && !outstanding_.front().signaled) finish(outstanding_.front());
  require(!outstanding_.empty(), "a completion that was not asked for");
  const Posted& p = outstanding_.front();
  require(wc.wr_id == p.id, "completions out of order, missing or twice");
  require(wc.opcode == kWcOpcode[static_cast<size_t>(p.opcode)] && wc.byte_len == p.len,
          "a completion with the wrong opcode or length");
  if (stamps != nullptr) check_stamps(now, wc, *stamps);
  finish(p);
  return false;
}

void Endpoint::check_stamps(uint64_t now, const transport::Completion& wc, const transport::WrStamps& s) {
  require(s.valid && s.wr_id == wc.wr_id && s.qpn == wc.qp_num && s.byte_len == wc.byte_len &&
              s.status == wc.status && kWcOpcode[static_cast<size_t>(s.opcode)] == wc.opcode,
          "stamps of another work request");
  check_order(s);
  require(s.acked <= s.cqe && s.cqe <= now, "stamps that run backwards");
}

// Checks a work request that was carried out; one that sends nothing has no packets and no answer.
void Endpoint::check_order(const transport::WrStamps& s) {
  if (transport::is_local(s.opcode)) {
    require(s.first_tx == 0 && s.last_tx == 0 && s.acked == 0, "packets of a request that sends nothing");
    return;
  }
  require(s.posted != 0 && s.posted <= s.first_tx && s.first_tx <= s.last_tx && s.last_tx <= s.acked,
          "stamps that run backwards");
}

void Endpoint::finish(const Posted& p) {
  require(memory_.holds(p.landing), "a READ that is complete but not all there");
  if (chain_until_ == p.id) chain_until_ = 0;
  if (p.window >= 0) local_done(p);
  unsignaled_ += !p.signaled;
  outstanding_.pop_front();
}

void Endpoint::settle() {
  // The queue's slots come free before completions of later ones do.
  while (!outstanding_.empty() && !outstanding_.front().signaled &&
         outstanding_.size() > qp_->send_queued()) {
    finish(outstanding_.front());
  }
  require(outstanding_.size() == qp_->send_queued(), "work requests gone without a completion");
  if (shape_.windows) return_unused();
}

bool Endpoint::check_recv(uint64_t now, const transport::Completion& wc) {
  require(!messages_.empty(), "a receive for a message never sent");
  const Message& m = messages_.front();
  require((wc.opcode == WcOpcode::recv_rdma_with_imm) == m.write, "a receive of the wrong kind");
  require(wc.byte_len == m.len, "a receive of the wrong length");
  require(((wc.wc_flags & wc_flag::with_imm) != 0) == m.imm && (!m.imm || wc.imm_data == m.imm_data),
          "wrong immediate data");
  require(((wc.wc_flags & wc_flag::with_inv) != 0) == m.inv && (!m.inv || wc.imm_data == m.imm_data),
          "wrong key invalidated");
  if (m.inv) invalidated(m.imm_data);
  if (receives_ != nullptr) {
    receives_->completed(now, wc.wr_id, m.bytes);
  } else {
    own_received(now, wc, m);
  }
  // A WRITE with immediate data solicits as a SEND does.
  const bool solicited = m.solicited;
  messages_.pop_front();
  ++done_recv_;
  return solicited;
}

void Endpoint::own_received(uint64_t now, const transport::Completion& wc, const Message& m) {
  require(wc.wr_id == done_recv_ && !posted_recvs_.empty(), "receives out of order, missing or twice");
  memory_.scatter(posted_recvs_.front(), m.bytes.data(), static_cast<uint32_t>(m.bytes.size()));
  require(memory_.holds(posted_recvs_.front()), "wrong bytes in a receive");
  posted_recvs_.pop_front();
  recv_times_.push_back(now + (shape_.rq_delay_ns != 0 ? random_.below(shape_.rq_delay_ns) : 0));
  std::sort(recv_times_.begin(), recv_times_.end());
}

void Endpoint::check_memory() {
  require(outstanding_.empty(), "work requests without a completion");
  require(messages_.empty(), "messages that never came");
  for (uint32_t slot = 0; slot < kResults; ++slot) {
    const uint32_t at = results_.at + slot * 8;
    if (unknown_results_[slot]) std::memcpy(memory_.model(at), memory_.real(at), 8);
  }
  require(memory_.as_modeled(), "memory is not what the work requests make it");
}

void Endpoint::destroy() {
  require(qp_->recv_queued() == posted_recvs_.size(), "receives gone without a completion");
  require(engine_.destroy_cq(cq_) == EBUSY, "a CQ destroyed under its QP");
  require(engine_.destroy_qp(qp_) == 0, "destroy_qp failed");
  free_windows();
  for (const Region* r : {&source_, &window_, &read_, &chain_, &words_, &results_, &recv_}) {
    require(engine_.dealloc_pd(pd_) == EBUSY, "a PD gone under its regions");
    require(engine_.dereg_mr(r->key) == 0, "dereg_mr failed");
  }
  if (shared_ != nullptr) require(engine_.dereg_mr(shared_key_) == 0, "dereg_mr failed");
}

}  // namespace uroce::sim
