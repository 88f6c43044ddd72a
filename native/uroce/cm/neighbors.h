// What the connection manager of one process needs from the other processes on its addresses. A name belongs
// to one process at a time and ends with it.
#pragma once

#include <string>

#include "uroce/net/share/mad_forward.h"

namespace uroce::cm {

class Neighbors {
 public:
  // Takes the name for this process, and what is forwarded to it. 0, EADDRINUSE, or another errno value.
  virtual int take(const std::string& name) = 0;
  virtual void drop(const std::string& name) = 0;
  // Does any process have the name?
  virtual bool taken(const std::string& name) const = 0;
  // Hands a request to the process that has the name. 0 or an errno value; see forward_mad().
  virtual int forward(const std::string& name, const net::ForwardedMad& mad) = 0;

 protected:
  ~Neighbors() = default;
};

}  // namespace uroce::cm
