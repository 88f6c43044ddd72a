// Client and server of each transport. Both return the outcome of their loop.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "bench/loop.h"
#include "bench/vlloop/args.h"
#include "bench/vlloop/control.h"

namespace vlloop {

struct Ended {
  vlbench::Outcome outcome;
  std::optional<vlbench::Failure> failure;
};

// Common options from the arguments; a server has no limits of its own.
void fill(const Args& args, vlbench::LoopOptions& options);

using MakeLoop = std::function<std::unique_ptr<vlbench::Loop>(vlbench::Callbacks)>;

// Starts a loop, calls `on_ready(port)` when it is set up, then `during` on this thread, then waits for the
// end.
Ended run_loop(const Args& args, const MakeLoop& make, const std::function<void(int)>& on_ready,
               const std::function<void(vlbench::Loop&)>& during);

// The server's loop ends when the client says so, or when the client has gone.
void stop_when_told(Control& control, vlbench::Loop& loop);

Ended run_rdma(Args args, Control& control);
Ended run_socket(Args args, Control& control);

void print_series(const vlbench::Figures& figures);
void print_result(const Args& args, const Ended& ended);
void print_failure(const vlbench::Failure& failure);

}  // namespace vlloop
