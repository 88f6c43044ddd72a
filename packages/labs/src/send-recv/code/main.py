"""Each message takes one RECV, in order. With credits, a fast client never runs out of them."""
from pyverbs import enums as e
from pyverbs.mr import MR
from pyverbs.wr import RecvWR, SendWR

from common import Device, next_completion, next_success, piece

BUFFER = 16
RECVS = 4
MESSAGES = 12
d = Device()
client_mr = MR(d.pd, BUFFER + 1, e.IBV_ACCESS_LOCAL_WRITE)
server_mr = MR(d.pd, RECVS * BUFFER, e.IBV_ACCESS_LOCAL_WRITE)
client_cq, server_cq = d.create_cq(), d.create_cq()
client, server = d.create_qp(client_cq), d.create_qp(server_cq)
# With rnr_retry 0 a message that finds no RECV fails at once.
d.connect_rc(client, server, rnr_retry=0)
d.connect_rc(server, client)


def send_bytes(length):
    """Sends the first bytes of the client's memory. A SEND names no address at the server."""
    local = piece(client_mr, 0, length)
    client.post_send(SendWR(opcode=e.IBV_WR_SEND, num_sge=1, sg=[local], send_flags=e.IBV_SEND_SIGNALED))


def give_recv(number):
    """RECV `number` has buffer `number` of the server's memory."""
    buffer = piece(server_mr, number * BUFFER, BUFFER)
    server.post_recv(RecvWR(wr_id=number, num_sge=1, sg=[buffer]))


# The RECVs must be there before the messages. The completion says which RECV, and how long the message is.
texts = ["one", "two longer", ""]
for number in range(1, len(texts) + 1):
    give_recv(number)
for text in texts:
    client_mr.write(text, len(text))
    send_bytes(len(text))
    next_success(client_cq)
    wc = next_success(server_cq)
    got = server_mr.read(wc.byte_len, wc.wr_id * BUFFER).decode()
    print(f'RECV {wc.wr_id}: {wc.byte_len} bytes "{got}"')

# A credit for each RECV. Between two hosts, a message or a WRITE of the server brings credits back.
for number in range(RECVS):
    give_recv(number)
credits, sent, received = RECVS, 0, 0
while received < MESSAGES:
    while credits > 0 and sent < MESSAGES:
        send_bytes(BUFFER)
        credits, sent = credits - 1, sent + 1
    wc = next_success(server_cq)
    # The server has read the buffer, and posts it again.
    give_recv(wc.wr_id)
    credits, received = credits + 1, received + 1
    next_success(client_cq)
print(f"{MESSAGES} messages through {RECVS} RECVs with credits: {received} arrived")

# A message that is too long is not cut off: both ends get an error, and the connection is gone.
send_bytes(BUFFER + 1)
at_client, at_server = next_completion(client_cq).status, next_completion(server_cq).status
print(f"1 byte too long: status {at_client} at the client, {at_server} at the server")
