"""Memory windows: a peer may write to 8 of 64 bytes, and only until the server takes the right back."""
from pyverbs import enums as e
from pyverbs.mr import MR, MW, MWBind, MWBindInfo
from pyverbs.qp import QPAttr
from pyverbs.wr import SendWR

from common import Device, next_completion, next_success, piece

SIZE, OFFSET, LENGTH = 64, 16, 8
d = Device()
client_mr = MR(d.pd, SIZE, e.IBV_ACCESS_LOCAL_WRITE)
# No peer may access the region itself. MW_BIND lets windows be bound to it.
server_mr = MR(d.pd, SIZE, e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_MW_BIND)
client_cq, server_cq = d.create_cq(), d.create_cq()
client, server = d.create_qp(client_cq), d.create_qp(server_cq)
client_mr.write("granted", 7)


def connect():
    d.connect_rc(client, server)
    d.connect_rc(server, client)


def part():
    return MWBindInfo(server_mr, server_mr.buf + OFFSET, LENGTH, e.IBV_ACCESS_REMOTE_WRITE)


def bind_type_2(mw):
    """The bind is a work request. The program chooses the lowest byte of the new rkey; pyverbs adds 1 to it."""
    request = SendWR(opcode=e.IBV_WR_BIND_MW, send_flags=e.IBV_SEND_SIGNALED)
    request.set_bind_wr(mw, part())
    server.post_send(request)
    next_success(server_cq)
    return request.rkey


def write_to(rkey, length=LENGTH):
    """Status of a WRITE to the start of the window."""
    local = piece(client_mr, 0, length)
    request = SendWR(opcode=e.IBV_WR_RDMA_WRITE, num_sge=1, sg=[local], send_flags=e.IBV_SEND_SIGNALED)
    request.set_wr_rdma(rkey, server_mr.buf + OFFSET)
    client.post_send(request)
    return next_completion(client_cq).status


connect()
window = MW(d.pd, e.IBV_MW_TYPE_2)
first = bind_type_2(window)
status = write_to(first)
print(f"type 2, inside: status {status}, the server has", server_mr.read(7, OFFSET).decode())

# Taken back and granted again, with another rkey. The old one opens nothing.
# pyverbs has no name for invalidate_rkey, which shares its place in the request with imm_data.
server.post_send(SendWR(opcode=e.IBV_WR_LOCAL_INV, send_flags=e.IBV_SEND_SIGNALED, imm_data=first))
next_success(server_cq)
second = bind_type_2(window)
print("bound again: another rkey", "yes" if second != first else "no", end=", ")
print("status", write_to(second))
print("the rkey from before LOCAL_INV: status", write_to(first))

# A refused access leaves both QPs in ERR. Connect them again.
for qp in (client, server):
    qp.modify(QPAttr(qp_state=e.IBV_QPS_RESET), e.IBV_QP_STATE)
connect()
# Type 1: the bind is a call, which posts for you and leaves the new rkey in the window.
other = MW(d.pd, e.IBV_MW_TYPE_1)
server.bind_mw(other, MWBind(part(), send_flags=e.IBV_SEND_SIGNALED))
next_success(server_cq)
print("type 1, inside: status", write_to(other.rkey))
print("1 byte past its end: status", write_to(other.rkey, LENGTH + 1))

# While a window is bound, its region cannot be deregistered.
window.close()
other.close()
