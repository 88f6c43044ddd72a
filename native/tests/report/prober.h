#pragma once

#include <infiniband/verbs.h>
#include <stdint.h>

struct ibv_qp* probe_inline(struct ibv_pd* pd, struct ibv_cq* cq, uint32_t from, int tries);
// Posts receives until the queue is full; returns how many fit.
int fill_receives(struct ibv_qp* qp, struct ibv_mr* mr);
