// The memory of one end: regions with guard bytes between them, and a model of the value of every byte,
// guards included. Regions are registered at an iova that differs from their address, to keep the two
// apart.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "uroce/random.h"
#include "uroce/transport/queues/work_request.h"
#include "violation.h"

namespace uroce::sim {

class Memory {
 public:
  static constexpr uint64_t kIova = 0x7000'0000'0000;
  static constexpr uint32_t kGuard = 64;

  // Reserves a region, before start(); returns its offset, a multiple of 64.
  uint32_t reserve(uint64_t size) {
    const uint64_t at = used_ + kGuard;
    used_ = (at + size + kGuard - 1) / kGuard * kGuard;
    return static_cast<uint32_t>(at);
  }
  // Fills everything with random bytes.
  void start(SeededRandom& random) {
    bytes_.resize(used_ + kGuard);
    for (size_t i = 0; i + 8 <= bytes_.size(); i += 8) {
      const uint64_t word = random.next64();
      std::memcpy(&bytes_[i], &word, 8);
    }
    model_ = bytes_;
  }

  uint8_t* real(uint64_t offset) { return bytes_.data() + offset; }
  uint8_t* model(uint64_t offset) { return model_.data() + offset; }
  static uint64_t iova(uint64_t offset) { return kIova + offset; }
  static uint64_t offset(const transport::Sge& sge) { return sge.addr - kIova; }

  // Copies out of and into a scatter/gather list of the model.
  void gather(const std::vector<transport::Sge>& list, uint8_t* to) const {
    for (const transport::Sge& s : list) {
      if (s.length != 0) std::memcpy(to, model_.data() + offset(s), s.length);
      to += s.length;
    }
  }
  void scatter(const std::vector<transport::Sge>& list, const uint8_t* from, uint32_t length) {
    for (const transport::Sge& s : list) {
      const uint32_t n = s.length < length ? s.length : length;
      if (n != 0) std::memcpy(model_.data() + offset(s), from, n);
      from += n;
      length -= n;
    }
  }
  // True if the bytes of the list equal the model.
  bool holds(const std::vector<transport::Sge>& list) const {
    for (const transport::Sge& s : list) {
      if (s.length != 0 && std::memcmp(bytes_.data() + offset(s), model_.data() + offset(s), s.length) != 0)
        return false;
    }
    return true;
  }
  bool as_modeled() const { return bytes_ == model_; }

 private:
  std::vector<uint8_t> bytes_, model_;
  uint64_t used_ = 0;
};

}  // namespace uroce::sim
