// A verbs library, loaded at run time: the machine's libibverbs or a device in user space with the same ABI.
//
// Only function pointers of this table are called, and the inline calls of <infiniband/verbs.h> that go
// through ibv_context::ops (posting, polling, req_notify_cq, memory windows) or through ibv_qp_ex. Nothing here
// links against libibverbs.
#pragma once

#include <infiniband/verbs.h>

#include <memory>
#include <string>

// verbs.h makes macros of some calls; the table has members of the same names.
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova
#undef ibv_get_device_list

namespace vlbench {

struct VerbsLibrary {
  void* handle = nullptr;
  std::string path;

  ibv_device** (*get_device_list)(int*) = nullptr;
  void (*free_device_list)(ibv_device**) = nullptr;
  const char* (*get_device_name)(ibv_device*) = nullptr;
  __be64 (*get_device_guid)(ibv_device*) = nullptr;
  ibv_context* (*open_device)(ibv_device*) = nullptr;
  int (*close_device)(ibv_context*) = nullptr;
  int (*query_device)(ibv_context*, ibv_device_attr*) = nullptr;
  int (*query_port_compat)(ibv_context*, uint8_t, _compat_ibv_port_attr*) = nullptr;
  int (*query_gid)(ibv_context*, uint8_t, int, ibv_gid*) = nullptr;
  // May be missing in old libraries.
  int (*query_gid_type)(ibv_context*, uint8_t, unsigned, int*) = nullptr;
  int (*query_pkey)(ibv_context*, uint8_t, int, __be16*) = nullptr;
  ibv_pd* (*alloc_pd)(ibv_context*) = nullptr;
  int (*dealloc_pd)(ibv_pd*) = nullptr;
  ibv_mr* (*reg_mr)(ibv_pd*, void*, size_t, int) = nullptr;
  // May be missing in old libraries; then optional access flags cannot be given.
  ibv_mr* (*reg_mr_iova2)(ibv_pd*, void*, size_t, uint64_t, unsigned) = nullptr;
  // May be missing in old libraries.
  int (*rereg_mr)(ibv_mr*, int, ibv_pd*, void*, size_t, int) = nullptr;
  int (*dereg_mr)(ibv_mr*) = nullptr;
  ibv_comp_channel* (*create_comp_channel)(ibv_context*) = nullptr;
  int (*destroy_comp_channel)(ibv_comp_channel*) = nullptr;
  ibv_cq* (*create_cq)(ibv_context*, int, void*, ibv_comp_channel*, int) = nullptr;
  int (*resize_cq)(ibv_cq*, int) = nullptr;
  int (*destroy_cq)(ibv_cq*) = nullptr;
  int (*get_cq_event)(ibv_comp_channel*, ibv_cq**, void**) = nullptr;
  void (*ack_cq_events)(ibv_cq*, unsigned) = nullptr;
  ibv_qp* (*create_qp)(ibv_pd*, ibv_qp_init_attr*) = nullptr;
  int (*modify_qp)(ibv_qp*, ibv_qp_attr*, int) = nullptr;
  int (*query_qp)(ibv_qp*, ibv_qp_attr*, int, ibv_qp_init_attr*) = nullptr;
  int (*destroy_qp)(ibv_qp*) = nullptr;
  // May be missing in old libraries; then there is no extended posting.
  ibv_qp_ex* (*qp_to_qp_ex)(ibv_qp*) = nullptr;
  int (*attach_mcast)(ibv_qp*, const ibv_gid*, uint16_t) = nullptr;
  int (*detach_mcast)(ibv_qp*, const ibv_gid*, uint16_t) = nullptr;
  ibv_ah* (*create_ah)(ibv_pd*, ibv_ah_attr*) = nullptr;
  ibv_ah* (*create_ah_from_wc)(ibv_pd*, ibv_wc*, ibv_grh*, uint8_t) = nullptr;
  int (*destroy_ah)(ibv_ah*) = nullptr;
  ibv_srq* (*create_srq)(ibv_pd*, ibv_srq_init_attr*) = nullptr;
  int (*modify_srq)(ibv_srq*, ibv_srq_attr*, int) = nullptr;
  int (*query_srq)(ibv_srq*, ibv_srq_attr*) = nullptr;
  int (*destroy_srq)(ibv_srq*) = nullptr;
  int (*get_async_event)(ibv_context*, ibv_async_event*) = nullptr;
  void (*ack_async_event)(ibv_async_event*) = nullptr;

  // Port attributes through the extended table of the context, or the old call where there is none.
  int query_port(ibv_context* context, uint8_t port, ibv_port_attr* attr) const;
  // Registers with optional flags where the library can, without them where it cannot.
  ibv_mr* register_memory(ibv_pd* pd, void* addr, size_t length, unsigned access) const;
};

// "system" is libibverbs.so.1; anything else a path. The library stays loaded until the process ends: it may
// have threads. Throws Failure: ENOENT when it cannot be loaded (the detail is the loader's own message),
// ENOSYS when it lacks a call.
std::shared_ptr<const VerbsLibrary> load_verbs_library(const std::string& path);

// A handle of a library of the system's, as of dlopen(), which may be loaded beside the device's.
void* open_system_library(const char* name);

}  // namespace vlbench
