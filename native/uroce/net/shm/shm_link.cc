#include "uroce/net/shm/shm_link.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <utility>

#include "uroce/net/share/share_message.h"
#include "uroce/net/shm/memory.h"

namespace uroce::net {
namespace {

constexpr uint32_t kRingBudget = 4u << 20;          // each doubling of the number of rings halves them
constexpr uint64_t kFirstRetry = 10'000'000;        // ns, when no process has the name
constexpr uint64_t kLongestRetry = 1'000'000'000;   // ns
constexpr uint64_t kAnswerTime = 200'000'000;       // ns: a process that has a core answers in far less
constexpr uint64_t kLongestAnswer = 5'000'000'000;  // ns: of one that waits for a core
constexpr uint64_t kStopped = 500'000'000;          // ns without taking a packet from a full ring
constexpr uint32_t kAskedAtOnce = 16;               // packets for which one look at the clock will do
constexpr uint32_t kLooks = 8;                      // in vain from one late ring to the next

UniqueFd duplicate(int fd) { return UniqueFd(fcntl(fd, F_DUPFD_CLOEXEC, 0)); }

uint32_t scope_of(const Flow& flow) {
  return flow.ipv4 ? 0 : reinterpret_cast<const sockaddr_in6&>(flow.to).sin6_scope_id;
}

}  // namespace

std::size_t ShmLink::Hash::operator()(const Key& key) const {
  uint64_t parts[4];
  std::memcpy(parts, key.source.data(), 16);
  std::memcpy(parts + 2, key.destination.data(), 16);
  uint64_t hash = key.slot;
  for (const uint64_t part : parts) hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

std::expected<std::unique_ptr<ShmLink>, int> ShmLink::create(AddressShare& share) {
  auto bell = shm::Bell::create();
  if (!bell) return std::unexpected(bell.error());
  if (const auto ring = shm::SharedMemory::create(shm::ring_memory(shm::kMaxRing), shm::Others::write); !ring)
    return std::unexpected(ring.error());
  std::unique_ptr<ShmLink> link(new ShmLink(share, std::move(*bell)));
  share.set_ring_handler(link.get());
  return link;
}

ShmLink::~ShmLink() { share_.set_ring_handler(nullptr); }

// ---- Out

ShmLane& ShmLink::find(const Flow& flow, uint32_t slot) {
  if (&flow != last_flow_ || slot != last_slot_) {
    if (lanes_.size() >= prune_at_) [[unlikely]]
      prune();
    auto& known = lanes_[{flow.source, flow.destination, slot}];
    if (!known) known = std::make_unique<ShmLane>();
    last_flow_ = &flow;
    last_slot_ = slot;
    last_lane_ = known.get();
  }
  return *last_lane_;
}

// A sender of datagrams may write to any number of queue pairs and hosts. What is lost is only when to ask again whether
// a process is there.
void ShmLink::prune() {
  std::erase_if(lanes_, [](const auto& entry) {
    const ShmLane& lane = *entry.second;
    return lane.state_ == ShmLane::State::sockets && !lane.waiting_ && !lane.unflushed_ && !lane.unread_;
  });
  prune_at_ = std::max(kManyLanes, 2 * lanes_.size());
  last_flow_ = nullptr;
}

ShmLane& ShmLink::lane(const Flow& flow, uint32_t slot) {
  ShmLane& lane = find(flow, slot);
  if (lane.state_ != ShmLane::State::open) [[unlikely]]
    look_after(lane, flow, slot);
  return lane;
}

ShmLane& ShmLink::ask_again(const Flow& flow, uint32_t slot) {
  find(flow, slot).retry_at_ = 0;
  return lane(flow, slot);
}

void ShmLink::look_after(ShmLane& lane, const Flow& flow, uint32_t slot) {
  if (lane.state_ == ShmLane::State::sockets) {
    // Asked for each packet that takes the sockets, and long before the next try.
    if (looked_at_ == 0 || ++asked_ % kAskedAtOnce == 0) looked_at_ = now_ns();
    if (looked_at_ < lane.retry_at_) return;
  }
  const uint64_t now = now_ns();
  if (lane.state_ == ShmLane::State::opening) {
    if (now < lane.answer_by_) return;
    if (now < lane.opened_at_ + kLongestAnswer && share::runs(lane.connection_)) {
      lane.answer_by_ = now + kAnswerTime;
      return;
    }
    close(lane);
    lane.retry_at_ = now + kLongestRetry;
    return refuse(lane, shm::kRefused);
  }
  if (now < lane.retry_at_) return;
  lane.opened_at_ = now;
  lane.answer_by_ = now + kAnswerTime;
  const int error = share_.is_own(flow.destination, slot) ? open_to_self(lane, flow) : ask(lane, flow, slot);
  if (error == 0) return;
  if (error != ECONNREFUSED) refuse(lane, error);
  lane.error_ = error;
  lane.patience_ = std::clamp(lane.patience_ * 2, kFirstRetry, kLongestRetry);
  lane.retry_at_ = now + lane.patience_;
}

void ShmLink::refuse(ShmLane& lane, int error) {
  ++counters_.refused;
  lane.error_ = error;
  if (on_obstacle_) on_obstacle_(error);
}

uint32_t ShmLink::ring_size(uint32_t rings) {
  return std::clamp(std::bit_floor(kRingBudget / (rings + 1)), shm::kMinRing, shm::kMaxRing);
}

std::expected<shm::SharedMemory, int> ShmLink::make_ring(const Flow& flow) {
  auto memory = shm::SharedMemory::create(shm::ring_memory(ring_size(rings_)), shm::Others::write);
  if (!memory) return memory;
  if (const int error = prepare(*memory)) return std::unexpected(error);
  std::memcpy(reinterpret_cast<shm::RingControl*>(memory->span().data())->source, flow.source.data(),
              flow.source.size());
  return memory;
}

int ShmLink::ask(ShmLane& lane, const Flow& flow, uint32_t slot) {
  UniqueFd connection;
  if (const int error = share_.connect(flow.destination, scope_of(flow), slot, &connection)) return error;
  auto memory = make_ring(flow);
  if (!memory) return memory.error();
  const auto event = bell_.eventfd_for_peer();
  if (!event) return event.error();
  const int fds[] = {memory->fd(), bell_.page_fd(), event->get()};
  const share::Header header{.type = share::Type::ring,
                             .first = static_cast<uint32_t>(memory->span().size() - shm::kRecords),
                             .count = std::size(fds)};
  if (const int error = share::send_message(connection.get(), header, fds))
    return error == EPIPE || error == ECONNRESET ? ECONNREFUSED : error;  // it has just ended
  memory->close_fd();
  lane.memory_ = std::move(*memory);
  lane.writer_ = std::make_unique<shm::RingWriter>(lane.memory_.span());
  lane.connection_ = share_.keep(std::move(connection));
  ++rings_;
  lane.state_ = ShmLane::State::opening;
  return 0;
}

int ShmLink::open_to_self(ShmLane& lane, const Flow& flow) {
  auto memory = make_ring(flow);
  if (!memory) return memory.error();
  auto bell = own_bell();
  if (!bell) return bell.error();
  auto reader_bell = own_bell();
  if (!reader_bell) return reader_bell.error();
  memory->close_fd();
  auto inbound = std::make_unique<Inbound>();
  inbound->source = flow.source;
  inbound->destination = flow.destination;
  inbound->reader = std::make_unique<shm::RingReader>(memory->span());
  inbound->bell = std::move(*reader_bell);
  inbound_.push_back(std::move(inbound));
  lane.memory_ = std::move(*memory);  // for as long as the link
  lane.writer_ = std::make_unique<shm::RingWriter>(lane.memory_.span());
  lane.bell_ = std::move(*bell);
  ++rings_;
  lane.state_ = ShmLane::State::open;
  return 0;
}

std::expected<shm::PeerBell, int> ShmLink::own_bell() const {
  auto event = bell_.eventfd_for_peer();
  if (!event) return std::unexpected(event.error());
  return shm::PeerBell::take(std::move(*event), duplicate(bell_.page_fd()));
}

void ShmLink::close(ShmLane& lane) {
  std::erase(unflushed_, &lane);
  std::erase(unread_, &lane);
  lane.unflushed_ = lane.unread_ = false;
  if (lane.connection_ >= 0) {
    share_.drop(lane.connection_);
    --rings_;
  }
  lane.connection_ = -1;
  lane.writer_.reset();
  lane.memory_ = {};
  lane.bell_ = {};
  lane.told_ = lane.reader_stopped_ = false;
  lane.full_at_ = UINT64_MAX;
  lane.state_ = ShmLane::State::sockets;
  lane.retry_at_ = 0;
  lane.error_ = 0;
  changed_ = true;
}

uint32_t ShmLink::room(ShmLane& lane) {
  uint32_t room = 0;
  if (lane.state_ == ShmLane::State::open) {
    room = lane.writer_->room(shm::kMaxPacket, 1);
    if (lane.writer_->broken()) [[unlikely]] {
      ++counters_.broken;
      close(lane);
      return 1;  // the next packet takes the sockets
    }
  }
  if (room != 0) return room;
  if (!lane.waiting_) waiting_.push_back(&lane);
  lane.waiting_ = true;
  if (lane.state_ != ShmLane::State::open) return 0;
  reader_stopped(lane);
  if (lane.told_) return 0;
  ++counters_.full;
  // From now on the reader wakes this process when there is room. Room that it made before is found by looking again.
  lane.told_ = true;
  lane.writer_->set_waiting(true);
  return lane.writer_->room(shm::kMaxPacket, 1);
}

bool ShmLink::reader_stopped(ShmLane& lane) {
  if (lane.state_ != ShmLane::State::open) return false;
  const uint64_t now = now_ns();
  const uint64_t read = lane.writer_->read();
  if (std::exchange(lane.full_at_, read) != read) {
    lane.full_since_ = now;
    lane.reader_stopped_ = false;
  } else if (now >= lane.full_since_ + kStopped) {
    lane.reader_stopped_ = true;
  }
  return lane.reader_stopped_;
}

bool ShmLink::moves(ShmLane& lane, uint64_t* position) {
  if (lane.state_ != ShmLane::State::open) return true;
  const uint64_t read = lane.writer_->read();
  return std::exchange(*position, read) != read;
}

uint8_t* ShmLink::reserve(ShmLane& lane, uint32_t length) {
  return lane.state_ == ShmLane::State::open ? lane.writer_->reserve(length) : nullptr;
}

void ShmLink::publish(ShmLane& lane, uint32_t length, const Flow& flow, uint8_t tos) {
  shm::PacketInfo info{.tos = tos};
  if (flow.hop_limit != 0) info.ttl = flow.hop_limit;
  if (!flow.ipv4) info.flow_label = ntohl(reinterpret_cast<const sockaddr_in6&>(flow.to).sin6_flowinfo);
  lane.writer_->append(length, info);
  ++counters_.packets_out;
  counters_.bytes_out += length;
  if (lane.unflushed_) return;
  lane.unflushed_ = true;
  unflushed_.push_back(&lane);
}

void ShmLink::flush() {
  looked_at_ = 0;
  if (unflushed_.empty()) return;
  for (ShmLane* lane : unflushed_) lane->writer_->release();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (ShmLane* lane : unflushed_) {
    lane->unflushed_ = false;
    lane->bell_.ring();
    if (lane->unread_) continue;
    lane->unread_ = true;
    lane->read_up_to_ = UINT64_MAX;
    unread_.push_back(lane);
  }
  unflushed_.clear();
}

void ShmLink::ring_late() {
  std::erase_if(unread_, [](ShmLane* lane) {
    const uint64_t read = lane->writer_->read();
    lane->unread_ = read != lane->writer_->written() && !lane->writer_->broken();
    if (read != std::exchange(lane->read_up_to_, read)) lane->looks_ = 0;
    if (lane->unread_ && lane->looks_++ % kLooks == 1) lane->bell_.ring_late();
    return !lane->unread_;
  });
}

// A quarter of a ring, so that a sender does not go back and forth for each packet. The reader rings when there is more.
bool ShmLink::has_room_again(ShmLane& lane) {
  if (lane.state_ == ShmLane::State::sockets) return true;
  // The next packet then takes the sockets, or waits on (look_after()).
  if (lane.state_ == ShmLane::State::opening) return now_ns() >= lane.answer_by_;
  const uint32_t enough = static_cast<uint32_t>(lane.memory_.span().size() / 4 / shm::kMaxPacket);
  return lane.writer_->room(shm::kMaxPacket, enough) >= enough || lane.writer_->broken();
}

uint64_t ShmLink::next_wake() const {
  uint64_t wake = kNever;
  for (const ShmLane* lane : waiting_) {
    if (lane->state_ == ShmLane::State::opening) wake = std::min(wake, lane->answer_by_);
    if (lane->state_ == ShmLane::State::open && !lane->reader_stopped_)
      wake = std::min(wake, lane->full_since_ + kStopped);
  }
  return wake;
}

void ShmLink::stop_opening() {
  for (ShmLane* lane : waiting_) {
    if (lane->state_ != ShmLane::State::opening) continue;
    close(*lane);
    lane->retry_at_ = now_ns() + kLongestRetry;
    refuse(*lane, shm::kRefused);
  }
}

bool ShmLink::room_returned() {
  bool returned = std::exchange(changed_, false);
  if (waiting_.empty()) return returned;
  returned |= std::erase_if(waiting_, [this](ShmLane* lane) {
                const bool stopped = lane->reader_stopped_;
                if (!has_room_again(*lane) && (stopped || !reader_stopped(*lane))) return false;
                lane->waiting_ = false;
                if (std::exchange(lane->told_, false)) lane->writer_->set_waiting(false);
                return true;
              }) != 0;
  return returned;
}

bool ShmLink::sleep() {
  bell_.sleep();
  const bool work =
      std::ranges::any_of(inbound_, [](const auto& inbound) { return inbound->reader->ready(); }) ||
      std::ranges::any_of(waiting_, [](ShmLane* lane) { return has_room_again(*lane); });
  if (work) bell_.woke();
  return !work;
}

// ---- Processes that come and go

ShmLane* ShmLink::find_lane(int connection) const {
  for (const auto& [key, lane] : lanes_) {
    if (lane->connection_ == connection) return lane.get();
  }
  return nullptr;
}

bool ShmLink::on_answer(int connection, share::Message& message) {
  ShmLane* lane = find_lane(connection);
  if (lane == nullptr || lane->state_ != ShmLane::State::opening || message.fds.size() != 2) return false;
  auto bell = shm::PeerBell::take(std::move(message.fds[1]), message.fds[0]);
  if (!bell) return false;
  lane->bell_ = std::move(*bell);
  lane->state_ = ShmLane::State::open;
  lane->patience_ = 0;
  changed_ = true;
  return true;
}

void ShmLink::on_end(int connection) {
  for (const auto& asking : asking_) {
    if (asking->connection == connection) asking->connection = -1;
  }
  for (const auto& inbound : inbound_) {
    if (inbound->connection != connection) continue;
    inbound->ended = ended_ = true;
    inbound->connection = -1;
  }
  ShmLane* lane = find_lane(connection);
  if (lane == nullptr) return;
  const bool refused = lane->state_ == ShmLane::State::opening;
  lane->connection_ = -1;  // AddressShare closes it
  --rings_;
  close(*lane);
  if (!refused) return;
  lane->retry_at_ = now_ns() + kLongestRetry;
  refuse(*lane, shm::kRefused);
}

}  // namespace uroce::net
