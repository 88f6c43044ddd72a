#include "uroce/cm/ports.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "uroce/refusal.h"

namespace uroce::cm {
namespace {

// The first port that an ordinary user may bind, as for TCP.
uint32_t first_unprivileged() {
  uint32_t port = 1024;
  std::ifstream("/proc/sys/net/ipv4/ip_unprivileged_port_start") >> port;
  return port;
}

bool overlap(const Binding& a, const Binding& b) {
  return std::any_of(a.gids.begin(), a.gids.end(), [&](std::size_t gid) {
    return std::find(b.gids.begin(), b.gids.end(), gid) != b.gids.end();
  });
}

}  // namespace

std::string Ports::name(uint16_t space, uint16_t port, std::size_t gid_index) const {
  return places_[gid_index].prefix + "ps" + std::to_string(space) + "." + std::to_string(port);
}

std::size_t Ports::gid_index(const Gid& gid) const {
  const auto it = std::find_if(places_.begin(), places_.end(), [&](const Place& p) { return p.gid == gid; });
  return static_cast<std::size_t>(it - places_.begin());
}

bool Ports::in_use(uint16_t space, uint16_t port, std::size_t gid_index) const {
  const std::string wanted = name(space, port, gid_index);
  return names_.contains(wanted) || neighbors_.name_in_use(wanted);
}

Binding* Ports::add(Binding binding) {
  ++used_[key(binding)];
  return &bindings_.emplace_back(std::move(binding));
}

bool Ports::conflicts(const Binding& wanted) const {
  if (!used_.contains(key(wanted))) return false;
  return std::any_of(bindings_.begin(), bindings_.end(), [&](const Binding& other) {
    if (&other == &wanted || other.space != wanted.space || other.port != wanted.port) return false;
    if (other.reuse && wanted.reuse && !other.listening && !wanted.listening) return false;
    return overlap(other, wanted);
  });
}

std::expected<Binding*, int> Ports::bind(Binding wanted) {
  if (wanted.port == 0) {
    wanted.port = free_port(wanted);
    if (wanted.port == 0) return std::unexpected(refuse(EADDRNOTAVAIL, Cause::cm_no_port));
    return add(std::move(wanted));
  }
  if (geteuid() != 0 && wanted.port < first_unprivileged())
    return std::unexpected(refuse(EACCES, Cause::cm_port_privileged, wanted.port, first_unprivileged()));
  if (conflicts(wanted)) return std::unexpected(refuse(EADDRINUSE, Cause::cm_port_taken, wanted.port));
  if (const int error = claim_names(wanted); error != 0) return std::unexpected(error);
  return add(std::move(wanted));
}

int Ports::listen(Binding& binding) {
  binding.listening = true;
  int error = conflicts(binding) ? EADDRINUSE : 0;
  if (error == 0 && !binding.named) error = claim_names(binding);
  if (error != 0) binding.listening = false;
  return error;
}

void Ports::release(Binding* binding, bool keep_names) {
  if (keep_names) {
    released_.push_back(*binding);
  } else {
    drop_names(*binding);
  }
  if (const auto it = used_.find(key(*binding)); --it->second == 0) used_.erase(it);
  bindings_.remove_if([binding](const Binding& c) { return &c == binding; });
}

void Ports::release_idle_names(const std::function<bool(uint16_t space, uint16_t port)>& busy) {
  std::erase_if(released_, [&](Binding& binding) {
    if (busy(binding.space, binding.port)) return false;
    drop_names(binding);
    return true;
  });
}

const Binding* Ports::listener(uint16_t space, uint16_t port, std::size_t gid_index) const {
  const Binding* found = nullptr;
  for (const Binding& c : bindings_) {
    if (!c.listening || c.space != space || c.port != port) continue;
    if (std::find(c.gids.begin(), c.gids.end(), gid_index) == c.gids.end()) continue;
    if (found == nullptr || !c.wildcard) found = &c;
  }
  return found;
}

int Ports::claim_names(Binding& binding) {
  for (std::size_t i = 0; i < binding.gids.size(); ++i) {
    const std::string wanted = name(binding.space, binding.port, binding.gids[i]);
    auto& users = names_[wanted];
    const int error = users == 0 ? neighbors_.claim_name(wanted) : 0;
    if (error == 0) {
      ++users;
      continue;
    }
    names_.erase(wanted);
    Binding taken = binding;
    taken.named = true;
    taken.gids.resize(i);
    drop_names(taken);
    return error;
  }
  binding.named = true;
  return 0;
}

void Ports::drop_names(Binding& binding) {
  if (!binding.named) return;
  for (std::size_t gid : binding.gids) {
    const auto it = names_.find(name(binding.space, binding.port, gid));
    if (it == names_.end() || --it->second > 0) continue;
    neighbors_.drop(it->first);
    names_.erase(it);
  }
  binding.named = false;
}

// Takes a block of ports that no process on any of the device's addresses has.
bool Ports::claim_block(uint16_t space) {
  constexpr uint32_t kBlocks = (kEnd - kFirst) / kBlock;
  const uint32_t start = random_.next() % kBlocks;
  for (uint32_t n = 0; n < kBlocks; ++n) {
    const uint32_t first = kFirst + (start + n) % kBlocks * kBlock;
    std::vector<std::string> taken;
    bool all = true;
    for (std::size_t i = 0; all && i < places_.size(); ++i) {
      if (places_[i].gid == Gid{}) continue;
      const std::string wanted = name(space, static_cast<uint16_t>(first), i) + ".block";
      const int error = neighbors_.claim_name(wanted);
      if (error != 0 && error != EADDRINUSE) return false;
      all = error == 0;
      if (all) taken.push_back(wanted);
    }
    if (all) {
      blocks_[space].push_back(first);
      return true;
    }
    for (const std::string& wanted : taken) neighbors_.drop(wanted);
  }
  return false;
}

uint16_t Ports::free_port(const Binding& wanted) {
  Binding tried = wanted;
  do {
    for (uint32_t first : blocks_[wanted.space]) {
      const uint32_t start = random_.next() % kBlock;
      for (uint32_t n = 0; n < kBlock; ++n) {
        tried.port = static_cast<uint16_t>(first + (start + n) % kBlock);
        // A used port counts as used for everything, even where REUSEADDR would allow more.
        if (used_.contains(key(tried))) continue;
        const bool elsewhere = std::any_of(wanted.gids.begin(), wanted.gids.end(), [&](std::size_t gid) {
          const std::string its = name(wanted.space, tried.port, gid);
          return !names_.contains(its) && neighbors_.name_in_use(its);
        });
        if (!elsewhere) return tried.port;
      }
    }
  } while (claim_block(wanted.space));
  return 0;
}

}  // namespace uroce::cm
