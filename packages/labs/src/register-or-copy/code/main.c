// Register a buffer for its messages, or copy each message into memory that is registered already?
#include "clock.h"
#include "common.h"

#define LARGEST (1024 * 1024)
#define REPEAT 21
#define COPIES 8  // copies in one measurement: one alone may be too short for the clock

static double median(double* times) {
  sort_times(times, REPEAT);
  return times[REPEAT / 2];
}

static double time_to_register(struct device* d, void* buffer, size_t size) {
  double times[REPEAT];
  for (int i = 0; i < REPEAT; i++) {
    double start = now_us();
    check(ibv_dereg_mr(register_memory(d, buffer, size, IBV_ACCESS_LOCAL_WRITE)), "ibv_dereg_mr");
    times[i] = now_us() - start;
  }
  return median(times);
}

static double time_to_copy(void* to, const void* from, size_t size) {
  double times[REPEAT];
  for (int i = 0; i < REPEAT; i++) {
    double start = now_us();
    for (int copy = 0; copy < COPIES; copy++) memcpy(to, from, size);
    times[i] = (now_us() - start) / COPIES;
  }
  return median(times);
}

int main(void) {
  struct device d = open_device();
  static char buffer[LARGEST], staging[LARGEST];
  memset(buffer, 1, sizeof buffer);
  struct ibv_mr* staging_mr = register_memory(&d, staging, sizeof staging, IBV_ACCESS_LOCAL_WRITE);

  // Registering costs once per buffer, copying once per message. From this many messages on, registering pays.
  printf("%8s %13s %9s %22s\n", "bytes", "register, us", "copy, us", "pays from message");
  for (size_t size = 4096; size <= LARGEST; size *= 4) {
    double registering = time_to_register(&d, buffer, size);
    double copying = time_to_copy(staging, buffer, size);
    printf("%8zu %13.2f %9.2f %22d\n", size, registering, copying, (int)(registering / copying) + 1);
  }

  check(ibv_dereg_mr(staging_mr), "ibv_dereg_mr");
  close_device(&d);
  return 0;
}
