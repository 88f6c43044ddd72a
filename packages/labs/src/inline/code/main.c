// Inline data is copied while posting: the buffer is free at once, and needs no registration.
#include <errno.h>

#include "common.h"

int main(void) {
  struct device d = open_device();
  static char server_memory[64];
  struct ibv_mr* server_mr = register_memory(&d, server_memory, sizeof server_memory, REMOTE_ACCESS);
  struct ibv_cq* cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  // create_qp asks for max_inline_data of 64 bytes. The device may give more.
  struct ibv_qp* client = create_qp(&d, cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  connect_rc(&d, client, server->qp_num);
  connect_rc(&d, server, client->qp_num);

  // The buffer is on the stack and not registered: no lkey is needed.
  char text[16] = "first";
  struct ibv_sge local = {.addr = (uintptr_t)text, .length = sizeof text};
  check(post(client, IBV_WR_RDMA_WRITE, 1, local, server_mr, IBV_SEND_INLINE | IBV_SEND_SIGNALED),
        "ibv_post_send");
  // The bytes are already in the request. Overwriting the buffer does no harm.
  strcpy(text, "second");
  next_success(cq);
  printf("the server holds: %s\n", server_memory);

  // A payload above max_inline_data is refused while posting.
  struct ibv_qp_attr attr;
  struct ibv_qp_init_attr init;
  check(ibv_query_qp(client, &attr, IBV_QP_CAP, &init), "ibv_query_qp");
  uint32_t too_many = init.cap.max_inline_data + 1;
  char* large = calloc(1, too_many);
  need(large != NULL, "calloc");
  local = (struct ibv_sge){.addr = (uintptr_t)large, .length = too_many};
  int error = post(client, IBV_WR_RDMA_WRITE, 2, local, server_mr, IBV_SEND_INLINE);
  printf("max_inline_data + 1 bytes: %s\n", error == EINVAL   ? "EINVAL"
                                            : error == ENOMEM ? "ENOMEM"
                                            : error == 0      ? "accepted"
                                                              : strerror(error));

  free(large);
  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(server_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
