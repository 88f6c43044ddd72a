/*
 * rpma PORT: librpma, the library for remote persistent memory. A server offers its memory in the private
 * data of the connection. Its client writes and flushes, writes eight bytes at once, reads back, reads
 * nothing, and sends. Both check the data that they got.
 */
#include <librpma.h>

#include "common.h"

enum { kSize = 64 * 1024, kReceive = 4096, kBack = 8192, kEight = 256, kData = 16384, kLength = 20000 };

#define RPMA(call)                                                                         \
  do {                                                                                     \
    const int error = (call);                                                              \
    if (error != 0) {                                                                      \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, rpma_err_2str(error)); \
      exit(1);                                                                             \
    }                                                                                      \
  } while (0)

static const char kWord[8] = "8 bytes";
static const char kMessage[] = "a message";

struct side {
  struct rpma_peer* peer;
  struct rpma_conn_cfg* settings;
  struct rpma_mr_local* region;
  uint8_t* memory;
};

static struct side make_side(enum rpma_util_ibv_context_type type) {
  struct side s;
  struct ibv_context* context;
  RPMA(rpma_utils_get_ibv_context("127.0.0.1", type, &context));
  RPMA(rpma_peer_new(context, &s.peer));
  s.memory = aligned_alloc(4096, kSize);
  CHECK(s.memory != NULL);
  memset(s.memory, 0, kSize);
  RPMA(rpma_mr_reg(s.peer, s.memory, kSize,
                   RPMA_MR_USAGE_READ_SRC | RPMA_MR_USAGE_READ_DST | RPMA_MR_USAGE_WRITE_SRC |
                       RPMA_MR_USAGE_WRITE_DST | RPMA_MR_USAGE_SEND | RPMA_MR_USAGE_RECV |
                       RPMA_MR_USAGE_FLUSH_TYPE_VISIBILITY,
                   &s.region));
  RPMA(rpma_conn_cfg_new(&s.settings));
  return s;
}

static void expect_event(struct rpma_conn* conn, enum rpma_conn_event wanted) {
  enum rpma_conn_event event;
  RPMA(rpma_conn_next_event(conn, &event));
  if (event == wanted) return;
  fprintf(stderr, "%s\n", rpma_utils_conn_event_2str(event));
  exit(1);
}

static struct ibv_wc complete(struct rpma_conn* conn) {
  struct rpma_cq* cq;
  struct ibv_wc wc;
  RPMA(rpma_conn_get_cq(conn, &cq));
  RPMA(rpma_cq_wait(cq));
  RPMA(rpma_cq_get_wc(cq, 1, &wc, NULL));
  CHECK(wc.status == IBV_WC_SUCCESS);
  return wc;
}

static uint8_t data(int i) { return (uint8_t)(i * 7 + i / 256); }

static void finish(struct side* s, struct rpma_conn* conn) {
  RPMA(rpma_conn_delete(&conn));
  RPMA(rpma_conn_cfg_delete(&s->settings));
  RPMA(rpma_mr_dereg(&s->region));
  RPMA(rpma_peer_delete(&s->peer));
}

static void serve(const char* port, int listens) {
  struct side s = make_side(RPMA_UTIL_IBV_CONTEXT_LOCAL);
  struct rpma_ep* endpoint;
  struct rpma_conn_req* request;
  struct rpma_conn* conn;
  size_t size;
  uint8_t descriptor[UINT8_MAX];
  RPMA(rpma_mr_get_descriptor_size(s.region, &size));
  CHECK(size <= sizeof descriptor);
  RPMA(rpma_mr_get_descriptor(s.region, descriptor));
  const struct rpma_conn_private_data offer = {descriptor, (uint8_t)size};
  RPMA(rpma_ep_listen(s.peer, "127.0.0.1", port, &endpoint));
  CHECK(write(listens, "", 1) == 1);
  RPMA(rpma_ep_next_conn_req(endpoint, s.settings, &request));
  RPMA(rpma_conn_req_recv(request, s.region, kReceive, kReceive, NULL));
  RPMA(rpma_conn_req_connect(&request, &offer, &conn));
  expect_event(conn, RPMA_CONN_ESTABLISHED);
  CHECK(complete(conn).byte_len == sizeof kMessage);
  CHECK(memcmp(s.memory + kReceive, kMessage, sizeof kMessage) == 0);
  CHECK(memcmp(s.memory + kEight, kWord, sizeof kWord) == 0);
  for (int i = 0; i < kLength; ++i) CHECK(s.memory[kData + i] == data(i));
  expect_event(conn, RPMA_CONN_CLOSED);
  RPMA(rpma_conn_disconnect(conn));
  finish(&s, conn);
  RPMA(rpma_ep_shutdown(&endpoint));
}

static void call(const char* port) {
  struct side s = make_side(RPMA_UTIL_IBV_CONTEXT_REMOTE);
  struct rpma_conn_req* request;
  struct rpma_conn* conn;
  struct rpma_conn_private_data offer;
  struct rpma_mr_remote* remote;
  size_t size;
  RPMA(rpma_conn_req_new(s.peer, "127.0.0.1", port, s.settings, &request));
  RPMA(rpma_conn_req_connect(&request, NULL, &conn));
  expect_event(conn, RPMA_CONN_ESTABLISHED);
  RPMA(rpma_conn_get_private_data(conn, &offer));
  RPMA(rpma_mr_remote_from_descriptor(offer.ptr, offer.len, &remote));
  RPMA(rpma_mr_remote_get_size(remote, &size));
  CHECK(size == kSize);

  for (int i = 0; i < kLength; ++i) s.memory[kData + i] = data(i);
  RPMA(rpma_write(conn, remote, kData, s.region, kData, kLength, RPMA_F_COMPLETION_ON_ERROR, NULL));
  RPMA(rpma_flush(conn, remote, kData, kLength, RPMA_FLUSH_TYPE_VISIBILITY, RPMA_F_COMPLETION_ALWAYS, NULL));
  complete(conn);
  RPMA(rpma_atomic_write(conn, remote, kEight, kWord, RPMA_F_COMPLETION_ALWAYS, NULL));
  complete(conn);
  RPMA(rpma_read(conn, s.region, kBack, remote, kEight, sizeof kWord, RPMA_F_COMPLETION_ALWAYS, NULL));
  CHECK(complete(conn).byte_len == sizeof kWord && memcmp(s.memory + kBack, kWord, sizeof kWord) == 0);
  RPMA(rpma_read(conn, NULL, 0, NULL, 0, 0, RPMA_F_COMPLETION_ALWAYS, NULL));
  CHECK(complete(conn).byte_len == 0);
  memcpy(s.memory, kMessage, sizeof kMessage);
  RPMA(rpma_send(conn, s.region, 0, sizeof kMessage, RPMA_F_COMPLETION_ALWAYS, NULL));
  complete(conn);
  RPMA(rpma_conn_disconnect(conn));
  expect_event(conn, RPMA_CONN_CLOSED);
  RPMA(rpma_mr_remote_delete(&remote));
  finish(&s, conn);
}

int main(int argc, char** argv) {
  int listens[2], status;
  char byte;
  CHECK(argc == 2 && pipe(listens) == 0);
  RPMA(rpma_log_set_threshold(RPMA_LOG_THRESHOLD, RPMA_LOG_LEVEL_WARNING));
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    serve(argv[1], listens[1]);
    return 0;
  }
  close(listens[1]);
  CHECK(read(listens[0], &byte, 1) == 1);
  call(argv[1]);
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  puts("all of it is right");
  return 0;
}
