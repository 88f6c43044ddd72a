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

// Nothing to do for fork(): pages are accessed through the process's own addresses, so fork() cannot take
// them away.
int ibv_fork_init(void) { return 0; }
ibv_fork_status ibv_is_fork_initialized(void) { return IBV_FORK_UNNEEDED; }

}  // extern "C"
