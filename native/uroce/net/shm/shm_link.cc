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

constexpr uint32_t kRingBudget = 4u << 20;           // each doubling of the number of rings halves them
constexpr uint64_t kFirstRetry = 10'000'000;         // ns, when no process has the name
constexpr uint64_t kLongestRetry = 1'000'000'000;    // ns
constexpr uint64_t kAnswerTime = 200'000'000;        // ns: a process that has a core answers in far less
constexpr uint64_t kLongestAnswer = 20'000'000'000;  // ns: of one that waits for a core
constexpr uint64_t kStopped = 500'000'000;           // ns without taking a packet from a full ring
constexpr uint32_t kUsesPerClockRead = 16;           // packets that share one reading of the clock
constexpr uint32_t kProbesPerLateRing = 8;           // polls without progress from one late ring to the next

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
  if (const auto ring = shm::SharedMemory::create(shm::ring_memory(shm::kMaxRing), shm::PeerRights::write);
      !ring)
    return std::unexpected(ring.error());
  std::unique_ptr<ShmLink> link(new ShmLink(share, std::move(*bell)));
  share.set_ring_handler(link.get());
  return link;
}

ShmLink::~ShmLink() { share_.set_ring_handler(nullptr); }

// ---- Out

ShmChannel& ShmLink::find(const Flow& flow, uint32_t slot) {
  if (&flow != last_flow_ || slot != last_slot_) {
    if (channels_.size() >= prune_at_) [[unlikely]]
      prune();
    auto& known = channels_[{flow.source, flow.destination, slot}];
    if (!known) known = std::make_unique<ShmChannel>();
    last_flow_ = &flow;
    last_slot_ = slot;
    last_channel_ = known.get();
  }
  return *last_channel_;
}

// A sender of datagrams may write to any number of queue pairs and hosts. What is lost is only when to ask
// again whether a process is there.
void ShmLink::prune() {
  std::erase_if(channels_, [](const auto& entry) {
    const ShmChannel& channel = *entry.second;
    return channel.state_ == ShmChannel::State::sockets && !channel.has_waiters_ && !channel.unflushed_ &&
           !channel.unread_;
  });
  prune_at_ = std::max(kManyChannels, 2 * channels_.size());
  last_flow_ = nullptr;
}

ShmChannel& ShmLink::channel(const Flow& flow, uint32_t slot) {
  ShmChannel& channel = find(flow, slot);
  if (channel.state_ != ShmChannel::State::open) [[unlikely]]
    update_state(channel, flow, slot);
  return channel;
}

ShmChannel& ShmLink::ask_again(const Flow& flow, uint32_t slot) {
  find(flow, slot).retry_at_ = 0;
  return channel(flow, slot);
}

void ShmLink::update_state(ShmChannel& channel, const Flow& flow, uint32_t slot) {
  if (channel.state_ == ShmChannel::State::sockets) {
    // Asked for each packet that takes the sockets, and long before the next try.
    if (cached_now_ == 0 || ++cached_now_uses_ % kUsesPerClockRead == 0) cached_now_ = now_ns();
    if (cached_now_ < channel.retry_at_) return;
  }
  const uint64_t now = now_ns();
  if (channel.state_ == ShmChannel::State::opening) {
    if (now < channel.next_check_) return;
    if (now < channel.opened_at_ + kLongestAnswer && share::runs(channel.connection_)) {
      channel.next_check_ = now + kAnswerTime;
      return;
    }
    close(channel);
    channel.retry_at_ = now + kLongestRetry;
    return refuse(channel, shm::kRefused);
  }
  if (now < channel.retry_at_) return;
  channel.opened_at_ = now;
  channel.next_check_ = now + kAnswerTime;
  const int error =
      share_.is_own(flow.destination, slot) ? open_to_self(channel, flow) : ask(channel, flow, slot);
  if (error == 0) return;
  if (error != ECONNREFUSED) refuse(channel, error);
  channel.error_ = error;
  channel.backoff_ = std::clamp(channel.backoff_ * 2, kFirstRetry, kLongestRetry);
  channel.retry_at_ = now + channel.backoff_;
}

void ShmLink::refuse(ShmChannel& channel, int error) {
  ++counters_.refused;
  channel.error_ = error;
  if (on_obstacle_) on_obstacle_(error);
}

uint32_t ShmLink::ring_size(uint32_t rings) {
  return std::clamp(std::bit_floor(kRingBudget / (rings + 1)), shm::kMinRing, shm::kMaxRing);
}

