// Each message takes one RECV, in order. With credits, a fast client never runs out of them.
#include "common.h"

#define BUFFER 16
#define RECVS 4
#define MESSAGES 12

// Sends the first bytes of the client's memory. A SEND names no address at the server.
static void send_bytes(struct end* client, uint32_t length) {
  struct ibv_sge local = piece(client->mr, 0, length);
  check(post(client->qp, IBV_WR_SEND, 0, local, NULL, IBV_SEND_SIGNALED), "ibv_post_send");
}

// RECV number `id` has buffer `id` of the server's memory.
static void give_recv(struct end* server, int id, uint32_t length) {
  post_recv(server->qp, id, piece(server->mr, id * BUFFER, length));
}

int main(void) {
  struct device d = open_device();
  static struct end client, server;
  open_end(&d, &client, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  open_end(&d, &server, IBV_QPT_RC, IBV_ACCESS_LOCAL_WRITE);
  // With rnr_retry 0 a message that finds no RECV fails at once.
  connect_rc_rnr(&d, client.qp, server.qp->qp_num, 0);
  connect_rc(&d, server.qp, client.qp->qp_num);

  // The RECVs must be there before the messages. The completion says which RECV, and how long the message is.
  const char* texts[] = {"one", "two longer", ""};
  for (int id = 1; id <= 3; id++) give_recv(&server, id, BUFFER);
  for (int i = 0; i < 3; i++) {
    strcpy(client.memory, texts[i]);
    send_bytes(&client, strlen(texts[i]));
    next_success(client.cq);
    struct ibv_wc wc = next_success(server.cq);
    printf("RECV %d: %u bytes \"%.*s\"\n", (int)wc.wr_id, wc.byte_len, (int)wc.byte_len,
           server.memory + wc.wr_id * BUFFER);
  }

  // A credit for each RECV. Between two hosts, a message or a WRITE of the server brings credits back.
  int credits = 0, sent = 0, received = 0;
  for (; credits < RECVS; credits++) give_recv(&server, credits, BUFFER);
  while (received < MESSAGES) {
    for (; credits > 0 && sent < MESSAGES; credits--, sent++) send_bytes(&client, BUFFER);
    // The server has read the buffer, and posts it again.
    struct ibv_wc wc = next_success(server.cq);
    give_recv(&server, (int)wc.wr_id, BUFFER);
    credits++;
    received++;
    next_success(client.cq);
  }
  printf("%d messages through %d RECVs with credits: %d arrived\n", MESSAGES, RECVS, received);

  // A message that is too long is not cut off: both ends get an error, and the connection is gone.
  send_bytes(&client, BUFFER + 1);
  int at_client = next_completion(client.cq).status;
  printf("1 byte too long: status %d at the client, %d at the server\n", at_client,
         next_completion(server.cq).status);

  close_end(&client);
  close_end(&server);
  close_device(&d);
  return 0;
}
