// vlsim [--flows] [--time] [FILE]: runs the scenario of a file, or of standard input, and writes lines of JSON.
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "sim/scenario/json.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"
#include "sim/scenario/samples.h"

namespace {

constexpr char kUsage[] =
    "vlsim [--flows] [--time] [FILE]\n"
    "  Runs the scenario in FILE, or on standard input, and writes lines of JSON: the scenario, its samples, "
    "what each\n"
    "  mechanism did, and the result.\n"
    "  --flows  a line for each flow as well\n"
    "  --time   a line with the CPU time and the memory that it took\n";

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

void print(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stdout); }

}  // namespace

int main(int argc, char** argv) {
  using namespace vlsim;
  use_huge_pages();
  const char* path = nullptr;
  bool flows = false, time = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view arg = argv[i];
    if (arg == "--flows") {
      flows = true;
    } else if (arg == "--time") {
      time = true;
    } else if (arg == "--help") {
      std::fputs(kUsage, stdout);
      return 0;
    } else if (arg.starts_with("-") || path != nullptr) {
      std::fputs(kUsage, stderr);
      return 2;
    } else {
      path = argv[i];
    }
  }
  std::string text;
  if (!read_all(path, &text)) {
    std::fprintf(stderr, "vlsim: cannot read %s: %s.\n", path == nullptr ? "standard input" : path,
                 std::strerror(errno));
    return 1;
  }
  const auto scenario = read_scenario(text);
  if (!scenario) {
    std::fprintf(stderr, "vlsim: %s\n", scenario.error().c_str());
    return 2;
  }
  const uint64_t begin = cpu_us();
  Simulation run(*scenario);
  print(scenario_line(run));
  Samples samples(run);
  run.on_sample([&](Time now) { print(samples.line(now)); });
  run.run();
  const uint64_t end = cpu_us();
  if (flows) {
    for (uint32_t i = 0; i < run.flows().all().size(); ++i) print(flow_line(run, i));
  }
  for (const Mechanism& mechanism : mechanisms(run)) print(mechanism_line(mechanism));
  print(result_line(run));
  if (time) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    print(JsonLine("time")
              .decimal("cpu_seconds", end - begin, 6)
              .number("memory_kib", static_cast<uint64_t>(usage.ru_maxrss))
              .number("events_waiting_max", run.fabric().events.most())
              .end());
  }
  return 0;
}
