// Two workers pull a model with READ and push gradients with WRITE_WITH_IMM, in turns.
#include "common.h"

#define WORKERS 2
#define LAYERS 2
#define PER_LAYER 4
#define ROUNDS 2
#define RATE 0.5f

struct model {
  uint32_t version;
  float parameters[LAYERS][PER_LAYER];
};

// A chunk of a push. The header names its place.
struct chunk {
  uint32_t layer_id, offset;
  float payload[PER_LAYER];
};

// The memory of a worker.
struct worker {
  struct model copy;
  struct chunk push[LAYERS];
  struct ibv_mr* mr;
  struct ibv_cq* cq;
  struct ibv_qp* qp;
  struct ibv_qp* far;  // the server's end of the connection
  uint32_t step;
};

static struct model model;
static struct chunk pushes[WORKERS][LAYERS];

// A notification needs a RECV, but no buffer: the data goes where the WRITE says.
static void post_empty_recv(struct ibv_qp* qp) {
  struct ibv_recv_wr *bad, recv = {0};
  check(ibv_post_recv(qp, &recv, &bad), "ibv_post_recv");
}

static void pull(struct worker* w, const struct ibv_mr* model_mr) {
  check(post(w->qp, IBV_WR_RDMA_READ, 0, piece(w->mr, 0, sizeof w->copy), model_mr, IBV_SEND_SIGNALED),
        "ibv_post_send");
  next_success(w->cq);
}

// All chunks with one call. The immediate has the step in its upper half and the chunk's number in its lower.
static void push(struct worker* w, int number, const struct ibv_mr* pushes_mr) {
  struct ibv_send_wr *bad, wrs[LAYERS] = {0};
  struct ibv_sge sges[LAYERS];
  for (int i = 0; i < LAYERS; i++) {
    w->push[i].layer_id = i;
    w->push[i].offset = 0;
    // The optimum of every parameter is 1.
    for (int j = 0; j < PER_LAYER; j++) w->push[i].payload[j] = w->copy.parameters[i][j] - 1;
    size_t at = (char*)&w->push[i] - (char*)w;
    sges[i] = piece(w->mr, at, sizeof(struct chunk));
    wrs[i] = (struct ibv_send_wr){.opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .sg_list = &sges[i], .num_sge = 1};
    wrs[i].imm_data = htonl(w->step << 16 | i);
    wrs[i].wr.rdma.remote_addr = (uintptr_t)&pushes[number][i];
    wrs[i].wr.rdma.rkey = pushes_mr->rkey;
    wrs[i].next = i + 1 < LAYERS ? &wrs[i + 1] : NULL;
    wrs[i].send_flags = i + 1 < LAYERS ? 0 : IBV_SEND_SIGNALED;
  }
  check(ibv_post_send(w->qp, wrs, &bad), "ibv_post_send");
  next_success(w->cq);
}

// The server's program: it takes a chunk per notification and asserts the order.
static void apply(struct worker* w, int number, struct ibv_cq* cq) {
  for (uint32_t i = 0; i < LAYERS; i++) {
    struct ibv_wc wc = next_success(cq);
    uint32_t immediate = ntohl(wc.imm_data);
    if (wc.qp_num != w->far->qp_num || immediate != (w->step << 16 | i)) fail("a chunk is out of order");
    struct chunk* chunk = &pushes[number][i];
    for (int j = 0; j < PER_LAYER; j++)
      model.parameters[chunk->layer_id][chunk->offset + j] -= RATE * chunk->payload[j];
    post_empty_recv(w->far);
  }
  printf("worker %d, step %u: pulled version %u, applied to version %u, first parameter now %.4f\n", number,
         w->step, w->copy.version, model.version, model.parameters[0][0]);
  model.version++;
}

int main(void) {
  struct device d = open_device();
  // Workers may only read the model, and only write their pushes.
  struct ibv_mr* model_mr = register_memory(&d, &model, sizeof model, IBV_ACCESS_REMOTE_READ);
  struct ibv_mr* pushes_mr =
      register_memory(&d, pushes, sizeof pushes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
  struct ibv_cq* cq = create_cq(&d, 64);
  static struct worker workers[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    struct worker* w = &workers[i];
    w->mr = register_memory(&d, w, sizeof *w, IBV_ACCESS_LOCAL_WRITE);
    w->cq = create_cq(&d, 16);
    w->qp = create_qp(&d, w->cq, IBV_QPT_RC, 16);
    w->far = create_qp(&d, cq, IBV_QPT_RC, 16);
    connect_rc(&d, w->qp, w->far->qp_num);
    connect_rc(&d, w->far, w->qp->qp_num);
    for (int j = 0; j < LAYERS; j++) post_empty_recv(w->far);
    pull(w, model_mr);
  }

  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < WORKERS; i++) {
      workers[i].step++;
      push(&workers[i], i, pushes_mr);
      apply(&workers[i], i, cq);
      pull(&workers[i], model_mr);
    }

  for (int i = 0; i < WORKERS; i++) {
    check(ibv_destroy_qp(workers[i].qp), "ibv_destroy_qp");
    check(ibv_destroy_qp(workers[i].far), "ibv_destroy_qp");
    check(ibv_destroy_cq(workers[i].cq), "ibv_destroy_cq");
    check(ibv_dereg_mr(workers[i].mr), "ibv_dereg_mr");
  }
  check(ibv_destroy_cq(cq), "ibv_destroy_cq");
  check(ibv_dereg_mr(model_mr), "ibv_dereg_mr");
  check(ibv_dereg_mr(pushes_mr), "ibv_dereg_mr");
  close_device(&d);
  return 0;
}
