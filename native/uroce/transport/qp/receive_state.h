// Where the receiving side of a QP stands.
#pragma once

#include <cstdint>

#include "uroce/transport/queues/work_queues.h"

namespace uroce::transport {

// A member of the QP. The executor and the responder, or UC in its place, get it by reference.
struct ReceiveState {
  enum class Message : uint8_t { none, send, write };

  ExtPsn first = 0;     // the first PSN of all
  ExtPsn expected = 0;  // the next PSN
  // The message under way.
  Message message = Message::none;
  uint32_t offset = 0;  // bytes of it taken so far
  uint64_t write_va = 0;
  uint32_t write_rkey = 0;
  uint32_t write_length = 0;
  uintptr_t fault = 0;  // where memory was gone when a request failed; 0: it was not

  void reset(uint32_t psn) {
    *this = {};
    first = expected = kExtPsnBase + psn;
  }
};

}  // namespace uroce::transport
