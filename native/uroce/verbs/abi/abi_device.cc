// Devices, contexts and their queries.
#include <errno.h>
#include <net/if.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/call_faults.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/device/exit_notice.h"
#include "uroce/verbs/device/identity.h"
#include "uroce/verbs/watch/watch.h"
#include "uroce/verbs/watch/watch_feed.h"

namespace uroce::verbs {
namespace {

// An OUI from the quarter of the space that IEEE assigns to no vendor. Programs that know vendors treat the
// device as a generic one.
constexpr uint32_t kVendorId = 0x02764c;
constexpr uint32_t kPartId = 1;

// The only device. Every ibv_get_device_list returns it, so handles stay valid after any free.
ibv_device* the_device() {
  static ibv_device device = [] {
    ibv_device d{};
    d.node_type = IBV_NODE_CA;
    d.transport_type = IBV_TRANSPORT_IB;
    std::strcpy(d.name, kDeviceName);
    std::strcpy(d.dev_name, kVerbsName);
    std::strcpy(d.dev_path, kVerbsPath);
    std::strcpy(d.ibdev_path, kDevicePath);
    return d;
  }();
  return &device;
}

__be64 to_be64(uint64_t v) { return static_cast<__be64>(htobe64(v)); }

const net::AddressPlan& plan_of(ibv_context* context) { return ContextObject::of(context)->device->plan(); }

void fill_port(ibv_context* context, ibv_port_attr* attr) {
  Device& device = *ContextObject::of(context)->device;
  *attr = port_of(device.plan());
  attr->max_msg_sz = device.engine().config().max_message;
  std::lock_guard guard(device.lock());
  attr->qkey_viol_cntr = static_cast<uint32_t>(device.engine().counters().qkey_violations);
}

void fill_device(ibv_context* context, ibv_device_attr* attr) {
  const transport::EngineConfig& config = ContextObject::of(context)->device->engine().config();
  *attr = {};
  std::strcpy(attr->fw_ver, kFirmware);
  attr->node_guid = attr->sys_image_guid = to_be64(plan_of(context).guid);
  attr->vendor_id = kVendorId;
  attr->vendor_part_id = kPartId;
  attr->hw_ver = kHardwareVersion;
  attr->max_mr_size = UINT64_MAX;
  attr->page_size_cap = 0xfffff000;
  attr->max_qp = 4096 - static_cast<int>(config.first_local_index);
  attr->max_qp_wr = static_cast<int>(config.max_qp_wr);
  attr->device_cap_flags = IBV_DEVICE_BAD_PKEY_CNTR | IBV_DEVICE_BAD_QKEY_CNTR |
                           IBV_DEVICE_UD_AV_PORT_ENFORCE | IBV_DEVICE_SYS_IMAGE_GUID |
                           IBV_DEVICE_RC_RNR_NAK_GEN | IBV_DEVICE_PORT_ACTIVE_EVENT |
                           IBV_DEVICE_MEM_MGT_EXTENSIONS | IBV_DEVICE_SRQ_RESIZE | IBV_DEVICE_MEM_WINDOW |
                           IBV_DEVICE_MEM_WINDOW_TYPE_2B;
  attr->max_sge = static_cast<int>(config.max_sge);
  attr->max_sge_rd = static_cast<int>(config.max_sge);
  attr->max_cq = static_cast<int>(config.max_cq);
  attr->max_cqe = static_cast<int>(config.max_cqe);
  attr->max_mr = static_cast<int>(config.max_mr);
  attr->max_mw = static_cast<int>(config.max_mw);
  attr->max_pd = static_cast<int>(config.max_pd);
  attr->max_qp_rd_atom = static_cast<int>(config.max_rd_atomic);
  attr->max_qp_init_rd_atom = static_cast<int>(config.max_rd_atomic);
  attr->max_res_rd_atom = attr->max_qp * attr->max_qp_rd_atom;
  // Atomics are atomic against the CPU too, as IBV_ATOMIC_GLOB says. But UCX uses a device's atomics only
  // if it reports IBV_ATOMIC_HCA, as mlx5 and rxe do.
  attr->atomic_cap = IBV_ATOMIC_HCA;
  attr->max_ah = static_cast<int>(Device::kMaxAddressHandles);
  attr->max_srq = static_cast<int>(config.max_srq);
  attr->max_srq_wr = static_cast<int>(config.max_srq_wr);
  attr->max_srq_sge = static_cast<int>(config.max_sge);
  attr->max_mcast_grp = static_cast<int>(config.max_mcast_groups);
  attr->max_mcast_qp_attach = static_cast<int>(config.max_mcast_qps);
  attr->max_total_mcast_qp_attach = attr->max_mcast_grp * attr->max_mcast_qp_attach;
  attr->max_pkeys = 1;
  attr->local_ca_ack_delay = 15;
  attr->phys_port_cnt = 1;
}

// Makes a context. Null with errno set: no memory, or no descriptor for the events.
ContextObject* make_context(Device* device) {
  auto* object = new (std::nothrow) ContextObject{};
  if (object == nullptr) return fail<ContextObject>(refuse_memory());
  object->device = device;
  verbs_context& v = object->verbs;
  v.sz = sizeof(verbs_context);
  v.query_port = ops::query_port;
  v.query_device_ex = ops::query_device_ex;
  v.query_rt_values = ops::query_rt_values;
  v.create_qp_ex = ops::create_qp_ex;
  v.create_cq_ex = ops::create_cq_ex;
  v.alloc_td = ops::alloc_td;
  v.dealloc_td = ops::dealloc_td;
  v.alloc_parent_domain = ops::alloc_parent_domain;
  ibv_context& c = v.context;
  c.device = the_device();
  c.abi_compat = __VERBS_ABI_IS_EXTENDED;
  c.num_comp_vectors = 1;
  c.ops.poll_cq = ops::poll_cq;
  c.ops.req_notify_cq = ops::req_notify_cq;
  c.ops.post_send = ops::post_send;
  c.ops.post_recv = ops::post_recv;
  c.ops.post_srq_recv = ops::post_srq_recv;
  c.ops.alloc_mw = ops::alloc_mw;
  c.ops.bind_mw = ops::bind_mw;
  c.ops.dealloc_mw = ops::dealloc_mw;
  pthread_mutex_init(&c.mutex, nullptr);
  c.async_fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
  // A descriptor where programs expect the kernel's. Every ioctl on it fails with ENOTTY, and it is never
  // readable.
  c.cmd_fd = c.async_fd < 0 ? -1 : eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (c.cmd_fd < 0) {
    const int error = errno;
    if (c.async_fd >= 0) close(c.async_fd);
    pthread_mutex_destroy(&c.mutex);
    delete object;
    return fail<ContextObject>(error);
  }
  enter_handle(&c);
  return object;
}

int fill_gid_entry(ibv_context* context, uint32_t port, uint32_t index, ibv_gid_entry* entry, uint32_t flags,
                   size_t entry_size) {
  if (flags != 0) return refuse(EOPNOTSUPP, Cause::unsupported, flags);
  if (port != 1) return refuse(EINVAL, Cause::device_port, port);
  if (index >= kGidTableLength) return refuse(EINVAL, Cause::gid_index, index, kGidTableLength);
  if (entry_size < sizeof *entry) return refuse(EINVAL, Cause::unknown_flags, entry_size);
  if (!ContextObject::of(context)->device->has_gid(index)) return refuse(ENODATA, Cause::gid_empty, index);
  const net::LocalAddress& local = plan_of(context).gids[plan_of(context).entry(index)];
  std::memset(entry, 0, entry_size);
  std::memcpy(entry->gid.raw, local.gid.data(), sizeof entry->gid.raw);
  entry->gid_index = index;
  entry->port_num = 1;
  entry->gid_type = IBV_GID_TYPE_ROCE_V2;
  entry->ndev_ifindex = if_nametoindex(local.interface.c_str());
  return 0;
}

// Fills the table; returns the number of entries, or -EINVAL if there is no room for all of them.
ssize_t fill_gid_table(ibv_context* context, ibv_gid_entry* entries, size_t max, uint32_t flags,
                       size_t entry_size) {
  if (flags != 0) return -EOPNOTSUPP;
  if (entry_size < sizeof *entries) return -EINVAL;
  const Device& device = *ContextObject::of(context)->device;
  std::size_t n = 0;
  for (uint32_t i = 0; i < device.plan().gids.size(); ++i) {
    if (!device.has_gid(i)) continue;
    if (n == max) return -EINVAL;
    auto* entry = reinterpret_cast<ibv_gid_entry*>(reinterpret_cast<char*>(entries) + n * entry_size);
    if (fill_gid_entry(context, 1, i, entry, 0, entry_size) == 0) ++n;
  }
  return static_cast<ssize_t>(n);
}

// Result of calls that return -1 with the reason in errno.
int minus_one(const char* call, const void* object, int error) {
  return watch::outcome(call, object, error) == 0 ? 0 : -1;
}

// A program that exits without closing the device keeps its capture, and its peers learn that it has ended.
__attribute__((destructor)) void at_exit() {
  using namespace exit_notice;
  send(kAcks | kLeave | kStatistics);
}

}  // namespace

bool is_ours(const ibv_context* context) { return context != nullptr && context->device == the_device(); }

int ops::query_port(ibv_context* context, uint8_t port, ibv_port_attr* attr, size_t length) {
  if (!is_live(context)) return watch::outcome("ibv_query_port", context, refuse_dead());
  if (port != 1) return watch::outcome("ibv_query_port", context, refuse(EINVAL, Cause::device_port, port));
  ibv_port_attr full;
  fill_port(context, &full);
  std::memset(attr, 0, length);
  std::memcpy(attr, &full, std::min(length, sizeof full));
  return 0;
}

int ops::query_device_ex(ibv_context* context, const ibv_query_device_ex_input*, ibv_device_attr_ex* attr,
                         size_t length) {
  if (!is_live(context)) return watch::outcome("ibv_query_device_ex", context, refuse_dead());
  if (length < sizeof attr->orig_attr)
    return watch::outcome("ibv_query_device_ex", context, refuse(EINVAL, Cause::unknown_flags, length));
  ibv_device_attr_ex full{};
  fill_device(context, &full.orig_attr);
  full.completion_timestamp_mask = UINT64_MAX;
  full.hca_core_clock = 1'000'000;  // kHz: the clock of ibv_query_rt_values_ex counts ns
  full.device_cap_flags_ex = full.orig_attr.device_cap_flags;
  full.phys_port_cnt_ex = 1;
  std::memset(attr, 0, length);
  std::memcpy(attr, &full, std::min(length, sizeof full));
  return 0;
}

int ops::query_rt_values(ibv_context* context, ibv_values_ex* values) {
  if ((values->comp_mask & ~static_cast<uint32_t>(IBV_VALUES_MASK_RAW_CLOCK)) != 0)
    return watch::outcome("ibv_query_rt_values_ex", context,
                          refuse(EINVAL, Cause::unknown_flags, values->comp_mask));
  if ((values->comp_mask & IBV_VALUES_MASK_RAW_CLOCK) != 0) {
    // Completion timestamps use this clock, and none of them may be later than it.
    Device* device = ContextObject::of(context)->device;
    std::lock_guard guard(device->lock());
    const uint64_t now = device->now();
    values->raw_clock = {0, 0};
    values->raw_clock.tv_sec = static_cast<time_t>(now / 1'000'000'000u);
    values->raw_clock.tv_nsec = static_cast<long>(now % 1'000'000'000u);
  }
  return 0;
}

}  // namespace uroce::verbs

using namespace uroce::verbs;

extern "C" {

ibv_device** ibv_get_device_list(int* num_devices) {
  auto** list = static_cast<ibv_device**>(std::calloc(2, sizeof(ibv_device*)));
  if (list == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  list[0] = the_device();
  if (num_devices != nullptr) *num_devices = 1;
  return list;
}

void ibv_free_device_list(ibv_device** list) { std::free(list); }

const char* ibv_get_device_name(ibv_device* device) { return device->name; }

int ibv_get_device_index(ibv_device*) { return 0; }

__be64 ibv_get_device_guid(ibv_device*) {
  const auto plan = uroce::net::plan_addresses(std::getenv("UROCE_ADDR"), std::getenv("UROCE_NETDEV"));
  return plan ? to_be64(plan->guid) : 0;
}

ibv_context* ibv_open_device(ibv_device* device) {
  if (device != the_device()) return fail<ibv_context>(ENODEV);
  if (uroce::report::misspelled()) {
    std::fprintf(stderr, "uroce: UROCE_REPORT must be text or json, or text:FILE or json:FILE.\n");
    return fail<ibv_context>(EINVAL);
  }
  if (const std::string& word = call_faults::mistake(); !word.empty()) {
    std::fprintf(
        stderr,
        "uroce: UROCE_CALL_FAULTS has no rule like \"%s\". Write fail:call=ibv_reg_mr,errno=ENOMEM,nth=2, "
        "with semicolons between rules.\n",
        word.c_str());
    return fail<ibv_context>(EINVAL);
  }
  if (const int error = call_faults::injected("ibv_open_device"); error != 0)
    return watch::outcome("ibv_open_device", device, fail<ibv_context>(error));
  const auto opened = Device::acquire();
  if (!opened) {
    std::fprintf(stderr, "uroce: %s\n", opened.error().text.c_str());
    return fail<ibv_context>(opened.error().code);
  }
  ContextObject* object = or_no_memory([&] { return make_context(*opened); });
  if (object == nullptr) {
    const int error = errno;
    Device::release();
    return fail<ibv_context>(error);
  }
  if (uroce::report::on()) watch::context(object->verbs.context);
  if (call_faults::g_any) ops::let_posts_fail(object->verbs.context);
  uroce::report::made(uroce::report::Kind::context, object);
  (*opened)->add_context(object);
  return &object->verbs.context;
}

// Closing never fails for a live context: the kernel, too, frees what a program leaves behind. Everything
// that can be reached from the wire is destroyed. The handles stay allocated, with the device behind them,
// so that a late destroy finds a live object.
int ibv_close_device(ibv_context* context) {
  if (!is_live(context)) return watch::outcome("ibv_close_device", context, refuse_dead());
  ContextObject* object = ContextObject::of(context);
  leave_handle(context);
  uroce::report::gone(object);
  {
    std::lock_guard guard(object->device->lock());
    const uint64_t now = object->device->now();
    object->device->push(now, 0);
    const uroce::QpAttr reset;  // its state is RESET
    for (QpObject* qp : object->qps) {
      object->device->engine().modify_qp(*qp->qp, reset, uroce::qp_mask::state, now);
    }
    for (MwObject* mw : object->mws) object->device->engine().dealloc_mw(mw->key);
    for (MrObject* mr : object->mrs) object->device->engine().dereg_mr(mr->key);
  }
  if (object->objects.load() != 0) return 0;
  object->device->remove_context(object);
  close(context->async_fd);
  close(context->cmd_fd);
  pthread_mutex_destroy(&context->mutex);
  free_later(object);
  Device::release();
  return 0;
}

int ibv_query_device(ibv_context* context, ibv_device_attr* attr) {
  if (!is_live(context)) return watch::outcome("ibv_query_device", context, refuse_dead());
  fill_device(context, attr);
  return 0;
}

#undef ibv_query_port
// An entry for programs built before the inline version: their structure ends before port_cap_flags2.
int ibv_query_port(ibv_context* context, uint8_t port, _compat_ibv_port_attr* attr) {
  return ops::query_port(context, port, reinterpret_cast<ibv_port_attr*>(attr),
                         offsetof(ibv_port_attr, port_cap_flags2));
}

int ibv_query_gid(ibv_context* context, uint8_t port, int index, ibv_gid* gid) {
  if (!is_live(context)) return minus_one("ibv_query_gid", context, refuse_dead());
  if (port != 1) return minus_one("ibv_query_gid", context, refuse(EINVAL, Cause::device_port, port));
  if (index < 0 || index >= kGidTableLength) {
    const int error = refuse(EINVAL, Cause::gid_index, static_cast<uint32_t>(index), kGidTableLength);
    return minus_one("ibv_query_gid", context, error);
  }
  const uroce::net::AddressPlan& plan = plan_of(context);
  const auto at = static_cast<std::size_t>(index);
  const bool present = ContextObject::of(context)->device->has_gid(at);
  const uroce::Gid value = present ? plan.gids[plan.entry(at)].gid : uroce::Gid{};
  std::memcpy(gid->raw, value.data(), sizeof gid->raw);
  return 0;
}

// enum ibv_gid_type_sysfs of libibverbs' private header: 0 IB or RoCE v1, 1 RoCE v2.
UROCE_API int ibv_query_gid_type(ibv_context* context, uint8_t port, unsigned int index, unsigned int* type) {
  ibv_gid gid;
  if (ibv_query_gid(context, port, static_cast<int>(index), &gid) != 0) return -1;
  *type = 1;
  return 0;
}

int _ibv_query_gid_ex(ibv_context* context, uint32_t port, uint32_t index, ibv_gid_entry* entry,
                      uint32_t flags, size_t entry_size) {
  if (!is_live(context)) return watch::outcome("ibv_query_gid_ex", context, refuse_dead());
  return watch::outcome("ibv_query_gid_ex", context,
                        fill_gid_entry(context, port, index, entry, flags, entry_size));
}

ssize_t _ibv_query_gid_table(ibv_context* context, ibv_gid_entry* entries, size_t max, uint32_t flags,
                             size_t entry_size) {
  const ssize_t n = is_live(context) ? fill_gid_table(context, entries, max, flags, entry_size) : -ENOENT;
  if (n < 0) watch::outcome("ibv_query_gid_table", context, static_cast<int>(-n));
  return n;
}

int ibv_query_pkey(ibv_context* context, uint8_t port, int index, __be16* pkey) {
  if (port != 1) return minus_one("ibv_query_pkey", context, refuse(EINVAL, Cause::device_port, port));
  if (index != 0)
    return minus_one("ibv_query_pkey", context,
                     refuse(EINVAL, Cause::pkey_index_query, static_cast<uint32_t>(index)));
  *pkey = 0xffff;
  return 0;
}

int ibv_get_pkey_index(ibv_context* context, uint8_t port, __be16 pkey) {
  return port == 1 && pkey == 0xffff
             ? 0
             : minus_one("ibv_get_pkey_index", context, refuse(EINVAL, Cause::pkey_unknown));
}

// The device has no files in sysfs; programs ask for the board's name and do without.
UROCE_API int ibv_read_sysfs_file(const char*, const char*, char*, size_t) {
  errno = ENOENT;
  return -1;
}

}  // extern "C"
