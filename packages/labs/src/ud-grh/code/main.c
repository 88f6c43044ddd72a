// A datagram arrives after a 40-byte GRH, and the receiver uses what it got to answer.
#include "common.h"

#define QKEY 0x2222
#define GRH_BYTES ((int)sizeof(struct ibv_grh))

// Each datagram names its path (the address handle), the QPN and the Q_Key.
static void send_datagram(struct ibv_qp* qp, struct ibv_sge sge, struct ibv_ah* ah, uint32_t qpn) {
  struct ibv_send_wr *bad, wr = {.opcode = IBV_WR_SEND, .sg_list = &sge, .num_sge = 1};
  wr.send_flags = IBV_SEND_SIGNALED;
  wr.wr.ud.ah = ah;
  wr.wr.ud.remote_qpn = qpn;
  wr.wr.ud.remote_qkey = QKEY;
  check(ibv_post_send(qp, &wr, &bad), "ibv_post_send");
  next_success(qp->send_cq);
}

int main(void) {
  struct device d = open_device();
  static char client_memory[512], server_memory[512];
  struct ibv_mr* client_mr = register_memory(&d, client_memory, sizeof client_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_mr* server_mr = register_memory(&d, server_memory, sizeof server_memory, IBV_ACCESS_LOCAL_WRITE);
  struct ibv_cq *client_cq = create_cq(&d, 16), *server_cq = create_cq(&d, 16);
  struct ibv_qp* client = create_qp(&d, client_cq, IBV_QPT_UD, 16);
  struct ibv_qp* server = create_qp(&d, server_cq, IBV_QPT_UD, 16);
  activate_ud(client, QKEY);
  activate_ud(server, QKEY);

  // The receiver's buffer must be 40 bytes larger than the message.
  post_recv(server, 1, piece(server_mr, 0, 256));
  strcpy(client_memory, "Hello");
  struct ibv_ah_attr way = way_to(&d, d.gid);
  struct ibv_ah* to_server = ibv_create_ah(d.pd, &way);
  need(to_server != NULL, "ibv_create_ah");
  send_datagram(client, piece(client_mr, 0, 5), to_server, server->qp_num);

  struct ibv_wc wc = next_success(server_cq);
  printf("byte_len %u = %d of GRH + %u of payload\n", wc.byte_len, GRH_BYTES, wc.byte_len - GRH_BYTES);
  printf("payload at offset %d: %.5s\n", GRH_BYTES, server_memory + GRH_BYTES);
  printf("sender's QPN is in the completion: %s\n", wc.src_qp == client->qp_num ? "yes" : "no");

  // The completion and the GRH have everything that an answer needs.
  struct ibv_ah* back = ibv_create_ah_from_wc(d.pd, &wc, (struct ibv_grh*)server_memory, PORT);
  need(back != NULL, "ibv_create_ah_from_wc");
  post_recv(client, 1, piece(client_mr, 256, 256));
  strcpy(server_memory + 256, "Welcome");
  send_datagram(server, piece(server_mr, 256, 7), back, wc.src_qp);
  next_success(client_cq);
  printf("answer: %.7s\n", client_memory + 256 + GRH_BYTES);

  ibv_destroy_ah(to_server);
  ibv_destroy_ah(back);
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
