"""Lists the devices, asks for a port, and WRITEs between two QPs by pyverbs. Prints one line for each part."""
from pyverbs import enums as e
from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context, get_device_list
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

TEXT = "written by pyverbs"
GID_INDEX = 1
ACCESS = e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE

names = [device.name.decode() for device in get_device_list()]
print("devices:", *names)
context = Context(name=names[0])
port = context.query_port(1)
print("port active:", port.state == e.IBV_PORT_ACTIVE, "ethernet:", port.link_layer == e.IBV_LINK_LAYER_ETHERNET)
gid = context.query_gid(1, GID_INDEX)

pd = PD(context)
source, sink = (MR(pd, 4096, ACCESS) for _ in range(2))
cqs = [CQ(context, 16) for _ in range(2)]
qps = [QP(pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=cq, rcq=cq, cap=QPCap(16, 16, 1, 1, 0))) for cq in cqs]


def towards(peer):
    attr = QPAttr(port_num=1)
    attr.dest_qp_num = peer.qp_num
    attr.rq_psn = attr.sq_psn = 7
    attr.path_mtu = e.IBV_MTU_1024
    attr.max_rd_atomic = attr.max_dest_rd_atomic = 1
    attr.min_rnr_timer, attr.timeout, attr.retry_cnt, attr.rnr_retry = 12, 14, 7, 7
    attr.qp_access_flags = ACCESS
    attr.ah_attr = AHAttr(gr=GlobalRoute(dgid=gid, sgid_index=GID_INDEX), is_global=1, port_num=1)
    return attr


qps[0].to_rts(towards(qps[1]))
qps[1].to_rts(towards(qps[0]))
source.write(TEXT, len(TEXT))
request = SendWR(
    opcode=e.IBV_WR_RDMA_WRITE,
    wr_id=5,
    num_sge=1,
    sg=[SGE(source.buf, len(TEXT), source.lkey)],
    send_flags=e.IBV_SEND_SIGNALED,
)
request.set_wr_rdma(sink.rkey, sink.buf)
qps[0].post_send(request)
polled, completions = 0, []
while polled == 0:
    polled, completions = cqs[0].poll()
print("completion:", completions[0].wr_id, completions[0].status == e.IBV_WC_SUCCESS)
print("memory:", sink.read(len(TEXT), 0).decode())
