#include "bench/vlloop/args.h"

#include <getopt.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace vlloop {
namespace {

constexpr char kHelp[] = R"(Usage: vlloop rdma|tcp|udp [options]          server: waits for one client
       vlloop rdma|tcp|udp [options] HOST     client: measures, prints one JSON object

The client tells the server everything that both must agree on. Names and defaults are perftest's.

This side
  --lib PATH|system      verbs library (default: system)
  -d, --ib-dev NAME      device (default: the first)
  -x, --gid-index N      GID (default: RoCEv2 with an IPv4 address)
  -p, --port N           TCP port on which the sides meet (default: 18600)
  --busy                 server of write, read, atomics: poll the CQ instead of sleeping
  --series               print a line of JSON for every 100 ms to stderr
  --show-qps             print the numbers of the QPs to stderr

The measurement (client)
  --op OP                write, write-imm, read, send, fetch-add, compare-swap (default: write)
  --lat                  latency, not bandwidth
  -s, --size BYTES       (default: 65536)
  -n, --iters N          messages (default: 5000, unless -D is given)
  -D, --duration SEC     measure for so long instead
  --omit SEC             leave the start out
  -t, --tx-depth N       requests under way a QP, or datagrams (default: 128)
  -r, --rx-depth N       RECVs kept posted a QP (default: 512)
  -l, --post-list N      requests a post (default: 1)
  -Q, --cq-mod N         ask for a completion every N requests (default: 100)
  -q, --qp N             QPs, or TCP connections (default: 1)
  --places N             messages take turns through memory for N of them a QP (default: 1)
  -I, --inline BYTES     post up to so many bytes inline (default: 0)
  -m, --mtu BYTES        path MTU
  -e, --events           sleep on events, do not poll
  --rate N               messages a second
  --direction D          tcp: out, in, both (default: out)
  --ack-every N          tcp: look for acknowledgments every N chunks; 0: never (default: 1)
  --connected            udp --lat: use connect(2)
  --segments N           udp: datagrams per send, by UDP_SEGMENT; received by UDP_GRO (default: 1)
)";

[[noreturn]] void complain(const char* what, const char* value) {
  std::fprintf(stderr, "vlloop: %s: %s\nTry vlloop --help.\n", what, value);
  std::exit(2);
}

double number(const char* value, double min, double max) {
  char* end = nullptr;
  const double parsed = std::strtod(value, &end);
  if (end == value || *end != 0 || !(parsed >= min && parsed <= max))
    complain("not a number in the allowed range", value);
  return parsed;
}

template <typename T>
T count(const char* value, double min = 0, double max = 4294967295.0) {
  return static_cast<T>(number(value, min, max));
}

enum Long {
  kLib = 256,
  kOp,
  kLat,
  kOmit,
  kRate,
  kDirection,
  kAckEvery,
  kConnected,
  kSegments,
  kBusy,
  kSeries,
  kShowQps,
  kPlaces,
  kHelpFlag
};

const option kOptions[] = {{"lib", required_argument, nullptr, kLib},
                           {"ib-dev", required_argument, nullptr, 'd'},
                           {"gid-index", required_argument, nullptr, 'x'},
                           {"port", required_argument, nullptr, 'p'},
                           {"series", no_argument, nullptr, kSeries},
                           {"show-qps", no_argument, nullptr, kShowQps},
                           {"op", required_argument, nullptr, kOp},
                           {"lat", no_argument, nullptr, kLat},
                           {"size", required_argument, nullptr, 's'},
                           {"iters", required_argument, nullptr, 'n'},
                           {"duration", required_argument, nullptr, 'D'},
                           {"omit", required_argument, nullptr, kOmit},
                           {"tx-depth", required_argument, nullptr, 't'},
                           {"rx-depth", required_argument, nullptr, 'r'},
                           {"post-list", required_argument, nullptr, 'l'},
                           {"cq-mod", required_argument, nullptr, 'Q'},
                           {"qp", required_argument, nullptr, 'q'},
                           {"places", required_argument, nullptr, kPlaces},
                           {"inline", required_argument, nullptr, 'I'},
                           {"mtu", required_argument, nullptr, 'm'},
                           {"events", no_argument, nullptr, 'e'},
                           {"rate", required_argument, nullptr, kRate},
                           {"direction", required_argument, nullptr, kDirection},
                           {"ack-every", required_argument, nullptr, kAckEvery},
                           {"connected", no_argument, nullptr, kConnected},
                           {"segments", required_argument, nullptr, kSegments},
                           {"busy", no_argument, nullptr, kBusy},
                           {"help", no_argument, nullptr, kHelpFlag},
                           {nullptr, 0, nullptr, 0}};

}  // namespace

