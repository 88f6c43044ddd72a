#include "bench/failure.h"
#include "bench/socket_loop.h"
#include "bench/vlloop/sides.h"

namespace vlloop {
namespace {

vlbench::Direction direction_of(const Args& args) {
  if (args.direction == "out") return vlbench::Direction::kOut;
  if (args.direction == "in") return vlbench::Direction::kIn;
  if (args.direction == "both") return vlbench::Direction::kBoth;
  throw vlbench::Failure(EINVAL, "vlloop", "--direction is out, in or both");
}

MakeLoop maker(const Args& args, uint16_t port) {
  if (args.transport == Transport::kUdp) {
    vlbench::UdpOptions options;
    fill(args, options);
    options.host = args.host.empty() ? "0.0.0.0" : args.host;
    options.port = port;
    options.connected = args.connected;
    options.segments = args.segments;
    options.window = args.tx_depth;
    return [options](vlbench::Callbacks callbacks) {
      return options.latency ? vlbench::make_udp_pingpong(options, std::move(callbacks))
                             : vlbench::make_udp_stream(options, std::move(callbacks));
    };
  }
  vlbench::TcpOptions options;
  fill(args, options);
  options.host = args.host.empty() ? "0.0.0.0" : args.host;
  options.port = port;
  options.direction = direction_of(args);
  options.connections = args.qps;
  options.no_delay = args.latency;
  options.ack_every = args.ack_every;
  return [options](vlbench::Callbacks callbacks) {
    return vlbench::make_tcp_loop(options, std::move(callbacks));
  };
}

}  // namespace

Ended run_socket(Args args, Control& control) {
  if (args.host.empty()) {
    Control::decode(control.receive(), args);
    return run_loop(
        args, maker(args, 0), [&](int port) { control.send(std::to_string(port)); },
        [&](vlbench::Loop& loop) { stop_when_told(control, loop); });
  }
  control.send(Control::encode(args));
  const auto port = static_cast<uint16_t>(std::stoi(control.receive().at(0)));
  Ended ended = run_loop(args, maker(args, port), [](int) {}, nullptr);
  control.send("done");
  return ended;
}

}  // namespace vlloop
