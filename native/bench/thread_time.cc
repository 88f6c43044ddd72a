#include "bench/thread_time.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "uroce/process_stat.h"

namespace vlbench {

std::optional<ThreadTime> ThreadTime::find(const std::string& name) {
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::string own;
    std::getline(std::ifstream(task.path() / "comm"), own);
    if (own == name) return ThreadTime(task.path().string());
  }
  return std::nullopt;
}

std::optional<uint64_t> ThreadTime::system_ns() const {
  const auto stat = uroce::read_process_stat(folder_);
  if (!stat) return std::nullopt;
  return stat->system * (1'000'000'000ull / static_cast<unsigned long long>(sysconf(_SC_CLK_TCK)));
}

}  // namespace vlbench
