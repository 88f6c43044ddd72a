#include "bench/vlloop/control.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <sstream>

#include "bench/failure.h"

namespace vlloop {

using vlbench::Failure;

Control::Control(const Args& args) {
  const vlbench::Address address =
      vlbench::resolve(args.host.empty() ? "0.0.0.0" : args.host, args.port, SOCK_STREAM);
  const std::string where = "port " + std::to_string(args.port);
  if (args.host.empty()) {
    const vlbench::Socket listener = vlbench::listen_on(address, 1);
    std::fprintf(stderr, "vlloop: listening on %s\n", where.c_str());
    socket_ = vlbench::Socket(accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!socket_) vlbench::throw_errno("accept", where);
  } else {
    socket_ = vlbench::open_socket(address, SOCK_STREAM);
    if (connect(socket_.fd(), address.get(), address.length) != 0)
      vlbench::throw_errno("connect", args.host + " " + where);
  }
}

void Control::send(const std::string& line) {
  const std::string data = line + "\n";
  for (size_t at = 0; at < data.size();) {
    const ssize_t sent = ::send(socket_.fd(), data.data() + at, data.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) vlbench::throw_errno("send", "control connection");
    if (sent > 0) at += static_cast<size_t>(sent);
  }
}

std::vector<std::string> Control::receive() {
  size_t end;
  while ((end = pending_.find('\n')) == std::string::npos) {
    char buffer[4096];
    const ssize_t got = recv(socket_.fd(), buffer, sizeof buffer, 0);
    if (got == 0) throw Failure(ECONNRESET, "recv", "the other side closed the connection");
    if (got < 0 && errno != EINTR) vlbench::throw_errno("recv", "control connection");
    if (got > 0) pending_.append(buffer, static_cast<size_t>(got));
  }
  std::istringstream words(pending_.substr(0, end));
  pending_.erase(0, end + 1);
  std::vector<std::string> out;
  for (std::string word; words >> word;) out.push_back(word);
  return out;
}

std::string Control::encode(const Args& a) {
  std::ostringstream out;
  out << "vlloop2 " << static_cast<int>(a.transport) << ' ' << a.op << ' ' << a.latency << ' ' << a.size
      << ' ' << a.iterations << ' ' << a.tx_depth << ' ' << a.rx_depth << ' ' << a.post_list << ' '
      << a.cq_mod << ' ' << a.qps << ' ' << a.inline_size << ' ' << a.mtu << ' ' << a.event << ' '
      << a.direction << ' ' << a.segments << ' ' << a.places;
  return out.str();
}

void Control::decode(const std::vector<std::string>& words, Args& a) {
  std::string joined;
  for (const auto& word : words) joined += word + ' ';
  std::istringstream in(joined);
  std::string magic;
  int transport = 0;
  in >> magic >> transport >> a.op >> a.latency >> a.size >> a.iterations >> a.tx_depth >> a.rx_depth >>
      a.post_list >> a.cq_mod >> a.qps >> a.inline_size >> a.mtu >> a.event >> a.direction >> a.segments >>
      a.places;
  if (!in || magic != "vlloop2")
    throw Failure(EPROTO, "control connection", "the client is not a vlloop of this version");
  if (transport != static_cast<int>(a.transport))
    throw Failure(EINVAL, "control connection", "client and server use different transports");
}

}  // namespace vlloop
