// Address handles: made from an address vector, or from a datagram that came.
#include <errno.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>

#include "uroce/verbs/abi/address_path.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"
#include "uroce/wire/ext_headers.h"

namespace uroce::verbs {

int to_path(Device& device, const ibv_ah_attr& ah, bool sockets_only, Device::FlowHolder holder, Path* path) {
  if (ah.is_global == 0) return refuse(EINVAL, Cause::ah_not_global);
  if (ah.port_num != 1) return refuse(EINVAL, Cause::ah_port, ah.port_num);
  const net::Flow* flow = device.flow({.destination = to_gid(ah.grh.dgid),
                                       .sgid_index = ah.grh.sgid_index,
                                       .traffic_class = ah.grh.traffic_class,
                                       .hop_limit = ah.grh.hop_limit,
                                       .flow_label = ah.grh.flow_label,
                                       .sockets_only = sockets_only},
                                      holder);
  if (flow == nullptr) return EINVAL;
  path->sgid = flow->source;
  path->dgid = flow->destination;
  path->flow_label = ah.grh.flow_label;
  path->udp_source_port = flow->source_port;
  path->sgid_index = ah.grh.sgid_index;
  path->hop_limit = ah.grh.hop_limit;
  path->traffic_class = ah.grh.traffic_class;
  path->sl = ah.sl;
  path->cookie = reinterpret_cast<uintptr_t>(flow);
  return 0;
}

namespace {

// The two ends of the packet that left this network header in front of a datagram.
struct Ends {
  Gid source{}, destination{};
  uint32_t flow_label = 0;
  uint8_t hop_limit = 0;
  uint8_t traffic_class = 0;
};

Gid mapped(const wire::Ipv4::Address& address) {
  Gid gid{};
  gid[10] = gid[11] = 0xff;
  std::copy(address.begin(), address.end(), gid.begin() + 12);
  return gid;
}

// IPv6 in all 40 bytes, or IPv4 in the last 20 (IBA annex A17.4.5.2). Their checksum decides where both could
// be.
bool ends_of(const uint8_t* grh, Ends* ends) {
  const auto v6 = *wire::Ipv6::parse(grh, wire::Grh::kSize);
  const uint8_t* header = grh + wire::Grh::kSize - wire::Ipv4::kSize;
  const auto v4 = *wire::Ipv4::parse(header, wire::Ipv4::kSize);
  const bool v4_fits = v4.version_ihl == 0x45 && v4.checksum == wire::ipv4_checksum(header);
  if (v6.version == 6 && !v4_fits) {
    *ends = {v6.src, v6.dst, v6.flow_label, v6.hop_limit, v6.traffic_class};
    return true;
  }
  if (v4.version_ihl != 0x45) return false;
  *ends = {mapped(v4.src), mapped(v4.dst), 0, v4.ttl, v4.tos};
  return true;
}

// The place of our address in the GID table; of a group's packet that of the first address of its family.
int index_of(const net::AddressPlan& plan, const Gid& gid) {
  const auto at = std::find_if(plan.gids.begin(), plan.gids.end(), [&](const net::LocalAddress& l) {
    if (net::is_zero(l.gid)) return false;
    return is_multicast(gid) ? is_ipv4(l.gid) == is_ipv4(gid) : l.gid == gid;
  });
  return at == plan.gids.end() ? -1 : static_cast<int>(at - plan.gids.begin());
}

// 0 or errno.
int attributes(ibv_context* context, uint8_t port, const ibv_wc& wc, const ibv_grh* grh, ibv_ah_attr* attr) {
  *attr = {};
  if (port != 1) return refuse(EINVAL, Cause::device_port, port);
  if ((wc.wc_flags & IBV_WC_GRH) == 0 || grh == nullptr) return refuse(EINVAL, Cause::wc_without_grh);
  Ends ends;
  if (!ends_of(reinterpret_cast<const uint8_t*>(grh), &ends)) return refuse(EINVAL, Cause::grh_unreadable);
  const int index = index_of(ContextObject::of(context)->device->plan(), ends.destination);
  if (index < 0) return refuse(EINVAL, Cause::grh_not_ours);
  attr->dlid = wc.slid;
  attr->sl = wc.sl;
  attr->src_path_bits = wc.dlid_path_bits;
  attr->port_num = port;
  attr->is_global = 1;
  attr->grh.sgid_index = static_cast<uint8_t>(index);
  std::memcpy(attr->grh.dgid.raw, ends.source.data(), sizeof attr->grh.dgid.raw);
  attr->grh.flow_label = ends.flow_label;
  attr->grh.hop_limit = ends.hop_limit;
  attr->grh.traffic_class = ends.traffic_class;
  return 0;
}

// A path until an address handle takes it.
class HeldPath {
 public:
  HeldPath() = default;
  ~HeldPath() {
    if (path.cookie != 0) Device::release_flow(path);
  }
  HeldPath(const HeldPath&) = delete;
  HeldPath& operator=(const HeldPath&) = delete;
  Path path;
};

ibv_ah* create(ibv_pd* pd, const ibv_ah_attr& attr) {
  if (!is_live(pd)) return fail<ibv_ah>(refuse_dead());
  Device* device = object(pd)->device;
  HeldPath held;
  {
    std::lock_guard guard(device->lock());
    if (const int error = to_path(*device, attr, false, Device::FlowHolder::address_handle, &held.path);
        error != 0) {
      return fail<ibv_ah>(error);
    }
  }
  if (const int error = device->check_reach(held.path, std::nullopt); error != 0) return fail<ibv_ah>(error);
  if (!device->reserve_address_handle())
    return fail<ibv_ah>(refuse(ENOMEM, Cause::too_many, Thing::ahs, Device::kMaxAddressHandles));
  auto* ah = new (std::nothrow) AhObject{};
  if (ah == nullptr) {
    device->return_address_handle();
    return fail<ibv_ah>(refuse_memory());
  }
  ah->base.context = pd->context;
  ah->base.pd = pd;
  ah->base.handle = handles::next();
  ah->pd = object(pd);
  enter_handle(&ah->base);
  ah->path = std::exchange(held.path, {});
  ++object(pd)->address_handles;
  report::made(report::Kind::ah, ah);
  return &ah->base;
}

// Work requests posted before have the address with them: they do not need the handle any more.
int destroy(ibv_ah* handle) {
  if (!is_live(handle)) return refuse_dead();
  PdObject* pd = object(handle)->pd;
  --pd->address_handles;
  pd->device->return_address_handle();
  leave_handle(handle);
  report::gone(handle);
  Device::release_flow(object(handle)->path);
  object(handle)->path.cookie = 0;  // a post that still names it is refused
  free_later(object(handle));
  return 0;
}

}  // namespace
}  // namespace uroce::verbs

