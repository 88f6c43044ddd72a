#include "addon/work.h"

#include <arpa/inet.h>

#include "addon/ah.h"
#include "addon/args.h"
#include "addon/mr.h"
#include "addon/mw.h"

namespace addon {
namespace {

void append_sges(const Napi::Value& value, std::vector<ibv_sge>& sges) {
  const Napi::Array list = array(value, "sges");
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Object sge = object(list.Get(i), "sge");
    sges.push_back({big(sge.Get("addr"), "addr"), integer<uint32_t>(sge.Get("length"), "length"),
                    integer<uint32_t>(sge.Get("lkey"), "lkey")});
  }
}

// SGEs of all requests lie in one vector; pointers are set when it does not grow any more.
template <typename Wr>
void link(std::vector<Wr>& wrs, std::vector<ibv_sge>& sges) {
  size_t at = 0;
  for (size_t i = 0; i < wrs.size(); ++i) {
    wrs[i].sg_list = sges.data() + at;
    at += static_cast<size_t>(wrs[i].num_sge);
    wrs[i].next = i + 1 < wrs.size() ? &wrs[i + 1] : nullptr;
  }
}

template <typename Wr>
std::string taken_of(const std::vector<Wr>& wrs, const Wr* bad) {
  if (bad == nullptr || wrs.size() < 2) return {};
  return ": " + std::to_string(bad - wrs.data()) + " of " + std::to_string(wrs.size()) + " were taken";
}

void fill_target(ibv_send_wr& wr, const Napi::Object& in, const char* call, bool datagram) {
  const uint64_t remote = big(in.Get("remoteAddr"), "remoteAddr");
  const auto rkey = integer<uint32_t>(in.Get("rkey"), "rkey");
  if (datagram) {
    wr.wr.ud.ah = AhWrap::from(in.Get("ah"), "ah").open(call)->ah;
    wr.wr.ud.remote_qpn = integer<uint32_t>(in.Get("remoteQpn"), "remoteQpn");
    wr.wr.ud.remote_qkey = integer<uint32_t>(in.Get("remoteQkey"), "remoteQkey");
  } else if (wr.opcode == IBV_WR_ATOMIC_CMP_AND_SWP || wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
    wr.wr.atomic.remote_addr = remote;
    wr.wr.atomic.rkey = rkey;
    wr.wr.atomic.compare_add = big(in.Get("compareAdd"), "compareAdd");
    wr.wr.atomic.swap = big(in.Get("swap"), "swap");
  } else {
    wr.wr.rdma.remote_addr = remote;
    wr.wr.rdma.rkey = rkey;
  }
}

}  // namespace

Bind::Bind(const Napi::Object& in, const char* call)
    : mw(MwWrap::from(in.Get("mw"), "mw").open(call)),
      mr(MrWrap::from(in.Get("mr"), "mr").open(call)),
      rkey(integer<uint32_t>(in.Get("rkey"), "rkey")) {
  info.mr = mr->mr;
  info.addr = big(in.Get("addr"), "addr");
  info.length = big(in.Get("length"), "length");
  info.mw_access_flags = integer<unsigned>(in.Get("access"), "access");
}

void Bind::accepted(uint32_t given) const {
  mw->bound = mr;
  mw->mw->rkey = given;
}

SendList::SendList(const Napi::Value& value, const char* call, bool datagram) {
  const Napi::Array list = array(value, "wrs");
  wrs.resize(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Object in = object(list.Get(i), "wr");
    ibv_send_wr& wr = wrs[i];
    wr.wr_id = big(in.Get("wrId"), "wrId");
    wr.opcode = static_cast<ibv_wr_opcode>(integer<int>(in.Get("opcode"), "opcode"));
    wr.send_flags = integer<unsigned>(in.Get("flags"), "flags");
    // The operands share a union: what the opcode does not use is not read.
    if (wr.opcode == IBV_WR_LOCAL_INV || wr.opcode == IBV_WR_SEND_WITH_INV)
      wr.invalidate_rkey = integer<uint32_t>(in.Get("invalidateRkey"), "invalidateRkey");
    else
      wr.imm_data = htonl(integer<uint32_t>(in.Get("immediate"), "immediate"));
    fill_target(wr, in, call, datagram);
    if (wr.opcode == IBV_WR_BIND_MW) {
      const Bind& bind = binds.emplace_back(i, Bind(object(in.Get("bind"), "bind"), call)).second;
      wr.bind_mw.mw = bind.mw->mw;
      wr.bind_mw.rkey = bind.rkey;
      wr.bind_mw.bind_info = bind.info;
    }
    const size_t before = sges.size();
    append_sges(in.Get("sges"), sges);
    wr.num_sge = static_cast<int>(sges.size() - before);
  }
  link(wrs, sges);
}

std::string SendList::taken(const ibv_send_wr* bad) const { return taken_of(wrs, bad); }

void SendList::accepted(const ibv_send_wr* bad) const {
  const size_t count = bad == nullptr ? wrs.size() : static_cast<size_t>(bad - wrs.data());
  for (const auto& [at, bind] : binds)
    if (at < count) bind.accepted(bind.rkey);
}

RecvList::RecvList(const Napi::Value& value) {
  const Napi::Array list = array(value, "wrs");
  wrs.resize(list.Length());
  for (uint32_t i = 0; i < list.Length(); ++i) {
    const Napi::Object in = object(list.Get(i), "wr");
    wrs[i].wr_id = big(in.Get("wrId"), "wrId");
    const size_t before = sges.size();
    append_sges(in.Get("sges"), sges);
    wrs[i].num_sge = static_cast<int>(sges.size() - before);
  }
  link(wrs, sges);
}

std::string RecvList::taken(const ibv_recv_wr* bad) const { return taken_of(wrs, bad); }

}  // namespace addon
