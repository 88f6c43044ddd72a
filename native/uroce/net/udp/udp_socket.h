// A UDP socket on port 4791 of one local address, and the UDP features of this kernel.
//
// The socket is never connected: a connected one numbers its IPv4 packets by a counter that the ICRC covers
// and the sender cannot see (reference: wire notes in docs/device.md), and answers ECONNREFUSED while the
// peer is not up. With IP_MTU_DISCOVER = DO the kernel sends identification 0, and 0, 1, 2 ... over the
// segments of a UDP_SEGMENT send.
//
// The UDP source port of an unconnected socket is the port it is bound to, so every packet leaves from 4791,
// not from 0xC000 | hash(QPs). Receivers accept any source port (rxe does not look at it); what is lost is
// the spreading over equal-cost paths, which loopback and a single link do not have.
#pragma once

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <expected>
#include <string>

#include "uroce/net/host/address.h"
#include "uroce/net/host/unique_fd.h"

// Socket options of the kernel that older libc headers lack.
#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif
#ifndef UDP_NO_CHECK6_RX
#define UDP_NO_CHECK6_RX 102
#endif
#ifndef IPV6_FLOWINFO
#define IPV6_FLOWINFO 11
#endif
#ifndef IPV6_FLOWINFO_SEND
#define IPV6_FLOWINFO_SEND 33
#endif

namespace uroce::net {

// Room for the control messages of one datagram, in bytes.
inline constexpr std::size_t kControl = CMSG_SPACE(sizeof(int)) * 4;

// Makes a system call without the C library's wrapper, which makes each of these a cancellation point: two
// atomic operations in a process with threads, for every message.
template <class... Arguments>
ssize_t raw_syscall(long number, Arguments... arguments) {
  return syscall(number, arguments...);
}

struct UdpFeatures {
  bool gso = false;           // UDP_SEGMENT (Linux 4.18)
  bool gro = false;           // UDP_GRO (Linux 5.0)
  uint32_t max_segments = 1;  // a send: 64, from Linux 6.9 on 128
};

// Probes the features on a pair of throw-away loopback sockets. UROCE_NO_GSO=1 and UROCE_NO_GRO=1 switch
// either off.
UdpFeatures probe_udp_features();

// Bytes to request with SO_RCVBUF; the kernel doubles it and caps it at twice net.core.rmem_max.
inline constexpr int kReceiveBufferWanted = 4 << 20;

// Opens, configures and binds, with SO_REUSEPORT. The error is errno.
std::expected<UniqueFd, int> open_udp_socket(const LocalAddress& local, const UdpFeatures& features);

// Sets the options that a socket of ours has; again for one inherited from a process that died. Returns 0 or
// errno.
int configure_udp_socket(int fd, const LocalAddress& local, const UdpFeatures& features);

// Delivers the TOS or traffic class with datagrams from now on.
void show_marks(int fd, bool ipv4);

// Delivers traffic class, hop limit and flow label with received datagrams from now on; without this call
// only the traffic class, where the network may have marked it (not on loopback).
void show_ip_headers(int fd, bool ipv4);

// TTL or hop limit of packets from the socket, unless the send sets another.
uint8_t default_hop_limit(int fd, bool ipv4);

// Granted receive buffer in bytes, as the kernel accounts them (headers and slack of its buffers included).
uint32_t granted_receive_buffer(int fd);

// The kernel's figures of a socket's memory, by SK_MEMINFO_*; zeros where it reports none (before Linux
// 4.12).
std::array<uint32_t, SK_MEMINFO_VARS> socket_memory(int fd);

// Datagrams that the kernel has thrown away since the socket was opened, for want of receive buffer.
uint32_t overrun_datagrams(int fd);

// Throws away everything queued on the socket. For a socket inherited from a process that died.
void drain_socket(int fd);

}  // namespace uroce::net
