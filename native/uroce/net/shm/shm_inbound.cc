// The rings that other processes write to, and this one reads.
#include <cstring>

#include "uroce/net/share/share_message.h"
#include "uroce/net/shm/shm_link.h"

namespace uroce::net {
namespace {

constexpr uint32_t kBrief = 512;       // bytes of packets that may be a question and its ACK
constexpr uint32_t kTurn = 32u << 10;  // bytes taken from one ring before the next has its turn

}  // namespace

// Page faults on the first lap would be noticed. The many small rings of a process with many peers stay
// empty for the most part, so their pages come as they are used.
int ShmLink::prepare(const shm::SharedMemory& ring) {
  return ring.span().size() == shm::ring_memory(shm::kMaxRing) ? ring.populate() : 0;
}

bool ShmLink::receive_from(Inbound& inbound, DatagramHandler& handler, uint32_t bytes, uint32_t* packets) {
  shm::RingReader& reader = *inbound.reader;
  shm::RingReader::Packet packet;
  uint32_t taken = 0;
  // A reader that had to wait for this batch does not wait for the line behind it to come from the writer's
  // core, only to find nothing there: it has an answer to give.
  const bool kept_up = std::exchange(inbound.empty, false);
  bool answer = false;
  while (!answer && taken < bytes && reader.pop(&packet)) {
    Datagram d;
    d.data = packet.data;
    d.length = d.segment = packet.length;
    d.source = &inbound.source;
    d.destination = &inbound.destination;
    d.source_port = wire::kRocePort;
    d.tos = packet.info.tos;
    d.ttl = packet.info.ttl;
    d.flow_label = packet.info.flow_label;
    d.same_host = true;
    d.time = clock_ != nullptr ? clock_->now() : 0;
    taken += packet.length;
    counters_.bytes_in += packet.length;
    ++*packets;
    handler.on_datagram(d);
    answer = kept_up && packet.last && taken <= kBrief;
  }
  inbound.empty = taken == 0;
  // Publish the read position now; the next receive() returns the space and wakes a waiting writer.
  if (answer) {
    reader.publish_position();
    return false;
  }
  const bool more = reader.ready() && !reader.broken();
  if (reader.give_back(!more)) inbound.bell.ring();
  return more;
}

bool ShmLink::receive(DatagramHandler& handler, uint32_t bytes, uint32_t* packets) {
  bool more = false;
  const uint32_t before = *packets;
  const std::size_t count = inbound_.size();
  const uint32_t turn = count == 1 ? bytes : kTurn;
  for (std::size_t i = 0; i < count; ++i) {
    Inbound& inbound = *inbound_[(next_inbound_ + i) % count];
    more |= receive_from(inbound, handler, turn, packets);
    ended_ |= inbound.ended || inbound.reader->broken();
  }
  next_inbound_ = (next_inbound_ + 1) % count;
  counters_.packets_in += *packets - before;
  if (ended_) [[unlikely]]
    remove_dead_rings();
  return more;
}

// Rings whose writers are gone and which are empty, and those that are broken.
void ShmLink::remove_dead_rings() {
  ended_ = false;
  std::erase_if(inbound_, [this](const auto& inbound) {
    if (inbound->reader->broken()) {
      ++counters_.broken;
      if (inbound->connection >= 0 && !inbound->ended) share_.drop(inbound->connection);
      return true;
    }
    return inbound->ended && !inbound->reader->ready();
  });
  next_inbound_ = 0;
}

bool ShmLink::on_ring(const LocalAddress& local, int connection, share::Message& message) {
  if (message.fds.size() != 3 || !shm::is_ring_size(message.header.first)) return false;
  ring_requests_.push_back(std::make_unique<RingRequest>(connection, local, std::move(message), nullptr));
  return true;
}

std::unique_ptr<ShmLink::Inbound> ShmLink::map(RingRequest& request) {
  auto& fds = request.message.fds;
  auto memory =
      shm::SharedMemory::map(fds[0], shm::ring_memory(request.message.header.first), shm::PeerRights::write);
  if (!memory || prepare(*memory) != 0) return nullptr;
  auto bell = shm::PeerBell::from_descriptors(std::move(fds[2]), fds[1]);
  if (!bell) return nullptr;
  auto inbound = std::make_unique<Inbound>();
  std::memcpy(inbound->source.data(),
              reinterpret_cast<const shm::RingControl*>(memory->span().data())->source, sizeof(Gid));
  inbound->destination = request.local.gid;
  if (is_ipv4(inbound->source) != is_ipv4(request.local.gid)) return nullptr;
  if (!is_address_of_this_host(inbound->source, request.local.scope_id)) return nullptr;
  inbound->memory = std::move(*memory);
  inbound->reader = std::make_unique<shm::RingReader>(inbound->memory.span());
  inbound->bell = std::move(*bell);
  return inbound;
}

void ShmLink::accept_ring(RingRequest& request) {
  if (request.connection < 0) return;
  auto event = bell_.eventfd_for_peer();
  if (!request.inbound || !event) return share_.drop(request.connection);
  const int fds[] = {bell_.page_fd(), event->get()};
  const share::Header answer{.type = share::Type::ring_taken, .count = std::size(fds)};
  if (share::send_message(request.connection, answer, fds) != 0) return share_.drop(request.connection);
  request.inbound->connection = request.connection;
  request.inbound->event = std::move(*event);
  inbound_.push_back(std::move(request.inbound));
}

}  // namespace uroce::net
