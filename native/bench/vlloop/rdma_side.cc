// Opens a device, makes QPs, exchanges what they need to connect, and runs the loop.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>

#include "bench/rdma_loop.h"
#include "bench/vlloop/sides.h"

namespace vlloop {
namespace {

using vlbench::Failure;
using vlbench::VerbsLibrary;

template <typename T>
T* made(T* object, const char* call) {
  if (object == nullptr) throw Failure(errno == 0 ? EIO : errno, call);
  return object;
}

void done(int rc, const char* call) {
  if (rc != 0) throw Failure(rc > 0 ? rc : errno, call);
}

vlbench::RdmaOp op_of(const std::string& name) {
  static constexpr const char* kNames[] = {"write", "write-imm", "read", "send", "fetch-add", "compare-swap"};
  for (int i = 0; i < 6; ++i) {
    if (name == kNames[i]) return static_cast<vlbench::RdmaOp>(i);
  }
  throw Failure(EINVAL, "vlloop", "--op " + name + " is not an operation");
}

// Everything that has to be destroyed, in order.
class Session {
 public:
  Session(const Args& args, const std::shared_ptr<const VerbsLibrary>& verbs) : args_(args), v_(*verbs) {
    open_device();
    choose_gid();
    pd_ = made(v_.alloc_pd(context_), "ibv_alloc_pd");
    // At least two messages a QP, for ping-pongs, each with room to wander.
    length_ = size_t{args.qps} * std::max(2u, args.places) *
              std::max<size_t>(4096, (args.size + 4095) / 4096 * 4096);
    memory_ = mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw Failure(errno, "mmap");
    mr_ = made(v_.reg_mr(pd_, memory_, length_,
                         IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
                             IBV_ACCESS_REMOTE_ATOMIC),
               "ibv_reg_mr");
    if (args.event) channel_ = made(v_.create_comp_channel(context_), "ibv_create_comp_channel");
    const auto entries = static_cast<int>(args.qps * (args.tx_depth + args.rx_depth));
    cq_ = made(v_.create_cq(context_, entries, nullptr, channel_, 0), "ibv_create_cq");
    for (uint32_t i = 0; i < args.qps; ++i) create_qp();
  }

  ~Session() {
    for (const auto& qp : qps_) v_.destroy_qp(qp.qp);
    if (cq_ != nullptr) v_.destroy_cq(cq_);
    if (channel_ != nullptr) v_.destroy_comp_channel(channel_);
    if (mr_ != nullptr) v_.dereg_mr(mr_);
    if (memory_ != MAP_FAILED) munmap(memory_, length_);
    if (pd_ != nullptr) v_.dealloc_pd(pd_);
    if (context_ != nullptr) v_.close_device(context_);
    if (list_ != nullptr) v_.free_device_list(list_);
  }

  void exchange(Control& control, vlbench::RdmaOptions& options) {
    std::string line = std::to_string(reinterpret_cast<uintptr_t>(memory_)) + ' ' +
                       std::to_string(mr_->rkey) + ' ' + std::to_string(length_) + ' ' + gid_hex() + ' ' +
                       std::to_string(port_.lid) + ' ' + std::to_string(static_cast<int>(port_.active_mtu));
    for (size_t i = 0; i < qps_.size(); ++i)
      line += ' ' + std::to_string(qps_[i].qp->qp_num) + ' ' + std::to_string(psns_[i]);
    control.send(line);
    const auto words = control.receive();
    if (words.size() != 6 + 2 * qps_.size())
      throw Failure(EPROTO, "control connection", "the peer's QPs do not match");
    options.remote = std::stoull(words[0]);
    options.rkey = static_cast<uint32_t>(std::stoul(words[1]));
    options.remote_length = std::stoull(words[2]);
    for (size_t i = 0; i < qps_.size(); ++i)
      connect(i, words, static_cast<uint32_t>(std::stoul(words[6 + 2 * i])),
              static_cast<uint32_t>(std::stoul(words[7 + 2 * i])));
    options.local = static_cast<uint8_t*>(memory_);
    options.local_length = length_;
    options.lkey = mr_->lkey;
    options.qps = qps_;
    if (args_.show_qps) {
      for (const auto& qp : qps_) std::fprintf(stderr, "vlloop: queue pair %u\n", qp.qp->qp_num);
    }
    // Neither side sends before the other side's QPs are up.
    control.send("up");
    control.receive();
  }

  ibv_context* context() const noexcept { return context_; }

 private:
  void open_device() {
    int count = 0;
    errno = 0;
    list_ = v_.get_device_list(&count);
    if (list_ == nullptr) throw Failure(errno == 0 ? ENODEV : errno, "ibv_get_device_list");
    ibv_device* chosen = nullptr;
    for (int i = 0; i < count && chosen == nullptr; ++i) {
      if (args_.device.empty() || args_.device == v_.get_device_name(list_[i])) chosen = list_[i];
    }
    if (chosen == nullptr) throw Failure(ENODEV, "ibv_get_device_list", args_.device);
    context_ = made(v_.open_device(chosen), "ibv_open_device");
    done(v_.query_port(context_, 1, &port_), "ibv_query_port");
  }

