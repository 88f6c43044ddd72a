"""One WRITE into the memory of the other end, and one READ that brings it back."""
from pyverbs import enums as e
from pyverbs.mr import MR

from common import REMOTE_ACCESS, Device, next_success, piece, rdma

SIZE = 10_000
d = Device()

# Registered memory: the device may use it, and the keys name it. Only the server lets its peer in.
client_mr = MR(d.pd, 2 * SIZE, e.IBV_ACCESS_LOCAL_WRITE)
server_mr = MR(d.pd, SIZE, REMOTE_ACCESS)

# Each end has a queue pair to post to, and a completion queue that reports finished work.
client_cq, server_cq = d.create_cq(), d.create_cq()
client, server = d.create_qp(client_cq), d.create_qp(server_cq)
d.connect_rc(client, server)
d.connect_rc(server, client)

data = bytes((31 * i + 7) % 256 for i in range(SIZE))
client_mr.write(data, SIZE)

# The WRITE names the local bytes by lkey and the remote bytes by address and rkey.
client.post_send(rdma(e.IBV_WR_RDMA_WRITE, 1, piece(client_mr, 0, SIZE), server_mr))
# Signaled requests complete: the server's device has acknowledged all packets.
written = next_success(client_cq)
print("WRITE completed: wr_id", written.wr_id)
print("server has the bytes:", "yes" if server_mr.read(SIZE, 0) == data else "no")

# The READ places its data in the second half of the client's buffer.
client.post_send(rdma(e.IBV_WR_RDMA_READ, 2, piece(client_mr, SIZE, SIZE), server_mr))
read = next_success(client_cq)
print(f"READ completed: wr_id {read.wr_id}, {read.byte_len} bytes")
print("client reads the same:", "yes" if client_mr.read(SIZE, SIZE) == data else "no")

# The server's program was involved in neither: its completion queue is empty.
print("completions at the server:", server_cq.poll()[0])
