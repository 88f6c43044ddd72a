#include "bench/verbs_library.h"

#include <dlfcn.h>

#include <cerrno>
#include <cstring>

#include "bench/failure.h"

namespace vlbench {
namespace {

template <typename F>
void optional(void* handle, F*& pointer, const char* name) {
  pointer = reinterpret_cast<F*>(dlsym(handle, name));
}

template <typename F>
void required(void* handle, F*& pointer, const char* name) {
  optional(handle, pointer, name);
  if (pointer == nullptr) throw Failure(ENOSYS, "dlsym", name);
}

}  // namespace

// RTLD_LOCAL: two libraries with the same names live side by side. Not by dlopen(), which gives the device to a program
// under `exec` (uroce/paths): here the system's library is wanted, beside the device's.
void* open_system_library(const char* name) {
  void* const beside = dlsym(RTLD_DEFAULT, "uroce_open_system_library");
  auto* const open = beside == nullptr ? dlopen : reinterpret_cast<decltype(&dlopen)>(beside);
  return open(name, RTLD_NOW | RTLD_LOCAL);
}

std::shared_ptr<const VerbsLibrary> load_verbs_library(const std::string& path) {
  auto library = std::make_shared<VerbsLibrary>();
  library->path = path;
  void* handle =
      path == "system" ? open_system_library("libibverbs.so.1") : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = dlerror();
    throw Failure(ENOENT, "dlopen", why != nullptr ? why : path);
  }
  VerbsLibrary& v = *library;
  v.handle = handle;
  required(handle, v.get_device_list, "ibv_get_device_list");
  required(handle, v.free_device_list, "ibv_free_device_list");
  required(handle, v.get_device_name, "ibv_get_device_name");
  required(handle, v.get_device_guid, "ibv_get_device_guid");
  required(handle, v.open_device, "ibv_open_device");
  required(handle, v.close_device, "ibv_close_device");
  required(handle, v.query_device, "ibv_query_device");
  required(handle, v.query_port_compat, "ibv_query_port");
  required(handle, v.query_gid, "ibv_query_gid");
  optional(handle, v.query_gid_type, "ibv_query_gid_type");
  required(handle, v.query_pkey, "ibv_query_pkey");
  required(handle, v.alloc_pd, "ibv_alloc_pd");
  required(handle, v.dealloc_pd, "ibv_dealloc_pd");
  required(handle, v.reg_mr, "ibv_reg_mr");
  optional(handle, v.reg_mr_iova2, "ibv_reg_mr_iova2");
  optional(handle, v.rereg_mr, "ibv_rereg_mr");
  required(handle, v.dereg_mr, "ibv_dereg_mr");
  required(handle, v.create_comp_channel, "ibv_create_comp_channel");
  required(handle, v.destroy_comp_channel, "ibv_destroy_comp_channel");
  required(handle, v.create_cq, "ibv_create_cq");
  required(handle, v.resize_cq, "ibv_resize_cq");
  required(handle, v.destroy_cq, "ibv_destroy_cq");
  required(handle, v.get_cq_event, "ibv_get_cq_event");
  required(handle, v.ack_cq_events, "ibv_ack_cq_events");
  required(handle, v.create_qp, "ibv_create_qp");
  required(handle, v.modify_qp, "ibv_modify_qp");
  required(handle, v.query_qp, "ibv_query_qp");
  required(handle, v.destroy_qp, "ibv_destroy_qp");
  optional(handle, v.qp_to_qp_ex, "ibv_qp_to_qp_ex");
  required(handle, v.attach_mcast, "ibv_attach_mcast");
  required(handle, v.detach_mcast, "ibv_detach_mcast");
  required(handle, v.create_ah, "ibv_create_ah");
  required(handle, v.create_ah_from_wc, "ibv_create_ah_from_wc");
  required(handle, v.destroy_ah, "ibv_destroy_ah");
  required(handle, v.create_srq, "ibv_create_srq");
  required(handle, v.modify_srq, "ibv_modify_srq");
  required(handle, v.query_srq, "ibv_query_srq");
  required(handle, v.destroy_srq, "ibv_destroy_srq");
  required(handle, v.get_async_event, "ibv_get_async_event");
  required(handle, v.ack_async_event, "ibv_ack_async_event");
  return library;
}

int VerbsLibrary::query_port(ibv_context* context, uint8_t port, ibv_port_attr* attr) const {
  std::memset(attr, 0, sizeof *attr);
  verbs_context* extended = verbs_get_ctx_op(context, query_port);
  if (extended == nullptr)
    return query_port_compat(context, port, reinterpret_cast<_compat_ibv_port_attr*>(attr));
  return extended->query_port(context, port, attr, sizeof *attr);
}

ibv_mr* VerbsLibrary::register_memory(ibv_pd* pd, void* addr, size_t length, unsigned access) const {
  if ((access & IBV_ACCESS_ZERO_BASED) != 0 && reg_mr_iova2 != nullptr)
    return reg_mr_iova2(pd, addr, length, 0, access);
  if ((access & IBV_ACCESS_OPTIONAL_RANGE) == 0) return reg_mr(pd, addr, length, static_cast<int>(access));
  if (reg_mr_iova2 != nullptr)
    return reg_mr_iova2(pd, addr, length, reinterpret_cast<uintptr_t>(addr), access);
  return reg_mr(pd, addr, length,
                static_cast<int>(access & ~static_cast<unsigned>(IBV_ACCESS_OPTIONAL_RANGE)));
}

}  // namespace vlbench
