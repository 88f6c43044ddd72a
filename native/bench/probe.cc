#include "bench/probe.h"

#include <dirent.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "bench/thread_time.h"
#include "uroce/ext/uroce.h"

namespace vlbench {
namespace {

template <typename F>
F* symbol(void* library, const char* name) {
  return library == nullptr ? nullptr : reinterpret_cast<F*>(dlsym(library, name));
}

class ExtensionProbe final : public Probe {
 public:
  ExtensionProbe(void* library, ibv_context* context)
      : context_(context),
        query_cpu_(symbol<decltype(uroce_query_cpu)>(library, "uroce_query_cpu")),
        query_counters_(symbol<decltype(uroce_query_counters)>(library, "uroce_query_counters")) {
    // Before 1.1 the user share of application threads is not told, and the split would be a guess.
    auto* version = symbol<decltype(uroce_version)>(library, "uroce_version");
    if (version == nullptr || version() < ((1u << 16) | 1u)) query_cpu_ = nullptr;
    if (query_counters_ == nullptr) return;
    uint32_t count = 0;
    query_counters_(context_, nullptr, &count);
    for (const auto& counter : read(count)) names_.emplace_back(counter.name);
  }

  std::optional<EngineCpu> engine_cpu() override {
    uroce_cpu cpu{};
    if (query_cpu_ == nullptr || query_cpu_(context_, &cpu) != 0) return std::nullopt;
    EngineCpu out{cpu.engine_user_ns, cpu.engine_kernel_ns, cpu.app_thread_ns,
                  cpu.app_user_ns,    cpu.thread_cpu_ns,    std::nullopt};
    if (engine_) out.thread_system_ns = engine_->system_ns();
    return out;
  }

  const std::vector<std::string>& counter_names() override { return names_; }

  void counters(std::vector<uint64_t>& values) override {
    values.assign(names_.size(), 0);
    if (names_.empty()) return;
    const auto now = read(static_cast<uint32_t>(names_.size()));
    for (size_t i = 0; i < std::min(values.size(), now.size()); ++i) values[i] = now[i].value;
  }

 private:
  // Called by both threads of a loop.
  std::vector<uroce_counter> read(uint32_t count) const {
    std::vector<uroce_counter> list(count);
    if (query_counters_(context_, list.data(), &count) != 0) count = 0;
    list.resize(std::min<size_t>(count, list.size()));
    return list;
  }

  ibv_context* context_;
  decltype(uroce_query_cpu)* query_cpu_;
  decltype(uroce_query_counters)* query_counters_;
  // The library gives its thread this name; a process has one device.
  std::optional<ThreadTime> engine_ = ThreadTime::find("uroce");
  std::vector<std::string> names_;
};

// Kernel devices keep their counters in /sys/class/infiniband/<device>/ports/1/hw_counters.
class SysfsProbe final : public Probe {
 public:
  explicit SysfsProbe(const std::string& folder) : folder_(folder) {
    DIR* dir = opendir(folder.c_str());
    if (dir == nullptr) return;
    while (const dirent* entry = readdir(dir)) {
      if (entry->d_name[0] != '.' && std::strcmp(entry->d_name, "lifespan") != 0)
        names_.emplace_back(entry->d_name);
    }
    closedir(dir);
    std::sort(names_.begin(), names_.end());
  }

  std::optional<EngineCpu> engine_cpu() override { return std::nullopt; }
  const std::vector<std::string>& counter_names() override { return names_; }

  void counters(std::vector<uint64_t>& values) override {
    values.assign(names_.size(), 0);
    for (size_t i = 0; i < names_.size(); ++i) std::ifstream(folder_ + "/" + names_[i]) >> values[i];
  }

 private:
  std::string folder_;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<Probe> make_probe(void* library, ibv_context* context) {
  if (symbol<void>(library, "uroce_version") != nullptr)
    return std::make_unique<ExtensionProbe>(library, context);
  return std::make_unique<SysfsProbe>(std::string(context->device->ibdev_path) + "/ports/1/hw_counters");
}

}  // namespace vlbench
