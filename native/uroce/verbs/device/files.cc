// The device as files, as the kernel shows an RDMA device in /sys and /dev.
#include <net/if.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

#include "uroce/ext/uroce.h"
#include "uroce/verbs/device/identity.h"

namespace uroce::verbs {
namespace {

using std::string;

__attribute__((format(printf, 1, 2))) string text(const char* format, ...) {
  char line[160];
  va_list args;
  va_start(args, format);
  std::vsnprintf(line, sizeof line, format, args);
  va_end(args);
  return line;
}

struct Listing {
  uroce_file_reader reader;
  void* arg;

  void put(uroce_file_kind kind, const string& path, const string& content) const {
    reader(arg, kind, path.c_str(), content.c_str());
  }
  void file(const string& path, const string& line) const { put(UROCE_FILE_TEXT, path, line + "\n"); }
};

string guid_text(uint64_t guid) {
  return text("%04x:%04x:%04x:%04x", static_cast<unsigned>(guid >> 48),
              static_cast<unsigned>(guid >> 32 & 0xffff), static_cast<unsigned>(guid >> 16 & 0xffff),
              static_cast<unsigned>(guid & 0xffff));
}

string gid_text(const Gid& gid) {
  string out;
  for (std::size_t i = 0; i < gid.size(); i += 2)
    out += text("%s%02x%02x", i == 0 ? "" : ":", gid[i], gid[i + 1]);
  return out;
}

constexpr const char* kPortStates[] = {"NOP", "DOWN", "INIT", "ARMED", "ACTIVE"};

void list_port(const Listing& out, const string& at, const net::AddressPlan& plan) {
  const ibv_port_attr port = port_of(plan);
  out.file(at + "/state", text("%d: %s", port.state, kPortStates[port.state]));
  out.file(at + "/phys_state", text("%u: %s", port.phys_state, port.phys_state == 5 ? "LinkUp" : "Disabled"));
  out.file(at + "/rate", "2.5 Gb/sec (1X SDR)");
  out.file(at + "/link_layer", "Ethernet");
  out.file(at + "/cap_mask", text("0x%08x", port.port_cap_flags));
  out.file(at + "/lid", "0x0");
  out.file(at + "/lid_mask_count", "0");
  out.file(at + "/sm_lid", "0x0");
  out.file(at + "/sm_sl", "0");
  out.file(at + "/pkeys/0", "0xffff");
  const auto now = net::query_links(plan);
  const auto present = [&](std::size_t i) {
    return i < plan.gids.size() && !net::is_zero(plan.gids[i].gid) &&
           (!now || i >= 64 || (now->present >> i & 1) != 0);
  };
  // GIDs in the order of their indices, so that the reader sees equal ones together.
  for (std::size_t i = 0; i < kGidTableLength; ++i)
    out.file(at + "/gids/" + std::to_string(i),
             gid_text(present(plan.entry(i)) ? plan.gids[plan.entry(i)].gid : Gid{}));
  for (const bool types : {true, false}) {
    for (std::size_t i = 0; i < kGidTableLength; ++i) {
      const string path = at + (types ? "/gid_attrs/types/" : "/gid_attrs/ndevs/") + std::to_string(i);
      if (!present(plan.entry(i))) {
        out.put(UROCE_FILE_TEXT, path, "");
      } else {
        out.file(path, types ? "RoCE v2" : plan.gids[plan.entry(i)].interface);
      }
    }
  }
}

void list(const Listing& out, const net::AddressPlan& plan) {
  const string name = kDeviceName;
  const string home = "/sys/devices/virtual/infiniband/" + name;
  out.put(UROCE_FILE_LINK, kDevicePath, "../../devices/virtual/infiniband/" + name);
  out.file(home + "/node_type", "1: CA");
  out.file(home + "/node_guid", guid_text(plan.guid));
  out.file(home + "/sys_image_guid", guid_text(plan.guid));
  out.file(home + "/node_desc", name);
  out.file(home + "/fw_ver", kFirmware);
  out.file(home + "/hw_rev", text("0x%x", kHardwareVersion));
  out.file(home + "/hca_type", "uroce");
  out.file(home + "/board_id", "uroce");
  // The kernel's value for a device that is on no bus.
  out.file(home + "/device/numa_node", "-1");
  std::set<string> interfaces;
  for (const net::LocalAddress& address : plan.gids)
    if (!net::is_zero(address.gid)) interfaces.insert(address.interface);
  for (const string& interface : interfaces)
    out.put(UROCE_FILE_LINK, home + "/device/net/" + interface, "/sys/class/net/" + interface);
  if (!interfaces.empty()) out.file(home + "/parent", *interfaces.begin());
  list_port(out, home + "/ports/1", plan);

  const string verbs = string("/sys/devices/virtual/infiniband_verbs/") + kVerbsName;
  out.put(UROCE_FILE_LINK, kVerbsPath, string("../../devices/virtual/infiniband_verbs/") + kVerbsName);
  out.file("/sys/class/infiniband_verbs/abi_version", "6");
  out.file(verbs + "/ibdev", name);
  out.file(verbs + "/abi_version", "1");
  // libibumad reads this file before it lists devices. It finds none: MADs go through the kernel only.
  out.file("/sys/class/infiniband_mad/abi_version", "5");
  out.put(UROCE_FILE_CHAR_DEVICE, string("/dev/infiniband/") + kVerbsName, "");
  const string cm = "/sys/devices/virtual/misc/rdma_cm";
  out.put(UROCE_FILE_LINK, "/sys/class/misc/rdma_cm", "../../devices/virtual/misc/rdma_cm");
  out.file(cm + "/abi_version", "4");
  out.put(UROCE_FILE_CHAR_DEVICE, "/dev/infiniband/rdma_cm", "");
}

}  // namespace
}  // namespace uroce::verbs

extern "C" int uroce_list_files(uroce_file_reader reader, void* arg) {
  if (reader == nullptr) return EINVAL;
  const auto plan = uroce::net::plan_addresses(std::getenv("UROCE_ADDR"), std::getenv("UROCE_NETDEV"));
  if (!plan) return plan.error().code;
  uroce::verbs::list({reader, arg}, *plan);
  return 0;
}
