// PAUSE frames of priority flow control (802.1Qbb): sent, refreshed, obeyed; and the watchdog against pauses that do
// not end.
#include <algorithm>
#include <bit>

#include "sim/fabric/fabric.h"

namespace vlsim {
namespace {

// A quantum is 512 bit times.
Time quanta_time(const Port& port, uint64_t quanta) { return quanta * 512 * 1'000'000 / port.link.rate.mbps; }

}  // namespace

uint16_t Fabric::quanta_of(const Port& port) const {
  return port.host ? 65535 : switches[port.owner]->set.pause_quanta;
}

void Fabric::send_pause(Port& port, uint32_t cls, bool stop, Time now) {
  port.pausing = stop ? port.pausing | 1u << cls : port.pausing & ~(1u << cls);
  port.quanta[cls] = stop ? quanta_of(port) : 0;
  port.pause_due |= 1u << cls;
  if (stop) {
    // Refreshed when half of the time is over, as switches do.
    port.refresh_at[cls] = now + quanta_time(port, quanta_of(port)) / 2;
    events.push(port.refresh_at[cls], EventKind::refresh, port.index, cls);
  }
  pump(port, now);
}

uint32_t Fabric::take_pause(Port& port, Time now) {
  const uint32_t id = make_packet(PacketKind::pause, now);
  Packet& p = packets[id];
  p.bytes = kPauseFrame;
  p.traffic_class = 0;
  p.header[0] = static_cast<uint8_t>(port.pause_due);
  for (uint32_t w = port.pause_due; w != 0; w &= w - 1) {
    const auto cls = static_cast<uint32_t>(std::countr_zero(w));
    const uint16_t quanta = port.quanta[cls];
    p.header[1 + 2 * cls] = static_cast<uint8_t>(quanta >> 8);
    p.header[2 + 2 * cls] = static_cast<uint8_t>(quanta);
    ++(quanta != 0 ? port.pauses_sent : port.resumes_sent)[cls];
    if (quanta != 0 && stop_.pause) stop("PAUSE");
  }
  port.pause_due = 0;
  ++port.sent_pauses;
  return id;
}

void Fabric::take_in_pause(Port& port, const Packet& p, Time now) {
  if (port.host && !hosts[port.owner]->settings().obeys_pause) return;
  for (uint32_t w = p.header[0]; w != 0; w &= w - 1) {
    const auto cls = static_cast<uint32_t>(std::countr_zero(w));
    const uint32_t quanta = uint32_t{p.header[1 + 2 * cls]} << 8 | p.header[2 + 2 * cls];
    const bool was = port.paused_until[cls] > now;
    if (!was) {
      port.end_pause(cls, port.paused_until[cls]);
      port.paused_since[cls] = port.paused_until[cls] = now;
    }
    port.paused_until[cls] = now + quanta_time(port, quanta);
    if (quanta == 0) {
      port.end_pause(cls, now);
      port.paused_since[cls] = now;
    } else {
      ++port.pauses_received[cls];
      port.last_pause[cls] = now;
    }
  }
  port.any_paused_until = *std::max_element(port.paused_until.begin(), port.paused_until.end());
  pump(port, now);
}

// Each release may let any of the paused peers go on: the pool that they share has grown.
void Fabric::resume_where_possible(Switch& at, Time now) {
  for (size_t i = 0; i < at.stopped.size();) {
    const auto [number, cls] = at.stopped[i];
    if (!at.buffer.resumes(number, cls)) {
      ++i;
      continue;
    }
    at.buffer.group(number, cls).xoff = false;
    at.stopped[i] = at.stopped.back();
    at.stopped.pop_back();
    send_pause(*ports[at.ports[number]], cls, false, now);
  }
}

void Fabric::refresh_pause(Port& port, uint32_t cls, Time now) {
  if (port.pausing >> cls & 1 && port.refresh_at[cls] == now) send_pause(port, cls, true, now);
}

void Fabric::poll_watchdog(Switch& at, Time now) {
  const WatchdogSettings& dog = at.set.watchdog;
  for (const uint32_t index : at.ports) {
    Port& port = *ports[index];
    for (uint32_t cls = 0; cls < kClasses; ++cls) {
      ClassQueue& q = port.queues[cls];
      const bool moved = q.left != port.left_at_poll[cls];
      port.left_at_poll[cls] = q.left;
      if (port.given_up >> cls & 1) {
        if (now - port.last_pause[cls] < dog.restore) continue;
        port.given_up &= ~(1u << cls);
        pump(port, now);
        continue;
      }
      const bool paused = port.paused_until[cls] > now && now - port.paused_since[cls] >= dog.detect;
      if (q.count == 0 || moved || !paused) continue;
      port.given_up |= 1u << cls;
      ++at.watchdog_actions;
      while (dog.drops && q.count != 0) {
        const uint32_t id = take(port, cls, now);
        const uint32_t ingress = packets[id].ingress, bytes = packets[id].bytes;
        drop(port, id, DropReason::watchdog);
        --port.refused[cls];
        ++port.flushed[cls];
        release(port, ingress, cls, bytes, now);
      }
      pump(port, now);
    }
  }
  events.push(now + dog.detect, EventKind::watchdog, at.index);
}

}  // namespace vlsim
