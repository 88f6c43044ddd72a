#include "uroce/report/place.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include <string_view>

namespace uroce::report {
namespace {

// The loader names the program alone with nothing.
bool is_program(const link_map* map) {
  return map != nullptr && map->l_name != nullptr && map->l_name[0] == '\0';
}

// The file that an object was loaded from. libc names the program as it was called, and others as they were
// asked for.
std::string file_of(const char* name, const link_map* map) {
  char path[PATH_MAX];
  if (is_program(map)) {
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    if (length > 0) return {path, static_cast<std::size_t>(length)};
  }
  if (name == nullptr) return {};
  return name[0] != '/' && realpath(name, path) != nullptr ? path : name;
}

}  // namespace

Caller caller() {
  constexpr int kDepth = 24;
  void* frames[kDepth];
  static const void* const ours = [] {
    Dl_info info{};
    return dladdr(reinterpret_cast<const void*>(&place_of), &info) != 0 ? info.dli_fbase : nullptr;
  }();
  const int n = backtrace(frames, kDepth);
  bool inside = false;  // a sanitizer's frame may lie before our own
  for (int i = 0; i < n; ++i) {
    Dl_info info{};
    if (dladdr(frames[i], &info) == 0) continue;
    if (info.dli_fbase != ours && inside) return {frames[i], i + 1 < n ? frames[i + 1] : nullptr};
    inside |= info.dli_fbase == ours;
  }
  return {};
}

bool in_program(const void* return_address) {
  Dl_info info{};
  void* map = nullptr;
  return dladdr1(return_address, &info, &map, RTLD_DL_LINKMAP) != 0 &&
         is_program(static_cast<const link_map*>(map));
}

bool in_library(const void* return_address) {
  Dl_info info{};
  if (in_program(return_address) || dladdr(return_address, &info) == 0) return false;
  const std::string_view path = info.dli_fname;
  return path.substr(path.rfind('/') + 1).starts_with("lib");
}

Place place_of(const void* return_address) {
  Place place;
  Dl_info info{};
  // The call ends where it returns to: one byte back is still in it, and in the right function.
  const auto at = reinterpret_cast<uintptr_t>(return_address) - 1;
  void* map = nullptr;
  if (return_address == nullptr ||
      dladdr1(reinterpret_cast<const void*>(at), &info, &map, RTLD_DL_LINKMAP) == 0)
    return place;
  if (info.dli_sname != nullptr) place.function = info.dli_sname;
  place.object = file_of(info.dli_fname, static_cast<const link_map*>(map));
  place.offset = at - reinterpret_cast<uintptr_t>(info.dli_fbase);
  return place;
}

}  // namespace uroce::report
