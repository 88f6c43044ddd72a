"""Two clients send to one pool of RECVs. An event says when the pool runs low."""
from pyverbs import enums as e
from pyverbs.mr import MR
from pyverbs.qp import QP, QPCap, QPInitAttr
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttr
from pyverbs.wr import RecvWR, SendWR

from common import Device, next_success, piece

BUFFER = 16
RECVS = 4
LIMIT = 2
d = Device()
pool = MR(d.pd, RECVS * BUFFER, e.IBV_ACCESS_LOCAL_WRITE)
text_mr = MR(d.pd, BUFFER, e.IBV_ACCESS_LOCAL_WRITE)
client_cq, server_cq = d.create_cq(), d.create_cq()
srq = SRQ(d.pd, SrqInitAttr(SrqAttr(max_wr=RECVS, max_sge=1)))


def create_qp_of_srq():
    """A queue pair without a receive queue of its own."""
    init = QPInitAttr(qp_type=e.IBV_QPT_RC, scq=server_cq, rcq=server_cq, srq=srq, cap=QPCap(16, 0, 1, 0, 0))
    return QP(d.pd, init)


clients = [d.create_qp(client_cq), d.create_qp(client_cq)]
servers = [create_qp_of_srq(), create_qp_of_srq()]
for client, server in zip(clients, servers):
    d.connect_rc(client, server)
    d.connect_rc(server, client)
for number in range(RECVS):
    srq.post_recv(RecvWR(wr_id=number, num_sge=1, sg=[piece(pool, number * BUFFER, BUFFER)]))

# The device raises an event, once, when fewer RECVs than this are left. It then sets the limit to 0.
srq.modify(SrqAttr(srq_limit=LIMIT), e.IBV_SRQ_LIMIT)


def send_text(client, text):
    text_mr.write(text, len(text))
    local = piece(text_mr, 0, len(text))
    client.post_send(SendWR(opcode=e.IBV_WR_SEND, num_sge=1, sg=[local], send_flags=e.IBV_SEND_SIGNALED))
    next_success(client_cq)


send_text(clients[0], "one")
send_text(clients[1], "two")
print(f"{RECVS - 2} RECVs left, the limit is {srq.query().srq_limit}")
send_text(clients[0], "three")
event = d.context.get_async_event()
reached = event.event_type == e.IBV_EVENT_SRQ_LIMIT_REACHED
event.ack()
print(f"{RECVS - 3} RECV left, limit reached:", "yes" if reached else "no")
print("the limit is", srq.query().srq_limit)

# wr_id names the RECV, and so the buffer. qp_num names the queue pair, and so the client.
for _ in range(3):
    wc = next_success(server_cq)
    text = pool.read(wc.byte_len, wc.wr_id * BUFFER).decode()
    print(f'RECV {wc.wr_id}: "{text}" of client {1 if wc.qp_num == servers[0].qp_num else 2}')
