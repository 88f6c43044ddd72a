// Management datagrams handed from the process that took them in to the one that serves the port: one message
// on a connection to the abstract name that stands for the port.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "uroce/types.h"
#include "uroce/wire/mad.h"

namespace uroce::net {

struct ForwardedMad {
  Gid source{};
  Gid destination{};
  wire::MadBytes data{};
};

// Hands it to the process that listens on the name. 0, ECONNREFUSED (no such process of this user)
// or EAGAIN (it is too busy).
int forward_mad(const std::string& name, const ForwardedMad& mad);
// Reads one from an accepted connection. 0, EAGAIN (not there yet), EPIPE or EPROTO.
int receive_forwarded(int connection, ForwardedMad* out);

}  // namespace uroce::net