std::expected<shm::SharedMemory, int> ShmLink::make_ring(const Flow& flow) {
  auto memory = shm::SharedMemory::create(shm::ring_memory(ring_size(rings_)), shm::PeerRights::write);
  if (!memory) return memory;
  if (const int error = prepare(*memory)) return std::unexpected(error);
  std::memcpy(reinterpret_cast<shm::RingControl*>(memory->span().data())->source, flow.source.data(),
              flow.source.size());
  return memory;
}

int ShmLink::ask(ShmChannel& channel, const Flow& flow, uint32_t slot) {
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
  channel.memory_ = std::move(*memory);
  channel.writer_ = std::make_unique<shm::RingWriter>(channel.memory_.span());
  channel.connection_ = share_.keep(std::move(connection));
  ++rings_;
  channel.state_ = ShmChannel::State::opening;
  return 0;
}

int ShmLink::open_to_self(ShmChannel& channel, const Flow& flow) {
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
  channel.memory_ = std::move(*memory);  // for as long as the link
  channel.writer_ = std::make_unique<shm::RingWriter>(channel.memory_.span());
  channel.bell_ = std::move(*bell);
  ++rings_;
  channel.state_ = ShmChannel::State::open;
  return 0;
}

std::expected<shm::PeerBell, int> ShmLink::own_bell() const {
  auto event = bell_.eventfd_for_peer();
  if (!event) return std::unexpected(event.error());
  return shm::PeerBell::from_descriptors(std::move(*event), duplicate(bell_.page_fd()));
}

void ShmLink::close(ShmChannel& channel) {
  std::erase(unflushed_, &channel);
  std::erase(unread_, &channel);
  channel.unflushed_ = channel.unread_ = false;
  if (channel.connection_ >= 0) {
    share_.drop(channel.connection_);
    --rings_;
  }
  channel.connection_ = -1;
  channel.writer_.reset();
  channel.memory_ = {};
  channel.bell_ = {};
  channel.wakeup_requested_ = channel.reader_stopped_ = false;
  channel.full_at_ = UINT64_MAX;
  channel.state_ = ShmChannel::State::sockets;
  channel.retry_at_ = 0;
  channel.error_ = 0;
  changed_ = true;
}

uint32_t ShmLink::room(ShmChannel& channel) {
  uint32_t room = 0;
  if (channel.state_ == ShmChannel::State::open) {
    room = channel.writer_->room(shm::kMaxPacket, 1);
    if (channel.writer_->broken()) [[unlikely]] {
      ++counters_.broken;
      close(channel);
      return 1;  // the next packet takes the sockets
    }
  }
  if (room != 0) return room;
  if (!channel.has_waiters_) waiting_channels_.push_back(&channel);
  channel.has_waiters_ = true;
  if (channel.state_ != ShmChannel::State::open) return 0;
  reader_stopped(channel);
  if (channel.wakeup_requested_) return 0;
  ++counters_.full;
  // From now on the reader wakes this process when there is room. Room that it made before is found by
  // looking again.
  channel.wakeup_requested_ = true;
  channel.writer_->set_waiting(true);
  return channel.writer_->room(shm::kMaxPacket, 1);
}

bool ShmLink::reader_stopped(ShmChannel& channel) {
  if (channel.state_ != ShmChannel::State::open) return false;
  const uint64_t now = now_ns();
  const uint64_t read = channel.writer_->read();
  if (std::exchange(channel.full_at_, read) != read) {
    channel.full_since_ = now;
    channel.reader_stopped_ = false;
  } else if (now >= channel.full_since_ + kStopped) {
    channel.reader_stopped_ = true;
  }
  return channel.reader_stopped_;
}

bool ShmLink::made_progress(ShmChannel& channel, uint64_t* position) {
  if (channel.state_ != ShmChannel::State::open) return true;
  const uint64_t read = channel.writer_->read();
  return std::exchange(*position, read) != read;
}

uint8_t* ShmLink::reserve(ShmChannel& channel, uint32_t length) {
  return channel.state_ == ShmChannel::State::open ? channel.writer_->reserve(length) : nullptr;
}

void ShmLink::publish(ShmChannel& channel, uint32_t length, const Flow& flow, uint8_t tos) {
  shm::PacketInfo info{.tos = tos};
  if (flow.hop_limit != 0) info.ttl = flow.hop_limit;
  if (!flow.ipv4) info.flow_label = ntohl(reinterpret_cast<const sockaddr_in6&>(flow.to).sin6_flowinfo);
  channel.writer_->append(length, info);
  ++counters_.packets_out;
  counters_.bytes_out += length;
  if (channel.unflushed_) return;
  channel.unflushed_ = true;
  unflushed_.push_back(&channel);
}

