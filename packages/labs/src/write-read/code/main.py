"""WRITEs in a row with a completion for one in four, and a READ after them that sees the last one."""
from pyverbs import enums as e
from pyverbs.mr import MR

from common import REMOTE_ACCESS, Device, next_success, piece, rdma

WRITES = 16
SIGNAL_EVERY = 4
WORD = 8
d = Device()
# The values to write, the word that the READ fetches, and the server's word.
values_mr = MR(d.pd, WRITES * WORD, e.IBV_ACCESS_LOCAL_WRITE)
back_mr = MR(d.pd, WORD, e.IBV_ACCESS_LOCAL_WRITE)
word_mr = MR(d.pd, WORD, REMOTE_ACCESS)

client_cq, server_cq = d.create_cq(), d.create_cq()
client, server = d.create_qp(client_cq, depth=WRITES + 1), d.create_qp(server_cq)
d.connect_rc(client, server)
d.connect_rc(server, client)

values = b"".join(number.to_bytes(WORD, "little") for number in range(1, WRITES + 1))
values_mr.write(values, len(values))
for number in range(1, WRITES + 1):
    # The completion of a signaled one stands for all before it.
    flags = e.IBV_SEND_SIGNALED if number % SIGNAL_EVERY == 0 else 0
    local = piece(values_mr, (number - 1) * WORD, WORD)
    client.post_send(rdma(e.IBV_WR_RDMA_WRITE, number, local, word_mr, flags))
# The READ waits for no completion. Requests of one QP execute in order at the server.
client.post_send(rdma(e.IBV_WR_RDMA_READ, 100, piece(back_mr, 0, WORD), word_mr))

completed = [next_success(client_cq).wr_id for _ in range(WRITES // SIGNAL_EVERY + 1)]
print(f"{WRITES} WRITEs and a READ, completions: wr_id", *completed)
print("the READ saw the value of WRITE", int.from_bytes(back_mr.read(WORD, 0), "little"))
print("completions at the server:", server_cq.poll()[0])
