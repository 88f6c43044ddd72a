// Verbs for features that the device does not have (and does not advertise): EOPNOTSUPP. They are defined
// here all the same, since the real library's would follow private pointers that the objects of this
// library do not have.
#include <errno.h>

#include "uroce/ext/uroce.h"
#include "uroce/verbs/abi/objects.h"

using namespace uroce::verbs;

extern "C" {

ibv_context* ibv_import_device(int) { return fail<ibv_context>(EOPNOTSUPP); }
ibv_pd* ibv_import_pd(ibv_context*, uint32_t) { return fail<ibv_pd>(EOPNOTSUPP); }
void ibv_unimport_pd(ibv_pd*) {}
ibv_mr* ibv_import_mr(ibv_pd*, uint32_t) { return fail<ibv_mr>(EOPNOTSUPP); }
void ibv_unimport_mr(ibv_mr*) {}
ibv_dm* ibv_import_dm(ibv_context*, uint32_t) { return fail<ibv_dm>(EOPNOTSUPP); }
void ibv_unimport_dm(ibv_dm*) {}
int ibv_set_ece(ibv_qp*, ibv_ece*) { return EOPNOTSUPP; }
int ibv_query_ece(ibv_qp*, ibv_ece*) { return EOPNOTSUPP; }

// Registers a provider, as before rdma-core: the device has none.
UROCE_API void ibv_register_driver(const char*, void*) {}

// Functions of later versions of libibverbs than the headers of this build: those that take this library's
// objects.
UROCE_API int ibv_query_port_speed(ibv_context*, uint32_t, uint64_t*) { return EOPNOTSUPP; }
UROCE_API ibv_mr* ibv_reg_mr_ex(ibv_pd*, void*) { return fail<ibv_mr>(EOPNOTSUPP); }
UROCE_API void* ibv_alloc_dmah(ibv_context*, void*) { return fail<void>(EOPNOTSUPP); }
UROCE_API int _ibv_query_comp_cntr_caps(ibv_context*, void*, size_t) { return EOPNOTSUPP; }
UROCE_API void* ibv_create_comp_cntr(ibv_context*, void*) { return fail<void>(EOPNOTSUPP); }
UROCE_API int ibv_qp_attach_comp_cntr(ibv_qp*, void*, void*) { return EOPNOTSUPP; }
UROCE_API void* ibv_alloc_buf(ibv_pd*, size_t, void**) { return fail<void>(EOPNOTSUPP); }
UROCE_API ibv_mr* ibv_reg_buf_mr(ibv_pd*, void*, void*, size_t, int) { return fail<ibv_mr>(EOPNOTSUPP); }

// Nothing to do for fork(): pages are accessed through the process's own addresses, so fork() cannot take
// them away.
int ibv_fork_init(void) { return 0; }
ibv_fork_status ibv_is_fork_initialized(void) { return IBV_FORK_UNNEEDED; }

}  // extern "C"
