// Validation of the headers of a packet before its ICRC is checked: its queue pair, or the reason to reject
// it.
//
// The ICRC takes most of the time that the device spends on a small packet, so it comes last, as in rxe.
// Only packets that are dropped without an answer, an event or a completion are rejected here, since
// nothing in them can be trusted yet. A request is never judged by its PSN: ahead of the expected one it
// gets a NAK, behind it an ACK.
#pragma once

#include <cstdint>

#include "uroce/transport/packet_sink.h"

namespace uroce::transport {

class Engine;
class Qp;

// Reasons to reject a packet, in the order of the checks.
enum class Reject : uint8_t {
  none,
  malformed,        // too short, bad version, bad length or pad for its opcode
  unsupported,      // a service or opcode that this device does not serve
  unknown_qp,       // no such QP, or no QP of that group
  wrong_state,      // the QP takes no such packets in its state
  wrong_transport,  // for a QP of another transport service
  wrong_pkey,
  wrong_address,   // not from the QP's peer to the QP
  stray_response,  // answers no recent request
  end,             // not a reason: their number, none included
};

struct Validated {
  Reject reject = Reject::none;
  Qp* qp = nullptr;  // nullptr for queue pair 1 and multicast
  bool wanted() const { return reject == Reject::none; }
};

// Changes nothing, for any bytes.
Validated validate(const Engine& engine, const RxPacket& packet);

}  // namespace uroce::transport
