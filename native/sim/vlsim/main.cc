// vlsim [--flows] [--time] [FILE]: runs the scenario of a file, or of standard input, and writes lines of JSON.
#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "sim/scenario/json.h"
#include "sim/scenario/read.h"
#include "sim/scenario/report.h"

namespace {

constexpr char kUsage[] =
    "vlsim [--flows] [--time] [FILE]\n"
    "  Runs the scenario in FILE, or on standard input, and writes lines of JSON: the scenario, its samples, "
    "what each\n"
    "  mechanism did, and the result.\n"
    "  --flows  a line for each flow as well\n"
    "  --time   a line with the time and the memory that it took\n";

bool read_all(const char* path, std::string* out) {
  std::FILE* file = path == nullptr ? stdin : std::fopen(path, "rb");
  if (file == nullptr) return false;
  char block[65536];
  for (size_t n; (n = std::fread(block, 1, sizeof block, file)) != 0;) out->append(block, n);
  const bool ok = std::ferror(file) == 0;
  if (path != nullptr) std::fclose(file);
  return ok;
}

void print(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stdout); }

}  // namespace

int main(int argc, char** argv) {
  using namespace vlsim;
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
  const auto begin = std::chrono::steady_clock::now();
  Simulation run(*scenario);
  print(scenario_line(run));
  std::vector<uint64_t> received;
  run.on_sample([&](Time now) { print(sample_line(run, now, received)); });
  run.run();
  const auto end = std::chrono::steady_clock::now();
  if (flows) {
    for (uint32_t i = 0; i < run.flows().all().size(); ++i) print(flow_line(run, i));
  }
  for (const Mechanism& mechanism : mechanisms(run)) print(mechanism_line(mechanism));
  print(result_line(run));
  if (time) {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(end - begin).count();
    print(JsonLine("time")
              .decimal("seconds", static_cast<uint64_t>(us), 6)
              .number("memory_kib", static_cast<uint64_t>(usage.ru_maxrss))
              .number("events_waiting_max", run.fabric().events.most())
              .end());
  }
  return 0;
}
