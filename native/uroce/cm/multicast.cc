// Multicast groups of ids. There is no subnet administrator on Ethernet: joining is local. The group's GID is
// the IP address of the group (as the kernel maps it for RoCE v2), and attaching the queue pair to it is what
// makes its packets arrive.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "uroce/cm/service.h"
#include "uroce/refusal.h"
#include "uroce/types.h"

namespace uroce::cm {
namespace {

int join(Id* id, const sockaddr* address, void* context) {
  const socklen_t length = length_of(address);
  if (length == 0) return refuse_family(address, EINVAL);
  if (id->base.verbs == nullptr) return refuse(EINVAL, Cause::cm_no_device);
  auto group = std::make_unique<Multicast>();
  group->mgid = net::gid_from(address);
  std::memcpy(&group->address, address, length);
  group->context = context;

  auto* event = new EventObject;
  event->base.id = &id->base;
  event->base.event = RDMA_CM_EVENT_MULTICAST_JOIN;
  event->counted = id;
  event->joined = group.get();
  rdma_ud_param& p = event->base.param.ud;
  p.private_data = context;
  p.qp_num = kMulticastQpn;
  p.qkey = RDMA_UDP_QKEY;
  p.ah_attr.is_global = 1;
  p.ah_attr.port_num = 1;
  p.ah_attr.grh.sgid_index = static_cast<uint8_t>(id->gid_index);
  p.ah_attr.grh.hop_limit = 64;
  p.ah_attr.grh.traffic_class = id->tos;
  std::copy(group->mgid.begin(), group->mgid.end(), p.ah_attr.grh.dgid.raw);
  id->groups.push_back(std::move(group));
  queue_event(id->channel(), event);
  return 0;
}

int join(rdma_cm_id* handle, const rdma_cm_join_mc_attr_ex* attr, void* context, const char* call) {
  constexpr uint32_t kKnown = RDMA_CM_JOIN_MC_ATTR_RESERVED - 1;
  if (attr == nullptr || (attr->comp_mask & ~kKnown) != 0 ||
      (attr->comp_mask & RDMA_CM_JOIN_MC_ATTR_ADDRESS) == 0) {
    return fail(refuse(EINVAL, Cause::cm_null), handle, call);
  }
  if ((attr->comp_mask & RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS) != 0 &&
      attr->join_flags >= RDMA_MC_JOIN_FLAG_RESERVED) {
    return fail(refuse(EINVAL, Cause::unknown_flags, attr->join_flags), handle, call);
  }
  Id* id = object(handle);
  int error;
  {
    Call call(*id->service);
    error = join(id, attr->addr, context);
  }
  return error != 0 ? fail(error, handle, call) : complete(id);
}

}  // namespace
}  // namespace uroce::cm

using namespace uroce::cm;

extern "C" {

int rdma_join_multicast_ex(rdma_cm_id* handle, rdma_cm_join_mc_attr_ex* attr, void* context) try {
  return join(handle, attr, context, "rdma_join_multicast_ex");
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_join_multicast(rdma_cm_id* handle, sockaddr* address, void* context) try {
  rdma_cm_join_mc_attr_ex attr{.comp_mask = RDMA_CM_JOIN_MC_ATTR_ADDRESS | RDMA_CM_JOIN_MC_ATTR_JOIN_FLAGS,
                               .join_flags = RDMA_MC_JOIN_FLAG_FULLMEMBER,
                               .addr = address};
  return join(handle, &attr, context, "rdma_join_multicast");
} catch (const std::exception&) {
  return fail(ENOMEM);
}

int rdma_leave_multicast(rdma_cm_id* handle, sockaddr* address) {
  const socklen_t length = length_of(address);
  if (length == 0) return fail(refuse_family(address, EINVAL), handle);
  Id* id = object(handle);
  std::unique_ptr<Multicast> group;
  {
    Call call(*id->service);
    const auto it = std::find_if(id->groups.begin(), id->groups.end(), [&](const auto& g) {
      return std::memcmp(&g->address, address, length) == 0;
    });
    if (it == id->groups.end()) return fail(refuse(EADDRNOTAVAIL, Cause::mcast_not_attached), handle);
    group = std::move(*it);
    id->groups.erase(it);
    // The join event of this group may still be queued. The other events stay in the queue.
    for (EventObject* event : remove_events(id->channel(), id)) {
      if (event->joined == group.get()) {
        delete event;
      } else {
        queue_event(id->channel(), event);
      }
    }
  }
  if (!group->attached || handle->qp == nullptr) return 0;
  ibv_gid mgid;
  std::copy(group->mgid.begin(), group->mgid.end(), mgid.raw);
  return result(ibv_detach_mcast(handle->qp, &mgid, 0));
}

}  // extern "C"
