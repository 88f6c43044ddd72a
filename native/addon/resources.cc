#include "addon/resources.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace addon {
namespace {

// Some providers return -1 and set errno, some the errno itself.
int code(int result) noexcept { return result < 0 ? (errno != 0 ? errno : EIO) : result; }

template <typename T, typename F>
int destroy_once(T*& object, F* call) noexcept {
  if (object == nullptr) return 0;
  const int err = code(call(object));
  if (err == 0) object = nullptr;
  return err;
}

// MemAvailable of /proc/meminfo; SIZE_MAX where it cannot be read.
size_t available_memory() noexcept {
  std::FILE* file = std::fopen("/proc/meminfo", "re");
  if (file == nullptr) return SIZE_MAX;
  char line[128];
  unsigned long long kib = 0;
  bool found = false;
  while (!found && std::fgets(line, sizeof line, file) != nullptr)
    found = std::sscanf(line, "MemAvailable: %llu kB", &kib) == 1;
  std::fclose(file);
  return found ? static_cast<size_t>(kib) * 1024 : SIZE_MAX;
}

}  // namespace

DeviceListRes::~DeviceListRes() {
  if (list != nullptr) verbs->free_device_list(list);
}

int ContextRes::destroy() noexcept { return destroy_once(context, verbs->close_device); }
int PdRes::destroy() noexcept { return destroy_once(pd, context->verbs->dealloc_pd); }
int MrRes::destroy() noexcept { return destroy_once(mr, pd->context->verbs->dereg_mr); }
int ChannelRes::destroy() noexcept { return destroy_once(channel, context->verbs->destroy_comp_channel); }
int CqRes::destroy() noexcept { return destroy_once(cq, context->verbs->destroy_cq); }
int QpRes::destroy() noexcept { return destroy_once(qp, pd->context->verbs->destroy_qp); }

std::shared_ptr<Memory> Memory::allocate(size_t length) {
  // Registration touches every page: without this check the kernel would end the process instead.
  if (length > available_memory()) return nullptr;
  void* data = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  auto memory = std::make_shared<Memory>();
  memory->data_ = static_cast<uint8_t*>(data);
  memory->length_ = length;
  return memory;
}

Memory::~Memory() {
  if (data_ != nullptr) munmap(data_, length_);
}

}  // namespace addon
