#include "uroce/cm/dispatch.h"

#include <algorithm>
#include <cerrno>

#include "uroce/wire/cm_messages.h"

namespace uroce::cm {
namespace {

// A request may arrive shortly before its listener exists: on one host the programs of a pair start, and go
// on to their next connection, within milliseconds of each other. The requester hears "invalid service ID"
// after 5 + 10 + 20 + 40 ms.
constexpr uint64_t kFirstPause = 5'000'000, kLastPause = 40'000'000;  // ns
constexpr std::size_t kMostEarly = 1024;

// No process has the name, or its process has just ended or released it. Every other failure is this
// process's own (too many descriptors, a full queue) and says nothing about the listener.
bool no_listener_there(int error) { return error == ECONNREFUSED || error == ECONNRESET || error == EPIPE; }

}  // namespace

void Dispatch::on_mad(const net::ForwardedMad& mad, bool forwarded, uint64_t now) {
  route({mad, forwarded, 0, kFirstPause}, now);
}

void Dispatch::route(const Early& request, uint64_t now) {
  const Address from{request.mad.destination, request.mad.source};
  if (!ports_.has_address(from.local)) return;
  const Fate fate = fate_of(request);
  if (fate == Fate::handed_over) return;
  if (fate == Fate::ours || request.pause == 0 || early_.size() >= kMostEarly) {
    return machine_.on_mad(request.mad.data.data(), from, now);
  }
  Early later = request;
  later.due = now + later.pause;
  later.pause = later.pause < kLastPause ? later.pause * 2 : 0;
  const auto place = std::upper_bound(early_.begin(), early_.end(), later.due,
                                      [](uint64_t due, const Early& e) { return due < e.due; });
  early_.insert(place, later);
}

Dispatch::Fate Dispatch::fate_of(const Early& request) {
  const uint8_t* mad = request.mad.data.data();
  const Address from{request.mad.destination, request.mad.source};
  const auto header = wire::MadHeader::parse(mad, wire::kMadSize);
  const bool datagram = header->attribute == wire::cm_attribute::sidr_req;
  if (!header->is_cm() || (!datagram && header->attribute != wire::cm_attribute::req)) return Fate::ours;
  // Both have the service ID at the same offset.
  const uint64_t service = wire::load64(mad + wire::MadHeader::kSize + 8);
  const uint16_t space = wire::port_space_of(service);
  if (space == 0 || machine_.knows(mad, from)) return Fate::ours;
  const std::size_t index = ports_.gid_index(from.local);
  if (ports_.listener(space, wire::port_of(service), index) != nullptr) return Fate::ours;
  if (request.forwarded) return Fate::early;
  const int error = neighbors_.forward(ports_.name(space, wire::port_of(service), index), request.mad);
  return no_listener_there(error) ? Fate::early : Fate::handed_over;
}

void Dispatch::on_time(uint64_t now) {
  while (!early_.empty() && early_.front().due <= now) {
    const Early request = early_.front();
    early_.pop_front();
    route(request, now);
  }
  machine_.on_time(now);
  release_idle_names();
}

uint64_t Dispatch::next_wake() const {
  return std::min(machine_.next_wake(), early_.empty() ? kNever : early_.front().due);
}

void Dispatch::release(Binding* binding) {
  const bool busy =
      binding->listening && machine_.handshakes(wire::service_id_of(binding->space, binding->port));
  ports_.release(binding, busy);
}

void Dispatch::release_idle_names() {
  ports_.release_idle_names([this](uint16_t space, uint16_t port) {
    return machine_.handshakes(wire::service_id_of(space, port));
  });
}

}  // namespace uroce::cm
