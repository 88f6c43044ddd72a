// The TCP connection on which both sides of vlloop meet: lines of words, as perftest exchanges its QP data.
#pragma once

#include <string>
#include <vector>

#include "bench/socket.h"
#include "bench/vlloop/args.h"

namespace vlloop {

class Control {
 public:
  // Client: connects. Server: listens and takes one client. Throws vlbench::Failure.
  explicit Control(const Args& args);
  void send(const std::string& line);
  // Words of the next line. Throws ECONNRESET when the peer has gone.
  std::vector<std::string> receive();

  // The client's half of the arguments, to and from a line.
  static std::string encode(const Args& args);
  static void decode(const std::vector<std::string>& words, Args& args);

 private:
  vlbench::Socket socket_;
  std::string pending_;
};

}  // namespace vlloop
