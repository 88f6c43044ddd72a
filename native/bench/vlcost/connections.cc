#include <netdb.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "bench/vlcost/cost.h"

namespace vlcost {
namespace {

constexpr int kTimeoutMs = 5000;

sockaddr_in resolve(const char* host) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host, nullptr, &hints, &found); error != 0)
    throw std::runtime_error(std::string(host) + ": " + gai_strerror(error));
  sockaddr_in address;
  std::memcpy(&address, found->ai_addr, sizeof address);
  freeaddrinfo(found);
  return address;
}

ibv_qp_init_attr queue_pair() {
  ibv_qp_init_attr init{};
  init.qp_type = IBV_QPT_RC;
  init.cap = {
      .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
  return init;
}

rdma_conn_param parameters() {
  rdma_conn_param param{};
  param.responder_resources = param.initiator_depth = 1;
  param.retry_count = param.rnr_retry_count = 7;
  return param;
}

// An id without a channel: every call returns when it is done.
rdma_cm_id* create_id() {
  rdma_cm_id* id = nullptr;
  done(rdma_create_id(nullptr, &id, nullptr, RDMA_PS_TCP), "rdma_create_id");
  return id;
}

void destroy(rdma_cm_id* id) {
  rdma_destroy_qp(id);
  done(rdma_destroy_id(id), "rdma_destroy_id");
}

// Tells its port through `out`, and then accepts `count` connections one after the other.
void serve(sockaddr_in address, uint32_t count, int out) {
  rdma_cm_id* listener = create_id();
  address.sin_port = 0;
  done(rdma_bind_addr(listener, reinterpret_cast<sockaddr*>(&address)), "rdma_bind_addr");
  done(rdma_listen(listener, 16), "rdma_listen");
  const uint16_t port = rdma_get_src_port(listener);
  if (write(out, &port, sizeof port) != sizeof port) fail("write", errno);
  for (uint32_t i = 0; i < count; ++i) {
    rdma_cm_id* id = nullptr;
    done(rdma_get_request(listener, &id), "rdma_get_request");
    ibv_qp_init_attr init = queue_pair();
    done(rdma_create_qp(id, nullptr, &init), "rdma_create_qp");
    rdma_conn_param param = parameters();
    done(rdma_accept(id, &param), "rdma_accept");
    done(rdma_disconnect(id), "rdma_disconnect");
    destroy(id);
  }
  done(rdma_destroy_id(listener), "rdma_destroy_id");
}

struct Times {
  std::vector<double> resolve, create, connect, all;
};

void connect_once(sockaddr_in address, Times& times) {
  const uint64_t begin = monotonic_ns();
  rdma_cm_id* id = create_id();
  done(rdma_resolve_addr(id, nullptr, reinterpret_cast<sockaddr*>(&address), kTimeoutMs),
       "rdma_resolve_addr");
  done(rdma_resolve_route(id, kTimeoutMs), "rdma_resolve_route");
  const uint64_t resolved = monotonic_ns();
  ibv_qp_init_attr init = queue_pair();
  done(rdma_create_qp(id, nullptr, &init), "rdma_create_qp");
  const uint64_t created = monotonic_ns();
  rdma_conn_param param = parameters();
  done(rdma_connect(id, &param), "rdma_connect");
  const uint64_t connected = monotonic_ns();
  times.resolve.push_back(static_cast<double>(resolved - begin) / 1e3);
  times.create.push_back(static_cast<double>(created - resolved) / 1e3);
  times.connect.push_back(static_cast<double>(connected - created) / 1e3);
  times.all.push_back(static_cast<double>(connected - begin) / 1e3);
  done(rdma_disconnect(id), "rdma_disconnect");
  destroy(id);
}

}  // namespace

void measure_connections(const char* host, uint32_t count) {
  sockaddr_in address = resolve(host);
  int ends[2];
  done(pipe(ends), "pipe");
  // Before this process has a device of its own.
  const pid_t child = fork();
  if (child < 0) fail("fork", errno);
  if (child == 0) {
    close(ends[0]);
    int code = 0;
    try {
      serve(address, count, ends[1]);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "vlcost server: %s\n", error.what());
      code = 1;
    }
    _exit(code);
  }
  close(ends[1]);
  uint16_t port = 0;
  const bool told = read(ends[0], &port, sizeof port) == sizeof port;
  close(ends[0]);
  Times times;
  if (told) {
    address.sin_port = port;
    for (uint32_t i = 0; i < count; ++i) connect_once(address, times);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!told || status != 0) throw std::runtime_error("the server could not continue");
  std::vector<double> sorted = times.all;
  std::sort(sorted.begin(), sorted.end());
  std::printf(
      "{\"resolveUs\":%.1f,\"createQpUs\":%.1f,\"connectUs\":%.1f,\"p50Us\":%.1f,\"p99Us\":%.1f,"
      "\"count\":%zu}\n",
      median(times.resolve), median(times.create), median(times.connect), median(times.all),
      sorted[(sorted.size() - 1) * 99 / 100], sorted.size());
}

}  // namespace vlcost
