// What the headers of a packet say before its ICRC is checked: where it goes, or why it is turned down.
//
// The ICRC takes most of the time that the device spends on a small packet, so it comes last, as in rxe. Only
// what is dropped without an answer, an event or a completion is turned down here, since nothing of it can be
// trusted yet. A request is never judged by its PSN: ahead of the expected one it gets a NAK, behind it an
// ACK.
#pragma once

#include <cstdint>

#include "uroce/transport/packet_sink.h"

namespace uroce::transport {

class Engine;
class Qp;

// In the order in which they are looked for.
enum class Reject : uint8_t {
  none,
  malformed,        // too short, bad version, bad length or pad for its opcode
  unsupported,      // a service or opcode that this device does not serve
  unknown_qp,       // no such QP, or no QP of that group
  wrong_state,      // the QP takes no such packet in its state
  wrong_transport,  // for a QP of another transport service
  wrong_pkey,
  wrong_address,   // not from the QP's peer to the QP
  stray_response,  // answers nothing that was sent lately
};

struct Validated {
  Reject reject = Reject::none;
  Qp* qp = nullptr;  // none for queue pair 1 and multicast
  bool wanted() const { return reject == Reject::none; }
};

// Changes nothing, whatever the bytes are.
Validated validate(const Engine& engine, const RxPacket& packet);

}  // namespace uroce::transport
