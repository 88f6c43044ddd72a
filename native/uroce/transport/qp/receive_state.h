// State of the receiving side of a QP.
#pragma once

#include <cstdint>

#include "uroce/transport/queues/work_queues.h"

namespace uroce::transport {

// Member of the QP. The executor and the responder, or UC in its place, get it by reference.
struct ReceiveState {
  enum class Message : uint8_t { none, send, write };

  ExtPsn first = 0;     // the very first PSN
  ExtPsn expected = 0;  // the next PSN
  // The current message.
  Message message = Message::none;
  uint32_t offset = 0;  // bytes of the message received so far
  uint64_t write_va = 0;
  uint32_t write_rkey = 0;
  uint32_t write_length = 0;
  uintptr_t fault = 0;  // address of the memory that was gone when a request failed; 0: none

  void reset(uint32_t psn) {
    *this = {};
    first = expected = kExtPsnBase + psn;
  }
};

}  // namespace uroce::transport
