#include <unistd.h>

#include <cstdio>

#include "bench/vlcost/connect.h"

namespace vlcost {
namespace {

uint64_t resident_bytes() {
  FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) fail("/proc/self/statm", errno);
  unsigned long long size = 0, resident = 0;
  const int got = std::fscanf(file, "%llu %llu", &size, &resident);
  std::fclose(file);
  if (got != 2) throw std::runtime_error("/proc/self/statm cannot be read");
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  timespec ts;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
  return static_cast<double>(ts.tv_sec) + static_cast<double>(ts.tv_nsec) / 1e9;
}

}  // namespace

void measure_queue_pairs(uint32_t count, double seconds) {
  count += count & 1;  // they come in pairs
  OpenDevice device;
  ibv_gid gid;
  done(ibv_query_gid(device.context(), 1, 1, &gid), "ibv_query_gid");
  ibv_cq* cq = made(ibv_create_cq(device.context(), 4096, nullptr, nullptr, 0), "ibv_create_cq");
  std::vector<ibv_qp*> qps(count);
  std::vector<double> create(count), modify(count), destroy(count);
  const uint64_t before = resident_bytes();
  for (uint32_t i = 0; i < count; ++i) {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = cq;
    init.qp_type = IBV_QPT_RC;
    init.cap = {
        .max_send_wr = 128, .max_recv_wr = 128, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 0};
    const uint64_t start = monotonic_ns();
    qps[i] = made(ibv_create_qp(device.pd(), &init), "ibv_create_qp");
    create[i] = us_since(start);
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t start = monotonic_ns();
    connect(qps[i], qps[i ^ 1]->qp_num, gid, IBV_MTU_1024);
    modify[i] = us_since(start);
  }
  const uint64_t after = resident_bytes();
  const double cpu_before = cpu_seconds();
  const uint64_t idle_start = monotonic_ns();
  usleep(static_cast<useconds_t>(seconds * 1e6));
  const double idle = (cpu_seconds() - cpu_before) / (us_since(idle_start) / 1e6);
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t start = monotonic_ns();
    done(ibv_destroy_qp(qps[i]), "ibv_destroy_qp");
    destroy[i] = us_since(start);
  }
  done(ibv_destroy_cq(cq), "ibv_destroy_cq");
  std::printf(
      "{\"createUs\":%.2f,\"connectUs\":%.2f,\"destroyUs\":%.2f,\"bytesPerQp\":%.0f,\"idleCpu\":%.6f}\n",
      median(create), median(modify), median(destroy),
      static_cast<double>(after - std::min(before, after)) / count, idle);
}

}  // namespace vlcost
