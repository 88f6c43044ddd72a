// Steering by destination QPN inside a SO_REUSEPORT group, without privilege.
//
// A queue pair number is slot (12 bits) << 12 | local index (12 bits), and a slot is a socket's place in the
// group. The classic BPF program returns the slot; it sees the packet from the UDP payload on, where BTH has
// the QPN in bytes 5 to 7. A UDP_SEGMENT send is steered once, by its first segment, so all segments of a
// send must go to one slot.
//
// Slot 0 belongs to no process. Packets to queue pair 1 of it are management datagrams: an answer goes to the
// slot in the communication ID that it answers (the machine in cm/ puts it there), a request to socket 0.
#pragma once

#include <cstdint>

namespace uroce::net {

inline constexpr uint32_t kSlotBits = 12;
inline constexpr uint32_t kMaxSlots = 1u << kSlotBits;
inline constexpr uint32_t kManagementSlot = 0;

inline constexpr uint32_t slot_of(uint32_t qpn) { return (qpn & 0xffffff) >> (24 - kSlotBits); }

// Attaches the program to the group of this socket. Returns 0 or errno.
int attach_steering(int fd);

// True if a packet for this slot arrives at this socket. A packet for a slot beyond the end of the group
// goes to any socket, so true proves the place only if the group is known to be longer.
bool probe_slot(int fd, uint32_t slot);
// The place of the socket in its group: the lowest slot whose packets arrive. Negative if none below `limit`
// do.
int find_slot(int fd, uint32_t limit);
// True for a probe packet that arrived at another socket, which ignores it.
bool is_probe(const uint8_t* packet, uint32_t length);

}  // namespace uroce::net
