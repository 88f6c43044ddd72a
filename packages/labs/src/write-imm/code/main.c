// A WRITE with immediate notifies the server. Without a RECV there it fails.
#include "common.h"

static const char TEXT[] = "new data";

// Writes TEXT with 32 bits of immediate data, which travel in network byte order.
static struct ibv_wc write_imm(struct ibv_qp* client, struct ibv_mr* from, struct ibv_mr* to,
                               uint32_t value) {
  struct ibv_sge sge = piece(from, 0, strlen(TEXT));
  struct ibv_send_wr *bad,
      wr = {.wr_id = 1, .opcode = IBV_WR_RDMA_WRITE_WITH_IMM, .sg_list = &sge, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.imm_data = htonl(value);
  wr.wr.rdma.remote_addr = (uintptr_t)to->addr;
  wr.wr.rdma.rkey = to->rkey;
  check(ibv_post_send(client, &wr, &bad), "ibv_post_send");
  return next_completion(client->send_cq);
}

int main(void) {
  struct device d = open_device();
  static char client_memory[64], server_memory[64];
  struct ibv_mr* client_mr = register_memory(&d, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* server_mr = register_memory(&d, server_memory, sizeof server_memory, REMOTE_ACCESS);
  struct ibv_cq* client_cq = create_cq(&d, 16);
  struct ibv_cq* server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, client_cq, IBV_QPT_RC, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_RC, 16);
  // The client tries twice more when the server is not ready, instead of forever.
  connect_rc_rnr(&d, client, server->qp_num, 2);
  connect_rc(&d, server, client->qp_num);

  // The immediate data takes a RECV. It needs no buffer: the payload goes where the WRITE says.
  struct ibv_recv_wr *bad, recv = {.wr_id = 7};
  check(ibv_post_recv(server, &recv, &bad), "ibv_post_recv");
  memcpy(client_memory, TEXT, sizeof TEXT);
  need(write_imm(client, client_mr, server_mr, 42).status == IBV_WC_SUCCESS, "WRITE with immediate");
  struct ibv_wc told = next_success(server_cq);
  printf("server: RECV %d, immediate %u, %u bytes: %s\n", (int)told.wr_id, ntohl(told.imm_data),
         told.byte_len, server_memory);

  // No RECV is left. The server's device answers with RNR NAKs until the client gives up: IBV_WC_RNR_RETRY_EXC_ERR.
  struct ibv_wc failed = write_imm(client, client_mr, server_mr, 43);
  printf("without a RECV: status %d\n", failed.status);

  ibv_destroy_qp(client);
  ibv_destroy_qp(server);
  ibv_destroy_cq(client_cq);
  ibv_destroy_cq(server_cq);
  ibv_dereg_mr(client_mr);
  ibv_dereg_mr(server_mr);
  ibv_dealloc_pd(d.pd);
  ibv_close_device(d.context);
  return 0;
}