void ShmLink::flush() {
  cached_now_ = 0;
  if (unflushed_.empty()) return;
  for (ShmChannel* channel : unflushed_) channel->writer_->release();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (ShmChannel* channel : unflushed_) {
    channel->unflushed_ = false;
    channel->bell_.ring();
    if (channel->unread_) continue;
    channel->unread_ = true;
    channel->read_up_to_ = UINT64_MAX;
    unread_.push_back(channel);
  }
  unflushed_.clear();
}

void ShmLink::ring_late() {
  std::erase_if(unread_, [](ShmChannel* channel) {
    const uint64_t read = channel->writer_->read();
    channel->unread_ = read != channel->writer_->written() && !channel->writer_->broken();
    if (read != std::exchange(channel->read_up_to_, read)) channel->probes_ = 0;
    if (channel->unread_ && channel->probes_++ % kProbesPerLateRing == 1) channel->bell_.ring_late();
    return !channel->unread_;
  });
}

// A quarter of a ring, so that a sender does not go back and forth for each packet. The reader rings when
// there is more.
bool ShmLink::has_room_again(ShmChannel& channel) {
  if (channel.state_ == ShmChannel::State::sockets) return true;
  // The next packet then takes the sockets, or waits on (update_state()).
  if (channel.state_ == ShmChannel::State::opening) return now_ns() >= channel.next_check_;
  const uint32_t enough = static_cast<uint32_t>(channel.memory_.span().size() / 4 / shm::kMaxPacket);
  return channel.writer_->room(shm::kMaxPacket, enough) >= enough || channel.writer_->broken();
}

uint64_t ShmLink::next_wake() const {
  uint64_t wake = kNever;
  for (const ShmChannel* channel : waiting_channels_) {
    if (channel->state_ == ShmChannel::State::opening) wake = std::min(wake, channel->next_check_);
    if (channel->state_ == ShmChannel::State::open && !channel->reader_stopped_)
      wake = std::min(wake, channel->full_since_ + kStopped);
  }
  return wake;
}

void ShmLink::stop_opening() {
  for (ShmChannel* channel : waiting_channels_) {
    if (channel->state_ != ShmChannel::State::opening) continue;
    close(*channel);
    channel->retry_at_ = now_ns() + kLongestRetry;
    refuse(*channel, shm::kRefused);
  }
}

bool ShmLink::room_returned() {
  bool returned = std::exchange(changed_, false);
  if (waiting_channels_.empty()) return returned;
  returned |= std::erase_if(waiting_channels_, [this](ShmChannel* channel) {
                const bool stopped = channel->reader_stopped_;
                if (!has_room_again(*channel) && (stopped || !reader_stopped(*channel))) return false;
                channel->has_waiters_ = false;
                if (std::exchange(channel->wakeup_requested_, false)) channel->writer_->set_waiting(false);
                return true;
              }) != 0;
  return returned;
}

bool ShmLink::sleep() {
  bell_.sleep();
  const bool work =
      std::ranges::any_of(inbound_, [](const auto& inbound) { return inbound->reader->ready(); }) ||
      std::ranges::any_of(waiting_channels_, [](ShmChannel* channel) { return has_room_again(*channel); });
  if (work) bell_.end_sleep();
  return !work;
}

// ---- Processes that come and go

ShmChannel* ShmLink::find_channel(int connection) const {
  for (const auto& [key, channel] : channels_) {
    if (channel->connection_ == connection) return channel.get();
  }
  return nullptr;
}

bool ShmLink::on_answer(int connection, share::Message& message) {
  ShmChannel* channel = find_channel(connection);
  if (channel == nullptr || channel->state_ != ShmChannel::State::opening || message.fds.size() != 2)
    return false;
  auto bell = shm::PeerBell::from_descriptors(std::move(message.fds[1]), message.fds[0]);
  if (!bell) return false;
  channel->bell_ = std::move(*bell);
  channel->state_ = ShmChannel::State::open;
  channel->backoff_ = 0;
  changed_ = true;
  return true;
}

void ShmLink::on_end(int connection) {
  for (const auto& request : ring_requests_) {
    if (request->connection == connection) request->connection = -1;
  }
  for (const auto& inbound : inbound_) {
    if (inbound->connection != connection) continue;
    inbound->ended = ended_ = true;
    inbound->connection = -1;
  }
  ShmChannel* channel = find_channel(connection);
  if (channel == nullptr) return;
  const bool refused = channel->state_ == ShmChannel::State::opening;
  channel->connection_ = -1;  // AddressShare closes it
  --rings_;
  close(*channel);
  if (!refused) return;
  channel->retry_at_ = now_ns() + kLongestRetry;
  refuse(*channel, shm::kRefused);
}

}  // namespace uroce::net
