"""A WRITE with immediate notifies the server. Without a RECV there it fails."""
from socket import htonl, ntohl

from pyverbs import enums as e
from pyverbs.mr import MR
from pyverbs.wr import RecvWR

from common import REMOTE_ACCESS, Device, next_completion, next_success, piece, rdma

TEXT = "new data"
d = Device()
client_mr = MR(d.pd, 64, e.IBV_ACCESS_LOCAL_WRITE)
server_mr = MR(d.pd, 64, REMOTE_ACCESS)
client_cq, server_cq = d.create_cq(), d.create_cq()
client, server = d.create_qp(client_cq), d.create_qp(server_cq)
# The client tries twice more when the server is not ready, instead of forever.
d.connect_rc(client, server, rnr_retry=2)
d.connect_rc(server, client)
client_mr.write(TEXT, len(TEXT))


def write_imm(value):
    """Writes TEXT with 32 bits of immediate data, which travel in network byte order."""
    local = piece(client_mr, 0, len(TEXT))
    client.post_send(rdma(e.IBV_WR_RDMA_WRITE_WITH_IMM, 1, local, server_mr, imm=htonl(value)))
    return next_completion(client_cq)


# The immediate data takes a RECV. Its buffer stays as it is: the payload goes where the WRITE says.
unused = MR(d.pd, 64, e.IBV_ACCESS_LOCAL_WRITE)
server.post_recv(RecvWR(wr_id=7, num_sge=1, sg=[piece(unused, 0, 64)]))
assert write_imm(42).status == e.IBV_WC_SUCCESS, "the WRITE with immediate failed"
told = next_success(server_cq)
text = server_mr.read(len(TEXT), 0).decode()
print(f"server: RECV {told.wr_id}, immediate {ntohl(told.imm_data)}, {told.byte_len} bytes: {text}")

# No RECV is left. The server's device answers with RNR NAKs until the client gives up: IBV_WC_RNR_RETRY_EXC_ERR.
failed = write_imm(43)
print("without a RECV: status", failed.status)