using namespace uroce::verbs;

extern "C" {

ibv_ah* ibv_create_ah(ibv_pd* pd, ibv_ah_attr* attr) {
  if (const int error = call_faults::injected("ibv_create_ah"); error != 0)
    return watch::outcome("ibv_create_ah", pd, fail<ibv_ah>(error));
  return watch::outcome("ibv_create_ah", pd, or_no_memory([&] { return create(pd, *attr); }));
}

int ibv_destroy_ah(ibv_ah* ah) { return watch::outcome("ibv_destroy_ah", ah, destroy(ah)); }

int ibv_init_ah_from_wc(ibv_context* context, uint8_t port_num, ibv_wc* wc, ibv_grh* grh, ibv_ah_attr* attr) {
  if (const int error = attributes(context, port_num, *wc, grh, attr); error != 0) {
    watch::outcome("ibv_init_ah_from_wc", context, error);
    return -1;
  }
  return 0;
}

ibv_ah* ibv_create_ah_from_wc(ibv_pd* pd, ibv_wc* wc, ibv_grh* grh, uint8_t port_num) {
  if (!is_live(pd)) return watch::outcome("ibv_create_ah_from_wc", pd, fail<ibv_ah>(refuse_dead()));
  ibv_ah_attr attr;
  if (const int error = attributes(pd->context, port_num, *wc, grh, &attr); error != 0)
    return watch::outcome("ibv_create_ah_from_wc", pd, fail<ibv_ah>(error));
  return ibv_create_ah(pd, &attr);
}

}  // extern "C"
