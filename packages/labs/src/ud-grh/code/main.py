"""A datagram arrives after a 40-byte GRH, and the receiver uses what it got to answer."""
from pyverbs import enums as e
from pyverbs.addr import AH
from pyverbs.mr import MR
from pyverbs.qp import QPAttr
from pyverbs.wr import RecvWR, SendWR

from common import PORT, PSN, Device, next_success, piece

QKEY = 0x2222
GRH_BYTES = 40
d = Device()


def open_ud(cq):
    """A UD queue pair has no peer: INIT takes a Q_Key, RTR nothing, RTS a first PSN."""
    qp = d.create_qp(cq, e.IBV_QPT_UD)
    attr = QPAttr(port_num=PORT)
    attr.qkey, attr.sq_psn = QKEY, PSN
    qp.to_rts(attr)
    return qp


def send_datagram(qp, cq, local, ah, qpn):
    """Each datagram names its path (the address handle), the QPN and the Q_Key."""
    request = SendWR(opcode=e.IBV_WR_SEND, num_sge=1, sg=[local], send_flags=e.IBV_SEND_SIGNALED)
    request.set_wr_ud(ah, qpn, QKEY)
    qp.post_send(request)
    next_success(cq)


client_mr, server_mr = (MR(d.pd, 512, e.IBV_ACCESS_LOCAL_WRITE) for _ in range(2))
client_cq, server_cq = d.create_cq(), d.create_cq()
client, server = open_ud(client_cq), open_ud(server_cq)

# The receiver's buffer must be 40 bytes larger than the message.
server.post_recv(RecvWR(wr_id=1, num_sge=1, sg=[piece(server_mr, 0, 256)]))
client_mr.write("Hello", 5)
to_server = AH(d.pd, attr=d.way_to_peer())
send_datagram(client, client_cq, piece(client_mr, 0, 5), to_server, server.qp_num)

wc = next_success(server_cq)
print(f"byte_len {wc.byte_len} = {GRH_BYTES} of GRH + {wc.byte_len - GRH_BYTES} of payload")
print(f"payload at offset {GRH_BYTES}:", server_mr.read(wc.byte_len - GRH_BYTES, GRH_BYTES).decode())
print("sender's QPN is in the completion:", "yes" if wc.src_qp == client.qp_num else "no")

# The completion and the GRH have everything that an answer needs.
back = AH(d.pd, wc=wc, grh=server_mr.buf, port_num=PORT)
client.post_recv(RecvWR(wr_id=1, num_sge=1, sg=[piece(client_mr, 256, 256)]))
server_mr.write("Welcome", 7, 256)
send_datagram(server, server_cq, piece(server_mr, 256, 7), back, wc.src_qp)
next_success(client_cq)
print("answer:", client_mr.read(7, 256 + GRH_BYTES).decode())
