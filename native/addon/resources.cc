#include "addon/resources.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "addon/cm_resources.h"

namespace addon {
namespace {

// The errno of a call. Some providers return -1 and set errno, some return the errno itself.
int code(int result) noexcept { return result < 0 ? (errno != 0 ? errno : EIO) : result; }

template <typename T, typename F>
int destroy_once(T*& object, F* call) noexcept {
  if (object == nullptr) return 0;
  const int err = code(call(object));
  if (err == 0) object = nullptr;
  return err;
}

// Bytes from a line of /proc/meminfo ("MemAvailable: %llu kB"); `otherwise` if it cannot be read.
size_t meminfo(const char* format, size_t otherwise) noexcept {
  std::FILE* file = std::fopen("/proc/meminfo", "re");
  if (file == nullptr) return otherwise;
  char line[128];
  unsigned long long kib = 0;
  bool found = false;
  while (!found && std::fgets(line, sizeof line, file) != nullptr)
    found = std::sscanf(line, format, &kib) == 1;
  std::fclose(file);
  return found ? static_cast<size_t>(kib) * 1024 : otherwise;
}

size_t available_memory() noexcept { return meminfo("MemAvailable: %llu kB", SIZE_MAX); }

// 0: the kernel has none.
size_t huge_page_size() noexcept { return meminfo("Hugepagesize: %llu kB", 0); }

}  // namespace

DeviceListRes::~DeviceListRes() {
  if (list != nullptr) verbs->free_device_list(list);
}

int ContextRes::destroy() noexcept {
  if (borrowed) context = nullptr;
  return destroy_once(context, verbs->close_device);
}
int PdRes::destroy() noexcept { return destroy_once(pd, context->verbs->dealloc_pd); }
int MrRes::destroy() noexcept { return destroy_once(mr, pd->context->verbs->dereg_mr); }
int MwRes::destroy() noexcept {
  const int error = destroy_once(mw, ibv_dealloc_mw);
  if (error == 0) bound.reset();
  return error;
}
int AhRes::destroy() noexcept { return destroy_once(ah, pd->context->verbs->destroy_ah); }
int SrqRes::destroy() noexcept { return destroy_once(srq, pd->context->verbs->destroy_srq); }
int ChannelRes::destroy() noexcept { return destroy_once(channel, context->verbs->destroy_comp_channel); }
int CqRes::destroy() noexcept { return destroy_once(cq, context->verbs->destroy_cq); }
int QpRes::destroy() noexcept {
  const auto& verbs = *pd->context->verbs;
  while (qp != nullptr && !groups.empty()) {
    const auto& [gid, lid] = groups.back();
    if (const int error = code(verbs.detach_mcast(qp, &gid, lid)); error != 0) return error;
    groups.pop_back();
  }
  if (cm_id && qp != nullptr) {
    cm_id->channel->cm->destroy_qp(cm_id->id);
    qp = nullptr;
  }
  return destroy_once(qp, verbs.destroy_qp);
}

uint32_t next_token() noexcept {
  static std::atomic<uint32_t> next{1};
  return next.fetch_add(1);
}

std::shared_ptr<Memory> Memory::allocate(size_t length, bool huge) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  if (huge) {
    // Huge pages come from a separate pool; mmap itself reports whether the pool has enough.
    const size_t page = huge_page_size();
    if (page == 0) {
      errno = EOPNOTSUPP;
      return nullptr;
    }
    length = (length + page - 1) / page * page;
    flags |= MAP_HUGETLB;
  } else if (length > available_memory()) {
    // Registration touches every page: without this check the kernel would end the process instead.
    errno = ENOMEM;
    return nullptr;
  }
  void* data = mmap(nullptr, length, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  auto memory = std::make_shared<Memory>();
  memory->data_ = static_cast<uint8_t*>(data);
  memory->length_ = length;
  memory->flags_ = flags;
  return memory;
}

bool Memory::replace_pages() noexcept {
  return mmap(data_, length_, PROT_READ | PROT_WRITE, flags_ | MAP_FIXED, -1, 0) != MAP_FAILED;
}

Memory::~Memory() {
  if (data_ != nullptr) munmap(data_, length_);
}

}  // namespace addon
