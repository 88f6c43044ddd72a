#include "addon/cm_library.h"

#include <dlfcn.h>

#include <cerrno>

#include "bench/failure.h"

namespace addon {
namespace {

constexpr const char* kSystem = "librdmacm.so.1";

template <typename F>
void required(void* handle, F*& pointer, const char* name) {
  pointer = reinterpret_cast<F*>(dlsym(handle, name));
  if (pointer == nullptr) throw vlbench::Failure(ENOSYS, "dlsym(librdmacm)", name);
}

}  // namespace

std::shared_ptr<const CmLibrary> load_cm_library(const std::string& path) {
  auto library = std::make_shared<CmLibrary>();
  library->verbs = vlbench::load_verbs_library(path);
  void* handle = library->verbs->handle;
  if (path == "system") {
    // The library links against the libibverbs.so.1 that is already loaded.
    handle = vlbench::open_system_library(kSystem);
    if (handle == nullptr) {
      const char* why = dlerror();
      throw vlbench::Failure(ENOENT, "dlopen(librdmacm)", why != nullptr ? why : kSystem);
    }
  }
  CmLibrary& cm = *library;
  required(handle, cm.get_devices, "rdma_get_devices");
  required(handle, cm.free_devices, "rdma_free_devices");
  required(handle, cm.create_event_channel, "rdma_create_event_channel");
  required(handle, cm.destroy_event_channel, "rdma_destroy_event_channel");
  required(handle, cm.create_id, "rdma_create_id");
  required(handle, cm.destroy_id, "rdma_destroy_id");
  required(handle, cm.bind_addr, "rdma_bind_addr");
  required(handle, cm.resolve_addr, "rdma_resolve_addr");
  required(handle, cm.resolve_route, "rdma_resolve_route");
  required(handle, cm.create_qp, "rdma_create_qp");
  required(handle, cm.destroy_qp, "rdma_destroy_qp");
  required(handle, cm.connect, "rdma_connect");
  required(handle, cm.listen, "rdma_listen");
  required(handle, cm.accept, "rdma_accept");
  required(handle, cm.reject, "rdma_reject");
  required(handle, cm.disconnect, "rdma_disconnect");
  required(handle, cm.get_cm_event, "rdma_get_cm_event");
  required(handle, cm.ack_cm_event, "rdma_ack_cm_event");
  return library;
}

}  // namespace addon
