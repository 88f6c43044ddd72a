// libfabric makes no connected endpoints on loopback interfaces, since no NIC has one. The device's default
// address is on such an interface, so libfabric alone sees it without the loopback flag.
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>

#include "uroce/ext/uroce.h"
#include "uroce/paths/redirect.h"

namespace uroce::paths {
namespace {

Next<int(ifaddrs**)> next_getifaddrs("getifaddrs");

bool from_libfabric(const void* caller) {
  Dl_info library;
  return dladdr(caller, &library) != 0 && library.dli_fname != nullptr &&
         strstr(library.dli_fname, "/libfabric") != nullptr;
}

struct Search {
  const char* interface;
  bool found;
};

// Does the device have an address on this interface?
void look(void* arg, uroce_file_kind kind, const char* path, const char*) {
  auto* search = static_cast<Search*>(arg);
  if (kind == UROCE_FILE_LINK && strstr(path, "/device/net/") != nullptr &&
      strcmp(strrchr(path, '/') + 1, search->interface) == 0)
    search->found = true;
}

void allow(ifaddrs* list) {
  const auto files = reinterpret_cast<decltype(&uroce_list_files)>(dlsym(RTLD_DEFAULT, "uroce_list_files"));
  if (files == nullptr) return;
  for (ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    if ((i->ifa_flags & IFF_LOOPBACK) == 0) continue;
    Search search{i->ifa_name, false};
    if (files(look, &search) == 0 && search.found) i->ifa_flags &= ~static_cast<unsigned>(IFF_LOOPBACK);
  }
}

}  // namespace
}  // namespace uroce::paths

extern "C" __attribute__((visibility("default"))) int getifaddrs(ifaddrs** list) {
  using namespace uroce::paths;
  const int result = (*next_getifaddrs)(list);
  if (result == 0 && tree_place() != nullptr && from_libfabric(__builtin_return_address(0))) allow(*list);
  return result;
}
