// vlloop: the measuring loops as a program, for benches and for comparison with perftest.
#include <cstdio>
#include <exception>

#include "bench/vlloop/sides.h"

int main(int argc, char** argv) {
  const vlloop::Args args = vlloop::parse(argc, argv);
  try {
    vlloop::Control control(args);
    const vlloop::Ended ended =
        args.transport == vlloop::Transport::kRdma ? run_rdma(args, control) : run_socket(args, control);
    vlloop::print_result(args, ended);
    if (!ended.failure) return 0;
    vlloop::print_failure(*ended.failure);
  } catch (const vlbench::Failure& failure) {
    vlloop::print_failure(failure);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vlloop: %s\n", error.what());
  }
  return 1;
}
