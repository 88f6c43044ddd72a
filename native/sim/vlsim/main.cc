// vlsim: runs the scenario of a file, or of standard input, and writes lines of JSON.
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "sim/scenario/json.h"
#include "sim/scenario/pcap.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"
#include "sim/scenario/samples.h"
#include "sim/scenario/words.h"
#include "sim/vlsim/options.h"

namespace {

bool read_all(const char* path, std::string* out) {
  std::FILE* file = path == nullptr ? stdin : std::fopen(path, "rb");
  if (file == nullptr) return false;
  char block[65536];
  for (size_t n; (n = std::fread(block, 1, sizeof block, file)) != 0;) out->append(block, n);
  const bool ok = std::ferror(file) == 0;
  if (path != nullptr) std::fclose(file);
  return ok;
}

// Queue pairs of hundreds of hosts are touched at random: with pages of 2 MiB their addresses stay in the TLB.
void use_huge_pages() {
  constexpr int kReserve = 1 << 30;  // bytes of address space; only those that are touched count
  mallopt(M_TOP_PAD, kReserve);
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  void* volatile block = std::malloc(1 << 20);  // extends the heap
  std::free(block);
  const auto begin = (reinterpret_cast<uintptr_t>(sbrk(0)) - kReserve) & ~((uintptr_t{1} << 21) - 1);
  madvise(reinterpret_cast<void*>(begin), kReserve, MADV_HUGEPAGE);
}

// CPU time of this process, in microseconds.
uint64_t cpu_us() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto us = [](const timeval& t) {
    return static_cast<uint64_t>(t.tv_sec) * 1'000'000 + static_cast<uint64_t>(t.tv_usec);
  };
  return us(usage.ru_utime) + us(usage.ru_stime);
}

// Exit status of a run that broke a law, and of one that could not go on.
constexpr int kBroken = 3, kEnded = 4;

// Exit status of what cannot be done.
int refuse(const std::string& sentence) {
  std::fprintf(stderr, "vlsim: %s\n", sentence.c_str());
  return 2;
}
int fail(const char* what, const char* file) {
  std::fprintf(stderr, "vlsim: %s %s: %s.\n", what, file, std::strerror(errno));
  return 1;
}

// Exit status of a run: whether it came to its end, and whether its figures can be trusted.
int judge(const vlsim::Fabric& fabric, const vlsim::Laws& laws) {
  for (const std::string& sentence : laws.broken)
    std::fprintf(stderr, "vlsim: a law does not hold, so the figures are void: %s\n", sentence.c_str());
  if (!laws.broken.empty()) return kBroken;
  if (fabric.error().empty()) return 0;
  const std::string at = vlsim::at_text(fabric.now());
  std::fprintf(stderr, "vlsim: the run was ended at %s: %s\n", at.c_str(), fabric.error().c_str());
  return kEnded;
}

// When the system has no more memory, the run ends behind its event: until then it lives on what is kept here.
char* g_spare = nullptr;
vlsim::Fabric* g_fabric = nullptr;
constexpr size_t kSpare = 48 << 20;
constexpr char kNoMemory[] =
    "The system has no more memory for it. Let fewer flows begin, or raise what the process may use.";

void out_of_memory() {
  if (g_spare == nullptr || g_fabric == nullptr) throw std::bad_alloc();
  delete[] std::exchange(g_spare, nullptr);
  g_fabric->fail("memory", kNoMemory);
}

void print(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stdout); }