Args parse(int argc, char** argv) {
  Args args;
  for (int c; (c = getopt_long(argc, argv, "d:x:p:s:n:D:t:r:l:Q:q:I:m:eh", kOptions, nullptr)) != -1;) {
    switch (c) {
      case kLib:
        args.library = optarg;
        break;
      case 'd':
        args.device = optarg;
        break;
      case 'x':
        args.gid_index = count<int>(optarg, 0, 65535);
        break;
      case 'p':
        args.port = count<uint16_t>(optarg, 1, 65535);
        break;
      case kSeries:
        args.series = true;
        break;
      case kOp:
        args.op = optarg;
        break;
      case kShowQps:
        args.show_qps = true;
        break;
      case kLat:
        args.latency = true;
        break;
      case 's':
        args.size = count<uint64_t>(optarg, 0, 2147483648.0);
        break;
      case 'n':
        args.iterations = count<uint64_t>(optarg, 1, 1e15);
        break;
      case 'D':
        args.seconds = number(optarg, 0.001, 1e6);
        break;
      case kOmit:
        args.omit = number(optarg, 0, 1e6);
        break;
      case 't':
        args.tx_depth = count<uint32_t>(optarg, 1);
        break;
      case 'r':
        args.rx_depth = count<uint32_t>(optarg, 1);
        break;
      case 'l':
        args.post_list = count<uint32_t>(optarg, 1);
        break;
      case 'Q':
        args.cq_mod = count<uint32_t>(optarg, 1);
        break;
      case 'q':
        args.qps = count<uint32_t>(optarg, 1, 1024);
        break;
      case kPlaces:
        args.places = count<uint32_t>(optarg, 1, 65536);
        break;
      case 'I':
        args.inline_size = count<uint32_t>(optarg);
        break;
      case 'm':
        args.mtu = count<uint32_t>(optarg, 256, 4096);
        break;
      case 'e':
        args.event = true;
        break;
      case kRate:
        args.rate = number(optarg, 0.001, 1e9);
        break;
      case kDirection:
        args.direction = optarg;
        break;
      case kAckEvery:
        args.ack_every = count<uint32_t>(optarg);
        break;
      case kConnected:
        args.connected = true;
        break;
      case kBusy:
        args.busy = true;
        break;
      case kSegments:
        args.segments = count<uint32_t>(optarg, 1, 128);
        break;
      case 'h':
      case kHelpFlag:
        std::fputs(kHelp, stdout);
        std::exit(0);
      default:
        std::fputs("Try vlloop --help.\n", stderr);
        std::exit(2);
    }
  }
  if (optind >= argc) complain("the transport is missing", "rdma, tcp or udp");
  const std::string transport = argv[optind++];
  if (transport == "tcp") {
    args.transport = Transport::kTcp;
  } else if (transport == "udp") {
    args.transport = Transport::kUdp;
  } else if (transport != "rdma") {
    complain("not a transport", transport.c_str());
  }
  if (optind < argc) args.host = argv[optind++];
  if (optind < argc) complain("unexpected argument", argv[optind]);
  if (args.seconds == 0 && args.iterations == 0) args.iterations = 5000;
  if (args.cq_mod == 0) args.cq_mod = args.latency ? 1 : 100;
  return args;
}

}  // namespace vlloop
