// System time of another thread of this process, as the kernel's accounting has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vlbench {

class ThreadTime {
 public:
  // The first thread of this process with that name (at most 15 characters); none if there is none.
  static std::optional<ThreadTime> find(const std::string& name);
  // ns, in steps of a tick (10 ms): a sample of the thread's ticks. Nothing once the thread has ended.
  std::optional<uint64_t> system_ns() const;

 private:
  explicit ThreadTime(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
};

}  // namespace vlbench
