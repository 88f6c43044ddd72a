// <rdma/rdma_cma.h> with its functions exported from this library: everything else is hidden.
#pragma once

#include "uroce/verbs/abi/abi.h"

#pragma GCC visibility push(default)
#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>
#pragma GCC visibility pop
