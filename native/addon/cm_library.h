// librdmacm, loaded at run time: the machine's, or the library of a device in user space, which has its
// calls too.
#pragma once

#include <rdma/rdma_cma.h>

#include <memory>

#include "bench/verbs_library.h"

namespace addon {

struct CmLibrary {
  // The verbs library whose devices the IDs are bound to.
  std::shared_ptr<const vlbench::VerbsLibrary> verbs;

  ibv_context** (*get_devices)(int*) = nullptr;
  void (*free_devices)(ibv_context**) = nullptr;
  rdma_event_channel* (*create_event_channel)() = nullptr;
  void (*destroy_event_channel)(rdma_event_channel*) = nullptr;
  int (*create_id)(rdma_event_channel*, rdma_cm_id**, void*, rdma_port_space) = nullptr;
  int (*destroy_id)(rdma_cm_id*) = nullptr;
  int (*bind_addr)(rdma_cm_id*, sockaddr*) = nullptr;
  int (*resolve_addr)(rdma_cm_id*, sockaddr*, sockaddr*, int) = nullptr;
  int (*resolve_route)(rdma_cm_id*, int) = nullptr;
  int (*create_qp)(rdma_cm_id*, ibv_pd*, ibv_qp_init_attr*) = nullptr;
  void (*destroy_qp)(rdma_cm_id*) = nullptr;
  int (*connect)(rdma_cm_id*, rdma_conn_param*) = nullptr;
  int (*listen)(rdma_cm_id*, int) = nullptr;
  int (*accept)(rdma_cm_id*, rdma_conn_param*) = nullptr;
  int (*reject)(rdma_cm_id*, const void*, uint8_t) = nullptr;
  int (*disconnect)(rdma_cm_id*) = nullptr;
  int (*get_cm_event)(rdma_event_channel*, rdma_cm_event**) = nullptr;
  int (*ack_cm_event)(rdma_cm_event*) = nullptr;
};

// "system" is librdmacm.so.1; anything else the path of a verbs library that has these calls. Throws Failure:
// ENOENT when it cannot be loaded, ENOSYS when it lacks a call.
std::shared_ptr<const CmLibrary> load_cm_library(const std::string& path);

}  // namespace addon
