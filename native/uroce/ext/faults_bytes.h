// Settings of the fault injector as bytes, for the processes of one machine: whole structures of uroce.h,
// each preceded by its size, so that a reader accepts them from an older or a newer writer. Members that
// the reader does not know must be zero.
#pragma once

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "uroce/ext/uroce.h"

namespace uroce::ext {

struct Faults {
  std::optional<uroce_fault_rates> rates;
  std::optional<uroce_shaping> shaping;
  std::vector<uroce_fault_rule> rules;

  bool none() const { return !rates && !shaping && rules.empty(); }
};

// Header of the structures, in host byte order. A size of 0: the structure is absent.
struct FaultsHead {
  uint32_t version;  // kFaultsVersion
  uint16_t rates_size;
  uint16_t shaping_size;
  uint16_t rule_size;
  uint16_t rules;
};
static_assert(sizeof(FaultsHead) == 12);

inline constexpr uint32_t kFaultsVersion = 1;

inline std::vector<uint8_t> faults_bytes(const Faults& faults) {
  const FaultsHead head{
      .version = kFaultsVersion,
      .rates_size = static_cast<uint16_t>(faults.rates ? sizeof *faults.rates : 0),
      .shaping_size = static_cast<uint16_t>(faults.shaping ? sizeof *faults.shaping : 0),
      .rule_size = sizeof(uroce_fault_rule),
      .rules = static_cast<uint16_t>(faults.rules.size()),
  };
  std::vector<uint8_t> out;
  const auto add = [&out](const void* data, std::size_t size) {
    const auto* at = static_cast<const uint8_t*>(data);
    out.insert(out.end(), at, at + size);
  };
  add(&head, sizeof head);
  if (faults.rates) add(&*faults.rates, sizeof *faults.rates);
  if (faults.shaping) add(&*faults.shaping, sizeof *faults.shaping);
  if (!faults.rules.empty()) add(faults.rules.data(), faults.rules.size() * sizeof(uroce_fault_rule));
  return out;
}

// Reads a structure of `size` bytes in the writer's version. False if a member that this reader does not
// know is set.
template <class T>
bool read_sized(const uint8_t* from, std::size_t size, T* out) {
  *out = T{};
  std::memcpy(out, from, size < sizeof(T) ? size : sizeof(T));
  for (std::size_t i = sizeof(T); i < size; ++i) {
    if (from[i] != 0) return false;
  }
  return true;
}

// Returns 0; EBADMSG when the sizes do not match the header, E2BIG for too many rules, EOPNOTSUPP for
// another version and for settings that this reader does not know. The values are checked where they are
// used.
inline int read_faults(std::span<const uint8_t> bytes, Faults* out) {
  FaultsHead head;
  if (bytes.size() < sizeof head) return EBADMSG;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (head.version != kFaultsVersion) return EOPNOTSUPP;
  const std::size_t rules = std::size_t{head.rule_size} * head.rules;
  if (bytes.size() != sizeof head + head.rates_size + head.shaping_size + rules) return EBADMSG;
  if (head.rules > 0 && head.rule_size == 0) return EBADMSG;
  if (head.rules > UROCE_FAULT_RULES_MAX) return E2BIG;
  *out = {};
  bool known = true;
  const uint8_t* at = bytes.data() + sizeof head;
  if (head.rates_size > 0) known &= read_sized(at, head.rates_size, &out->rates.emplace());
  at += head.rates_size;
  if (head.shaping_size > 0) known &= read_sized(at, head.shaping_size, &out->shaping.emplace());
  at += head.shaping_size;
  out->rules.resize(head.rules);
  for (uroce_fault_rule& rule : out->rules) {
    known &= read_sized(at, head.rule_size, &rule);
    at += head.rule_size;
  }
  return known ? 0 : EOPNOTSUPP;
}

}  // namespace uroce::ext
