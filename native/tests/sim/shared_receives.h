// The shared receive queue of a node under test: posts receives for all its connections, and checks what
// landed in each and when the limit event comes.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "endpoint.h"

namespace uroce::sim {

class SharedReceives {
 public:
  SharedReceives(transport::Engine& engine, uint32_t pd, const Shape& shape, uint32_t connections,
                 uint64_t seed);
  transport::Srq* srq() { return srq_; }
  // Posts receives whose time has come; now and then arms the limit or changes the size.
  void post(uint64_t now);
  uint64_t next_time() const { return times_.empty() ? kNever : times_.front(); }
  // A completion of this WR: it must hold these bytes. It is posted again later.
  void completed(uint64_t now, uint64_t wr_id, const std::vector<uint8_t>& bytes);
  void limit_reached();
  // Holds at every step.
  void check() const;
  void check_memory() const { require(memory_.as_modeled(), "bytes outside the shared receives changed"); }
  void destroy();

 private:
  static constexpr uint32_t kPieces = 8;
  transport::Engine& engine_;
  Shape shape_;
  SeededRandom random_;
  uint32_t count_;
  transport::Srq* srq_;
  Memory memory_;
  uint32_t at_, key_;
  uint32_t limit_ = 0;  // armed; 0 if not
  uint64_t next_id_ = 0;
  struct Posted {
    uint32_t place;
    std::vector<transport::Sge> list;
  };
  std::map<uint64_t, Posted> posted_;
  std::vector<uint32_t> free_;   // places in the memory
  std::vector<uint64_t> times_;  // when to post again, sorted
};

}  // namespace uroce::sim
