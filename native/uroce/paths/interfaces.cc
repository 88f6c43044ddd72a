// libfabric takes the addresses of a device from its interfaces, and makes no connected endpoints on
// loopback interfaces, since no NIC has one. The device's addresses may be on such an interface, which
// lists 127.0.0.1 for all of 127.0.0.0/8. So libfabric alone sees it without the loopback flag, with the
// addresses of the device. It also asks the connection manager for the source address "localhost", and
// tells its peers what it gets.
#include <arpa/inet.h>
#include <dlfcn.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "uroce/ext/uroce.h"
#include "uroce/paths/redirect.h"

namespace uroce::paths {

// The beginning of rdma_addrinfo, which is all that matters of it here.
struct RdmaHints {
  int flags;
};

namespace {

Next<int(ifaddrs**)> next_getifaddrs("getifaddrs");
constexpr int kPassive = 1;  // RAI_PASSIVE
Next<int(const char*, const char*, const RdmaHints*, void**)> next_rdma_getaddrinfo("rdma_getaddrinfo");

bool from_libfabric(const void* caller) {
  Dl_info library;
  if (dladdr(caller, &library) == 0 || library.dli_fname == nullptr) return false;
  // The library itself, or a provider that it loads.
  return strstr(library.dli_fname, "/libfabric") != nullptr || strstr(library.dli_fname, "-fi.so") != nullptr;
}

// The addresses of the device, and the interfaces that they are on, by GID index.
struct Addresses {
  static constexpr int kMost = 64;
  struct {
    in6_addr gid;
    char interface[IF_NAMESIZE];
    bool used;
  } at[kMost];
};

// The GID index in a path of this folder; out of range for another path.
int index_in(const char* path, const char* folder) {
  const char* found = strstr(path, folder);
  int index = 0;
  return found != nullptr && sscanf(found + strlen(folder), "%d", &index) == 1 && index < Addresses::kMost
             ? index
             : Addresses::kMost;
}

void read_address(void* arg, uroce_file_kind, const char* path, const char* content) {
  auto* addresses = static_cast<Addresses*>(arg);
  if (const int i = index_in(path, "/gids/"); i < Addresses::kMost) {
    char text[INET6_ADDRSTRLEN] = "";
    sscanf(content, "%45s", text);
    inet_pton(AF_INET6, text, &addresses->at[i].gid);
  } else if (const int on = index_in(path, "/gid_attrs/ndevs/"); on < Addresses::kMost) {
    static_assert(IF_NAMESIZE == 16);
    sscanf(content, "%15s", addresses->at[on].interface);
  }
}

// Writes an address of the device on this interface into the entry. The same place has room for either family
// only if it held an IPv6 address.
bool put_address(ifaddrs* entry, Addresses* addresses, bool v4) {
  for (auto& own : addresses->at) {
    if (own.used || strcmp(own.interface, entry->ifa_name) != 0) continue;
    if ((IN6_IS_ADDR_V4MAPPED(&own.gid) != 0) != v4) continue;
    // Index 0 may repeat index 1.
    for (auto& same : addresses->at)
      if (memcmp(&same.gid, &own.gid, sizeof own.gid) == 0) same.used = true;
    if (v4) {
      sockaddr_in address{};
      address.sin_family = AF_INET;
      memcpy(&address.sin_addr, &own.gid.s6_addr[12], sizeof address.sin_addr);
      memcpy(entry->ifa_addr, &address, sizeof address);
    } else {
      reinterpret_cast<sockaddr_in6*>(entry->ifa_addr)->sin6_addr = own.gid;
    }
    return true;
  }
  return false;
}

bool read(Addresses* addresses) {
  const auto files = reinterpret_cast<decltype(&uroce_list_files)>(dlsym(RTLD_DEFAULT, "uroce_list_files"));
  return files != nullptr && files(read_address, addresses) == 0;
}

// The address by which peers reach the device: IPv4 if it has one.
bool address_text(char (&out)[INET6_ADDRSTRLEN]) {
  Addresses addresses{};
  if (!read(&addresses)) return false;
  for (const bool v4 : {true, false}) {
    for (const auto& own : addresses.at) {
      if (IN6_IS_ADDR_UNSPECIFIED(&own.gid) || (IN6_IS_ADDR_V4MAPPED(&own.gid) != 0) != v4) continue;
      return v4 ? inet_ntop(AF_INET, &own.gid.s6_addr[12], out, sizeof out) != nullptr
                : inet_ntop(AF_INET6, &own.gid, out, sizeof out) != nullptr;
    }
  }
  return false;
}

void show_device(ifaddrs* list) {
  Addresses addresses{};
  if (!read(&addresses)) return;
  const auto of_device = [&](const ifaddrs* entry) {
    for (const auto& own : addresses.at)
      if (strcmp(own.interface, entry->ifa_name) == 0) return true;
    return false;
  };
  for (ifaddrs* i = list; i != nullptr; i = i->ifa_next) {
    if ((i->ifa_flags & IFF_LOOPBACK) == 0 || !of_device(i)) continue;
    i->ifa_flags &= ~static_cast<unsigned>(IFF_LOOPBACK);
    if (i->ifa_addr == nullptr) continue;
    const int family = i->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    // An entry without an address stays: the list is one block of libc's.
    const bool shown = put_address(i, &addresses, family == AF_INET) ||
                       (family == AF_INET6 && put_address(i, &addresses, true));
    if (!shown) i->ifa_addr = nullptr;
  }
}

}  // namespace
}  // namespace uroce::paths

extern "C" {

#pragma GCC visibility push(default)

int getifaddrs(ifaddrs** list) {
  using namespace uroce::paths;
  const int result = (*next_getifaddrs)(list);
  if (result == 0 && tree_place() != nullptr && from_libfabric(__builtin_return_address(0)))
    show_device(*list);
  return result;
}

int rdma_getaddrinfo(const char* node, const char* service, const uroce::paths::RdmaHints* hints,
                     void** out) {
  using namespace uroce::paths;
  char own[INET6_ADDRSTRLEN];
  if (node != nullptr && strcmp(node, "localhost") == 0 && hints != nullptr &&
      (hints->flags & kPassive) != 0 && tree_place() != nullptr &&
      from_libfabric(__builtin_return_address(0)) && address_text(own))
    node = own;
  return (*next_rdma_getaddrinfo)(node, service, hints, out);
}

#pragma GCC visibility pop

}  // extern "C"
