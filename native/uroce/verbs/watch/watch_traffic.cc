#include "uroce/verbs/watch/watch_traffic.h"

#include <chrono>
#include <map>
#include <mutex>
#include <tuple>

#include "uroce/feed/feed.h"
#include "uroce/feed/object.h"
#include "uroce/net/host/address.h"
#include "uroce/net/host/clock.h"
#include "uroce/verbs/abi/objects.h"
#include "uroce/verbs/device/device.h"
#include "uroce/verbs/watch/watch_work.h"

namespace uroce::verbs::watch {
namespace {

constexpr std::size_t kMostPeers = 4096;   // peers beyond these share one sum
constexpr std::size_t kRowsOfANote = 256;  // the agent takes messages of 256 KiB
// At the end of a process the mutex may belong to a thread that runs no more.
constexpr auto kLockTimeout = std::chrono::milliseconds(100);

struct Peer {
  uint32_t qpn;  // the QP that posts
  Gid gid;
  uint32_t peer_qpn;
  auto operator<=>(const Peer&) const = default;
};

struct Sum {
  uint64_t messages = 0;
  uint64_t bytes = 0;
  bool sent = false;
};

struct Traffic {
  std::timed_mutex mutex;
  std::map<Peer, Sum> peers;
  Sum others;
};
Traffic* g_traffic = nullptr;

bool is_sent(const ibv_send_wr& wr) { return wr.opcode != IBV_WR_BIND_MW && wr.opcode != IBV_WR_LOCAL_INV; }

void add(Sum& sum, const ibv_send_wr& wr) {
  ++sum.messages;
  for (int i = 0; i < wr.num_sge; ++i) sum.bytes += wr.sg_list[i].length;
  sum.sent = false;
}

// Traffic::mutex.
Sum& sum_of(Traffic& traffic, const Peer& peer) {
  const auto known = traffic.peers.find(peer);
  if (known != traffic.peers.end()) return known->second;
  return traffic.peers.size() < kMostPeers ? traffic.peers[peer] : traffic.others;
}

void send_rows(const std::string& rows, const Sum& others) {
  feed::Object out("traffic");
  out.raw("peers", "[" + rows + "]");
  out.number("otherMessages", others.messages).number("otherBytes", others.bytes);
  queue(out);
}

}  // namespace

void begin_traffic() { g_traffic = new Traffic; }

void count_traffic(const QpObject& qp, const ibv_send_wr* wr, const ibv_send_wr* end) {
  const bool datagrams = qp.ex.qp_base.qp_type == IBV_QPT_UD;
  Peer peer{qp.ex.qp_base.qp_num, {}, 0};
  if (!datagrams) {
    std::lock_guard guard(qp.device->lock());
    const QpAttr attr = qp.qp->query();
    peer.gid = attr.av.dgid;
    peer.peer_qpn = attr.dest_qp_num;
  }
  Traffic& traffic = *g_traffic;
  std::lock_guard guard(traffic.mutex);
  for (; wr != end; wr = wr->next) {
    // A datagram QP sends nothing else: it completes in error.
    if (datagrams ? !names_address(*wr) : !is_sent(*wr)) continue;
    if (datagrams) {
      peer.gid = reinterpret_cast<const AhObject*>(wr->wr.ud.ah)->path.dgid;
      peer.peer_qpn = wr->wr.ud.remote_qpn;
    }
    add(sum_of(traffic, peer), *wr);
  }
}

void send_traffic() {
  Traffic& traffic = *g_traffic;
  const std::unique_lock guard(traffic.mutex, kLockTimeout);
  if (!guard) return;
  std::string rows;
  std::size_t count = 0;
  for (auto& [peer, sum] : traffic.peers) {
    if (sum.sent) continue;
    sum.sent = true;
    feed::Object row;
    row.number("qpn", peer.qpn).text("gid", net::to_text(peer.gid)).number("peerQpn", peer.peer_qpn);
    row.number("messages", sum.messages).number("bytes", sum.bytes);
    rows += (rows.empty() ? "" : ",") + row.closed();
    if (++count % kRowsOfANote != 0) continue;
    send_rows(rows, traffic.others);
    rows.clear();
  }
  if (!rows.empty() || (traffic.others.messages != 0 && !traffic.others.sent))
    send_rows(rows, traffic.others);
  traffic.others.sent = true;
}

}  // namespace uroce::verbs::watch
