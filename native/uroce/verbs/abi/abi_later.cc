// Functions that libibverbs got after the headers of this build (rdma-core 44), up to rdma-core 65: IBVERBS_1.15 to 1.18.
#include <errno.h>
#include <stdint.h>

#include "uroce/ext/uroce.h"
#include "uroce/verbs/abi/context.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/watch/refusal.h"

using namespace uroce::verbs;

namespace {

// struct ibv_mr_init_attr of IBVERBS_1.15 as far as the device reads it, and the bits of its comp_mask.
struct MrInitAttr {
  size_t length;
  int access;
  uint64_t comp_mask;
  uint64_t iova;
  void* addr;
};
constexpr uint64_t kIova = 1 << 0, kAddr = 1 << 1, kKnown = (1 << 6) - 1;

// Sets errno, as calls do that give a descriptor.
int minus_one(int error) {
  errno = error;
  return -1;
}

// Lanes of a port, by the codes of active_width, and 100 Mb/s of each lane, by those of active_speed.
uint64_t lanes(uint8_t width) {
  return width == 1 ? 1 : width == 2 ? 4 : width == 4 ? 8 : width == 8 ? 12 : 2;
}
uint64_t lane_speed(uint8_t speed) {
  switch (speed) {
    case 1:
      return 25;  // SDR
    case 2:
      return 50;  // DDR
    case 4:       // QDR
    case 8:
      return 100;  // FDR10
    case 16:
      return 140;  // FDR
    case 32:
      return 250;  // EDR
    case 64:
      return 500;  // HDR
    default:
      return 1000;  // NDR
  }
}

}  // namespace

extern "C" {

// Memory of the program only: no dma-buf, no DMA handle, no buffer of ibv_alloc_buf.
UROCE_API ibv_mr* ibv_reg_mr_ex(ibv_pd* pd, MrInitAttr* attr) {
  if ((attr->comp_mask & ~kKnown) != 0)
    return watch::outcome("ibv_reg_mr_ex", pd,
                          fail<ibv_mr>(refuse(EINVAL, Cause::unknown_flags, attr->comp_mask)));
  if ((attr->comp_mask & ~(kIova | kAddr)) != 0)
    return watch::outcome("ibv_reg_mr_ex", pd,
                          fail<ibv_mr>(refuse(EOPNOTSUPP, Cause::unsupported, attr->comp_mask)));
  void* const addr = (attr->comp_mask & kAddr) != 0 ? attr->addr : nullptr;
  const uint64_t iova = (attr->comp_mask & kIova) != 0 ? attr->iova : reinterpret_cast<uintptr_t>(addr);
  return ibv_reg_mr_iova2(pd, addr, attr->length, iova, static_cast<unsigned>(attr->access));
}

// *speed is in 100 Mb/s.
UROCE_API int ibv_query_port_speed(ibv_context* context, uint32_t port, uint64_t* speed) {
  ibv_port_attr attr;
  if (port != 1)
    return watch::outcome("ibv_query_port_speed", context, refuse(EINVAL, Cause::device_port, port));
  const int error = ops::query_port(context, 1, &attr, sizeof attr);
  if (error == 0) *speed = lanes(attr.active_width) * lane_speed(attr.active_speed);
  return error;
}

UROCE_API void* ibv_alloc_dmah(ibv_context*, void*) { return fail<void>(EOPNOTSUPP); }
UROCE_API int ibv_dealloc_dmah(void*) { return EOPNOTSUPP; }
UROCE_API int ibv_dm_export_dmabuf_fd(ibv_dm*) { return minus_one(EOPNOTSUPP); }
UROCE_API void* ibv_alloc_buf(ibv_pd*, size_t, void**) { return fail<void>(EOPNOTSUPP); }
UROCE_API void ibv_free_buf(void*) {}
UROCE_API ibv_mr* ibv_reg_buf_mr(ibv_pd*, void*, void*, size_t, int) { return fail<ibv_mr>(EOPNOTSUPP); }
UROCE_API int ibv_export_buf_dmabuf_fd(void*) { return minus_one(EOPNOTSUPP); }

UROCE_API int _ibv_query_comp_cntr_caps(ibv_context*, void*, size_t) { return EOPNOTSUPP; }
UROCE_API void* ibv_create_comp_cntr(ibv_context*, void*) { return fail<void>(EOPNOTSUPP); }
UROCE_API int ibv_destroy_comp_cntr(void*) { return EOPNOTSUPP; }
UROCE_API int ibv_qp_attach_comp_cntr(ibv_qp*, void*, void*) { return EOPNOTSUPP; }
UROCE_API int ibv_set_comp_cntr(void*, uint64_t) { return EOPNOTSUPP; }
UROCE_API int ibv_set_err_comp_cntr(void*, uint64_t) { return EOPNOTSUPP; }
UROCE_API int ibv_inc_comp_cntr(void*, uint64_t) { return EOPNOTSUPP; }
UROCE_API int ibv_inc_err_comp_cntr(void*, uint64_t) { return EOPNOTSUPP; }
UROCE_API int ibv_read_comp_cntr(void*, uint64_t*) { return EOPNOTSUPP; }
UROCE_API int ibv_read_err_comp_cntr(void*, uint64_t*) { return EOPNOTSUPP; }

}  // extern "C"
