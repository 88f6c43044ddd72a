// vlcost: what objects of a verbs device cost, for benches. Links the machine's libraries; a device in user
// space is preloaded, as for every other program.
#include <cstdio>
#include <cstdlib>

#include "bench/vlcost/cost.h"

namespace {

constexpr char kHelp[] = R"(Usage: vlcost registration BYTES RUNS   ibv_reg_mr against mlock on the same pages
       vlcost queue-pairs COUNT SECONDS creation and connection of QPs; their memory, and CPU while idle
       vlcost connections HOST COUNT    set-up of RC connections by rdma_cm, to a second process
       vlcost wake-ups COUNT RATE       waking a process by an eventfd, RATE a second, without a device
       vlcost senders COUNT SECONDS     bytes that each of many processes writes into one

Works on the first verbs device. Prints one JSON object.
)";

double number(const char* text) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != 0 || !(value > 0))
    throw std::runtime_error(std::string(text) + " is not a number above 0. Try vlcost --help.");
  return value;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "--help") {
    std::fputs(kHelp, stdout);
    return 0;
  }
  try {
    if (what == "registration" && argc == 4) {
      vlcost::measure_registration(static_cast<uint64_t>(number(argv[2])),
                                   static_cast<uint32_t>(number(argv[3])));
    } else if (what == "queue-pairs" && argc == 4) {
      vlcost::measure_queue_pairs(static_cast<uint32_t>(number(argv[2])), number(argv[3]));
    } else if (what == "connections" && argc == 4) {
      vlcost::measure_connections(argv[2], static_cast<uint32_t>(number(argv[3])));
    } else if (what == "wake-ups" && argc == 4) {
      vlcost::measure_wake_ups(static_cast<uint32_t>(number(argv[2])), number(argv[3]));
    } else if (what == "senders" && argc == 4) {
      vlcost::measure_senders(static_cast<uint32_t>(number(argv[2])), number(argv[3]));
    } else {
      std::fputs(kHelp, stderr);
      return 2;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vlcost: %s\n", error.what());
    return 1;
  }
  return 0;
}