  void choose_gid() {
    if (args_.gid_index >= 0) {
      gid_index_ = args_.gid_index;
      done(v_.query_gid(context_, 1, gid_index_, &gid_), "ibv_query_gid");
      return;
    }
    static constexpr uint8_t kMapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    for (int i = 0; i < std::min(port_.gid_tbl_len, 32); ++i) {
      int type = 1;
      if (v_.query_gid(context_, 1, i, &gid_) != 0 || std::memcmp(gid_.raw, kMapped, sizeof kMapped) != 0)
        continue;
      if (v_.query_gid_type != nullptr) v_.query_gid_type(context_, 1, static_cast<unsigned>(i), &type);
      gid_index_ = i;
      if (type == 1) return;
    }
    done(v_.query_gid(context_, 1, gid_index_, &gid_), "ibv_query_gid");
  }

  void create_qp() {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = cq_;
    init.qp_type = IBV_QPT_RC;
    init.cap = {args_.tx_depth, args_.rx_depth, 1, 1, args_.inline_size};
    vlbench::RdmaQp qp;
    qp.qp = made(v_.create_qp(pd_, &init), "ibv_create_qp");
    qp.max_send_wr = init.cap.max_send_wr;
    qp.max_recv_wr = init.cap.max_recv_wr;
    qp.max_inline = init.cap.max_inline_data;
    qps_.push_back(qp);
    psns_.push_back(static_cast<uint32_t>(random_() & 0xffffff));
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
    done(v_.modify_qp(qp.qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
         "ibv_modify_qp");
  }

  std::string gid_hex() const {
    char text[33];
    for (int i = 0; i < 16; ++i) std::snprintf(text + 2 * i, 3, "%02x", gid_.raw[i]);
    return text;
  }

  void connect(size_t index, const std::vector<std::string>& words, uint32_t qpn, uint32_t psn) {
    ibv_device_attr device{};
    done(v_.query_device(context_, &device), "ibv_query_device");
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = std::min(port_.active_mtu, static_cast<ibv_mtu>(std::stoi(words[5])));
    for (int mtu = IBV_MTU_256; args_.mtu != 0 && mtu <= IBV_MTU_4096; ++mtu) {
      if (args_.mtu == (128u << mtu)) attr.path_mtu = static_cast<ibv_mtu>(mtu);
    }
    attr.dest_qp_num = qpn;
    attr.rq_psn = psn;
    attr.max_dest_rd_atomic = static_cast<uint8_t>(std::min(device.max_qp_rd_atom, 16));
    attr.min_rnr_timer = 12;
    attr.ah_attr.is_global = 1;
    attr.ah_attr.dlid = static_cast<uint16_t>(std::stoi(words[4]));
    attr.ah_attr.port_num = 1;
    attr.ah_attr.grh.sgid_index = static_cast<uint8_t>(gid_index_);
    attr.ah_attr.grh.hop_limit = 64;
    for (size_t i = 0; i < 16; ++i)
      attr.ah_attr.grh.dgid.raw[i] = static_cast<uint8_t>(std::stoi(words[3].substr(2 * i, 2), nullptr, 16));
    done(v_.modify_qp(qps_[index].qp, &attr,
                      IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER),
         "ibv_modify_qp");
    attr = {};
    attr.qp_state = IBV_QPS_RTS;
    attr.sq_psn = psns_[index];
    attr.timeout = 14;
    attr.retry_cnt = 7;
    attr.rnr_retry = 7;
    attr.max_rd_atomic = static_cast<uint8_t>(std::min(device.max_qp_init_rd_atom, 16));
    done(v_.modify_qp(qps_[index].qp, &attr,
                      IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                          IBV_QP_MAX_QP_RD_ATOMIC),
         "ibv_modify_qp");
  }

  Args args_;
  const VerbsLibrary& v_;
  ibv_device** list_ = nullptr;
  ibv_context* context_ = nullptr;
  ibv_port_attr port_{};
  int gid_index_ = 0;
  ibv_gid gid_{};
  ibv_pd* pd_ = nullptr;
  void* memory_ = MAP_FAILED;
  size_t length_ = 0;
  ibv_mr* mr_ = nullptr;
  ibv_comp_channel* channel_ = nullptr;
  ibv_cq* cq_ = nullptr;
  std::vector<vlbench::RdmaQp> qps_;
  std::vector<uint32_t> psns_;
  std::random_device random_;
};

}  // namespace

Ended run_rdma(Args args, Control& control) {
  const bool server = args.host.empty();
  if (server) {
    Control::decode(control.receive(), args);
  } else {
    control.send(Control::encode(args));
  }
  const auto verbs = vlbench::load_verbs_library(args.library);
  Session session(args, verbs);
  vlbench::RdmaOptions options;
  fill(args, options);
  options.verbs = verbs;
  options.op = op_of(args.op);
  options.tx_depth = args.tx_depth;
  options.rx_depth = args.rx_depth;
  options.post_list = args.post_list;
  options.busy = args.busy;
  options.cq_mod = args.cq_mod;
  options.walk = args.places > 1;
  options.inline_data = args.inline_size != 0 && args.size <= args.inline_size && args.op != "read";
  session.exchange(control, options);
  const MakeLoop make = [&](vlbench::Callbacks callbacks) {
    return vlbench::make_rdma_loop(options, std::move(callbacks),
                                   vlbench::make_probe(verbs->handle, session.context()));
  };
  if (server)
    return run_loop(
        args, make, [&](int) { control.send("ready"); },
        [&](vlbench::Loop& loop) { stop_when_told(control, loop); });
  control.receive();
  Ended ended = run_loop(args, make, [](int) {}, nullptr);
  control.send("done");
  return ended;
}

}  // namespace vlloop
