// The other processes on the device's addresses, as the connection manager sees them. A name belongs to one
// process at a time and ends with it.
#pragma once

#include <string>

#include "uroce/net/share/mad_forward.h"

namespace uroce::cm {

class Neighbors {
 public:
  // Claims the name for this process, which then receives the MADs forwarded to it. 0, EADDRINUSE, or
  // another errno value.
  virtual int claim_name(const std::string& name) = 0;
  virtual void drop(const std::string& name) = 0;
  // True if any process has the name.
  virtual bool name_in_use(const std::string& name) const = 0;
  // Hands a request to the process that has the name. 0 or an errno value; see forward_mad().
  virtual int forward(const std::string& name, const net::ForwardedMad& mad) = 0;

 protected:
  ~Neighbors() = default;
};

}  // namespace uroce::cm
