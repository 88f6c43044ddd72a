// Tells when an interface or an address of this machine may have changed (rtnetlink(7)). The messages are not
// parsed: after each, the reader looks at the interfaces again.
#pragma once

#include "uroce/net/host/unique_fd.h"

namespace uroce::net {

class LinkWatch {
 public:
  // Without a netlink socket (a sandbox may forbid it) no change is ever reported.
  LinkWatch();

  // Readable when an interface or address changed; -1 without a netlink socket.
  int fd() const { return fd_.get(); }
  // Takes the news in. True if there was any, also if some was lost.
  bool drain();

 private:
  UniqueFd fd_;
};

}  // namespace uroce::net