// Runs to the end in steps of virtual time, and says about four times per second how far it is. The length of a step
// follows how long the last one took; it decides nothing in the run.
void run_with_progress(vlsim::Simulation& run) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  const vlsim::Time end = run.scenario().duration;
  const vlsim::Fabric& fabric = run.fabric();
  std::fflush(stdout);
  auto told = Clock::now();
  vlsim::Time step = 1'000'000;  // 1 us
  while (fabric.stopped_because().empty() && fabric.now() < end) {
    const auto begin = Clock::now();
    run.run(end - fabric.now() > step ? fabric.now() + step : end);
    const auto now = Clock::now();
    if (now - begin < milliseconds(20)) {
      step = std::min(2 * step, end);
    } else if (now - begin > milliseconds(80) && step > 1) {
      step /= 2;
    }
    if (now - told < milliseconds(250)) continue;
    told = now;
    print(vlsim::JsonLine("progress")
              .decimal("us", fabric.now(), 6)
              .number("packet_events", fabric.packet_events())
              .end());
    std::fflush(stdout);
  }
}

// Runs it and writes its lines. file: of the capture, or null.
int run(const vlsim::Scenario& scenario, const vlsim::Options& options, std::FILE* file) {
  using namespace vlsim;
  const uint64_t begin = cpu_us();
  Simulation simulation(scenario);
  g_fabric = &simulation.fabric();
  bool whole = true;  // no event was left in the middle
  std::optional<Pcap> pcap;
  if (file != nullptr)
    simulation.fabric().set_tap(&pcap.emplace(file, options.capture, host_count(scenario.topology)));
  print(scenario_line(simulation));
  Samples samples(simulation);
  simulation.on_sample([&](Time now) { print(samples.line(now)); });
  try {
    if (options.progress) {
      run_with_progress(simulation);
    } else {
      simulation.run();
    }
  } catch (const std::bad_alloc&) {
    simulation.fabric().fail("memory", kNoMemory);
    whole = false;
  }
  const uint64_t end = cpu_us();
  if (options.flows) {
    for (uint32_t i = 0; i < simulation.flows().all().size(); ++i) print(flow_line(simulation, i));
  }
  for (const Mechanism& mechanism : mechanisms(simulation)) print(mechanism_line(mechanism));
  if (pcap) print(pcap->line());
  const Laws laws = whole ? check_laws(simulation.fabric()) : Laws{};
  print(result_line(simulation, laws));
  if (file != nullptr) {
    const bool lost = std::ferror(file) != 0;
    if (std::fclose(file) != 0 || lost) return fail("cannot write", options.pcap);
  }
  if (options.time) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    print(JsonLine("time")
              .decimal("cpu_seconds", end - begin, 6)
              .number("memory_kib", static_cast<uint64_t>(usage.ru_maxrss))
              .number("events_waiting_max", simulation.fabric().events.most())
              .end());
  }
  g_fabric = nullptr;
  return judge(simulation.fabric(), laws);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace vlsim;
  use_huge_pages();
  const auto options = read_options(argc, argv);
  if (!options) return refuse(options.error());
  if (options->help) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  if (options->schema) {
    print(scenario_schema());
    return 0;
  }
  std::string text;
  if (!read_all(options->scenario, &text))
    return fail("cannot read", options->scenario == nullptr ? "standard input" : options->scenario);
  const auto scenario = read_scenario(text);
  if (!scenario) return refuse(scenario.error());
  const uint32_t hosts = host_count(scenario->topology);
  for (const uint32_t host : options->capture.hosts) {
    if (host >= hosts)
      return refuse("There is no host " + std::to_string(host) + " to capture at: the last one is " +
                    std::to_string(hosts - 1) + ".");
  }
  std::FILE* const file = options->pcap == nullptr ? nullptr : std::fopen(options->pcap, "wb");
  if (options->pcap != nullptr && file == nullptr) return fail("cannot write", options->pcap);
  g_spare = new (std::nothrow) char[kSpare];
  std::set_new_handler(out_of_memory);
  try {
    return run(*scenario, *options, file);
  } catch (const std::bad_alloc&) {
    g_fabric = nullptr;
    std::fprintf(stderr,
                 "vlsim: there is not enough memory for this fabric. Choose fewer hosts or connections.\n");
    return kEnded;
  }
}
