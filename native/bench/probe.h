// Figures of the device under a loop besides verbs: CPU time of its engine, and counters. Devices without
// them have an empty probe.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vlbench {

struct EngineCpu {
  uint64_t user_ns = 0;        // engine code outside system calls, on any thread
  uint64_t kernel_ns = 0;      // in the engine's system calls
  uint64_t app_thread_ns = 0;  // share of both that ran on application threads
  uint64_t app_user_ns = 0;    // share of user_ns that ran on application threads
  uint64_t thread_ns = 0;      // CPU clock of the engine's own thread
  // Share of thread_ns in the kernel, by the kernel's accounting; nothing if it cannot be read.
  std::optional<uint64_t> thread_system_ns = std::nullopt;
};

// Safe to call on any thread.
class Probe {
 public:
  virtual ~Probe() = default;
  virtual std::optional<EngineCpu> engine_cpu() = 0;
  // Names in the same order at every call. Empty when there are none.
  virtual const std::vector<std::string>& counter_names() = 0;
  virtual void counters(std::vector<uint64_t>& values) = 0;
};

// Uses the extension calls of the library (uroce.h) as far as `library` (a dlopen handle) has them, else
// sysfs.
std::unique_ptr<Probe> make_probe(void* library, ibv_context* context);

}  // namespace vlbench
