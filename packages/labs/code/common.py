"""What the programs share: an open device, and the two ends of a connection in one process.

Two processes would exchange QPN, PSN and GID over a TCP socket; the calls stay the same.
"""
from ipaddress import ip_address

from pyverbs import enums as e
from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context, get_device_list
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

PORT = 1
PSN = 100
REMOTE_ACCESS = e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_READ


class Device:
    """The first device, its active MTU, and its first RoCE v2 GID with an IPv4 address."""

    def __init__(self):
        self.context = Context(name=get_device_list()[0].name.decode())
        self.pd = PD(self.context)
        port = self.context.query_port(PORT)
        self.mtu = port.active_mtu
        for index in range(port.gid_tbl_len):
            gid = self.context.query_gid(PORT, index)
            version = self.context.query_gid_type(PORT, index)
            if version == e.IBV_GID_TYPE_SYSFS_ROCE_V2 and ip_address(str(gid)).ipv4_mapped:
                self.gid, self.gid_index = gid, index
                return
        raise SystemExit("The port has no RoCE v2 GID with an IPv4 address. Give its interface one.")

    def create_cq(self, depth=16):
        return CQ(self.context, depth)

    def create_qp(self, cq, qp_type=e.IBV_QPT_RC, depth=16):
        cap = QPCap(depth, depth, 1, 1, 64)
        # pyverbs by default signals all requests of a queue pair, whatever their flags say.
        return QP(self.pd, QPInitAttr(qp_type=qp_type, scq=cq, rcq=cq, cap=cap, sq_sig_all=0))

    def way_to_peer(self):
        """The address of the peer's port, which is this one."""
        route = GlobalRoute(dgid=self.gid, sgid_index=self.gid_index)
        return AHAttr(gr=route, is_global=1, port_num=PORT)

    def connect_rc(self, qp, peer, rnr_retry=7):
        """Moves an RC queue pair from RESET through INIT and RTR to RTS. rnr_retry 7 means forever."""
        attr = QPAttr(port_num=PORT)
        # The queue pair allows all remote accesses. Each region has its own rights.
        attr.qp_access_flags = REMOTE_ACCESS | e.IBV_ACCESS_REMOTE_ATOMIC
        attr.dest_qp_num = peer.qp_num
        attr.rq_psn = attr.sq_psn = PSN
        attr.path_mtu = self.mtu
        attr.max_rd_atomic = attr.max_dest_rd_atomic = 1
        attr.min_rnr_timer = 12  # 0.64 ms
        attr.timeout = 14  # 4.096 us x 2^14 = 67 ms
        attr.retry_cnt, attr.rnr_retry = 7, rnr_retry
        attr.ah_attr = self.way_to_peer()
        qp.to_rts(attr)


def piece(mr, offset, length):
    """A piece of a registered region."""
    return SGE(mr.buf + offset, length, mr.lkey)


def rdma(opcode, wr_id, local, remote, flags=e.IBV_SEND_SIGNALED, imm=0):
    """A WRITE or READ request: the peer's region by address and rkey."""
    request = SendWR(wr_id=wr_id, opcode=opcode, num_sge=1, sg=[local], send_flags=flags, imm_data=imm)
    request.set_wr_rdma(remote.rkey, remote.buf)
    return request


def next_completion(cq):
    """Polls until the next completion. Its status says whether the request succeeded."""
    while True:
        count, completions = cq.poll()
        if count:
            return completions[0]


def next_success(cq):
    """The same for a request that must succeed."""
    wc = next_completion(cq)
    if wc.status != e.IBV_WC_SUCCESS:
        raise SystemExit(f"request {wc.wr_id} failed with status {wc.status}")
    return wc
