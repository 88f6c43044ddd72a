// Work requests from JavaScript's objects.
#pragma once

#include <infiniband/verbs.h>
#include <napi.h>

#include <memory>
#include <string>
#include <vector>

#include "addon/resources.h"

namespace addon {

// Contents of a bind: NativeBind of packages/verbs, {mw, rkey, mr, addr, length, access}.
struct Bind {
  explicit Bind(const Napi::Object& in, const char* call);
  // Call when the device has accepted the bind: the window keeps the region, and has the requested key.
  void accepted(uint32_t rkey) const;

  std::shared_ptr<MwRes> mw;
  std::shared_ptr<MrRes> mr;
  uint32_t rkey;
  ibv_mw_bind_info info{};
};

// A chain of NativeSendWr, ready to be posted.
struct SendList {
  // `datagram`: every request must have an address handle.
  SendList(const Napi::Value& list, const char* call, bool datagram);
  SendList(const SendList&) = delete;
  SendList& operator=(const SendList&) = delete;
  // ": 2 of 5 were taken", or nothing for a single request.
  std::string taken(const ibv_send_wr* bad) const;
  // Call after the post: `bad` is the first request that was not accepted, nullptr when all were.
  void accepted(const ibv_send_wr* bad) const;

  std::vector<ibv_send_wr> wrs;
  std::vector<ibv_sge> sges;
  std::vector<std::pair<size_t, Bind>> binds;  // by place in wrs
};

// A chain of NativeRecvWr, ready to be posted.
struct RecvList {
  explicit RecvList(const Napi::Value& list);
  RecvList(const RecvList&) = delete;
  RecvList& operator=(const RecvList&) = delete;
  std::string taken(const ibv_recv_wr* bad) const;

  std::vector<ibv_recv_wr> wrs;
  std::vector<ibv_sge> sges;
};

}  // namespace addon
