#pragma once

#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stdint.h>

struct ibv_qp* probe_inline(struct ibv_pd* pd, struct ibv_cq* cq, uint32_t from, int tries);
// Posts receives until the queue is full; returns how many fit.
int fill_receives(struct ibv_qp* qp, struct ibv_mr* mr);
// Asks whether the device has InfiniBand's addresses, as the system's librdmacm does at its first call.
int probe_infiniband(struct rdma_cm_id* id);
