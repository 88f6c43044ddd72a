#include "uroce/report/place.h"

#include <dlfcn.h>
#include <execinfo.h>

namespace uroce::report {

const void* caller() {
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
    if (info.dli_fbase != ours && inside) return frames[i];
    inside |= info.dli_fbase == ours;
  }
  return nullptr;
}

Place place_of(const void* return_address) {
  Place place;
  Dl_info info{};
  // The call ends where it returns to: one byte back is still in it, and in the right function.
  const auto at = reinterpret_cast<uintptr_t>(return_address) - 1;
  if (return_address == nullptr || dladdr(reinterpret_cast<const void*>(at), &info) == 0) return place;
  if (info.dli_sname != nullptr) place.function = info.dli_sname;
  if (info.dli_fname != nullptr) place.object = info.dli_fname;
  place.offset = at - reinterpret_cast<uintptr_t>(info.dli_fbase);
  return place;
}

}  // namespace uroce::report
