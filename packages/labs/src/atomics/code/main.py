"""Two clients count on the same 8 bytes of a server: with FETCH_ADD, with READ and WRITE, and with CMP_SWAP."""
from pyverbs import enums as e
from pyverbs.mr import MR
from pyverbs.wr import SendWR

from common import REMOTE_ACCESS, Device, next_completion, next_success, piece, rdma

d = Device()
# Both clients reach the counter by the same rkey.
counter = MR(d.pd, 16, REMOTE_ACCESS | e.IBV_ACCESS_REMOTE_ATOMIC)


class Client:
    """A client with a connection of its own, and 8 bytes for what it writes and for what comes back."""

    def __init__(self):
        self.cq, self.peer_cq = d.create_cq(), d.create_cq()
        self.qp, self.peer = d.create_qp(self.cq), d.create_qp(self.peer_cq)
        d.connect_rc(self.qp, self.peer)
        d.connect_rc(self.peer, self.qp)
        self.mr = MR(d.pd, 8, e.IBV_ACCESS_LOCAL_WRITE)

    def value(self):
        return int.from_bytes(self.mr.read(8, 0), "little")

    def atomic(self, opcode, compare_add, swap=0, offset=0):
        request = SendWR(opcode=opcode, num_sge=1, sg=[piece(self.mr, 0, 8)], send_flags=e.IBV_SEND_SIGNALED)
        request.set_wr_atomic(counter.rkey, counter.buf + offset, compare_add, swap)
        self.qp.post_send(request)
        return next_completion(self.cq).status

    def fetch_add(self, add):
        """Adds to the word. Its old value comes back."""
        assert self.atomic(e.IBV_WR_ATOMIC_FETCH_AND_ADD, add) == e.IBV_WC_SUCCESS, "FETCH_ADD failed"
        return self.value()

    def compare_swap(self, expected, swap):
        """Writes `swap` if the word is `expected`. Returns what the word was. It succeeds, whether it wrote or not."""
        assert self.atomic(e.IBV_WR_ATOMIC_CMP_AND_SWP, expected, swap) == e.IBV_WC_SUCCESS, "CMP_SWAP failed"
        return self.value()

    def read(self):
        self.qp.post_send(rdma(e.IBV_WR_RDMA_READ, 1, piece(self.mr, 0, 8), counter))
        next_success(self.cq)
        return self.value()

    def write(self, value):
        self.mr.write(value.to_bytes(8, "little"), 8)
        self.qp.post_send(rdma(e.IBV_WR_RDMA_WRITE, 1, piece(self.mr, 0, 8), counter))
        next_success(self.cq)


def the_counter():
    return int.from_bytes(counter.read(8, 0), "little")


def outcome(found, expected):
    return "swapped" if found == expected else "refused"


one, two = Client(), Client()
for number, client in enumerate((one, two), 1):
    print(f"FETCH_ADD: client {number} got {client.fetch_add(1)}")
print("the counter is", the_counter())

# Both read before one of them writes. One increment is lost, and no status says so.
first, second = one.read(), two.read()
one.write(first + 1)
two.write(second + 1)
print("READ, then WRITE: two increments, the counter is", the_counter())

# Now with CMP_SWAP: the second client sees that the word has changed, and tries again.
first, second = one.read(), two.read()
at_one = outcome(one.compare_swap(first, first + 1), first)
found = two.compare_swap(second, second + 1)
again = outcome(two.compare_swap(found, found + 1), found)
at_two = outcome(found, second)
print(f"CMP_SWAP: client 1 {at_one}, client 2 {at_two}, again {again}, the counter is {the_counter()}")

status = one.atomic(e.IBV_WR_ATOMIC_FETCH_AND_ADD, 1, offset=4)
print("an address that is not a multiple of 8: status", status)
