// Two clients count on the same 8 bytes of a server: with FETCH_ADD, with READ and WRITE, and with CMP_SWAP.
import { openDevice, VerbsError, type RemoteMemory, type SendWr } from '@verbslab/verbs';

await using ctx = openDevice();
await using pd = ctx.allocPd();
await using cq = ctx.createCq({ depth: 16 });
// Both clients reach the counter by the same rkey.
await using counter = pd.regMr(8, ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC']);
const word = new DataView(counter.bytes.buffer, counter.bytes.byteOffset);
const target = counter.remote();

/** A client with a connection of its own, and 8 bytes of memory for what it writes and for what comes back. */
class Client {
  readonly #qp = pd.createQp({ sendCq: cq });
  readonly #peer = pd.createQp({ sendCq: cq });
  readonly #mr = pd.regMr(8, ['LOCAL_WRITE']);
  readonly #value = new DataView(this.#mr.bytes.buffer, this.#mr.bytes.byteOffset);

  constructor() {
    this.#qp.connect(this.#peer.info());
    this.#peer.connect(this.#qp.info());
  }

  async #run(request: SendWr): Promise<bigint> {
    this.#qp.postSend(request);
    await cq.wait();
    return this.#value.getBigUint64(0, true);
  }

  /** Adds to the word. Its old value comes back. */
  fetchAdd(add: bigint, remote: RemoteMemory = target): Promise<bigint> {
    return this.#run({ opcode: 'ATOMIC_FETCH_AND_ADD', local: this.#mr.sge(), remote, add });
  }

  /** Writes `swap` if the word is `compare`. Returns what the word was. Its status is SUCCESS, whether it wrote or not. */
  compareSwap(compare: bigint, swap: bigint): Promise<bigint> {
    return this.#run({
      opcode: 'ATOMIC_CMP_AND_SWP',
      local: this.#mr.sge(),
      remote: target,
      compare,
      swap,
    });
  }

  read(): Promise<bigint> {
    return this.#run({ opcode: 'RDMA_READ', local: this.#mr.sge(), remote: target });
  }

  write(value: bigint): Promise<bigint> {
    this.#value.setBigUint64(0, value, true);
    return this.#run({ opcode: 'RDMA_WRITE', local: this.#mr.sge(), remote: target });
  }

  close(): void {
    this.#qp.close();
    this.#peer.close();
    this.#mr.close();
  }
}

const clients = [new Client(), new Client()] as const;
const [one, two] = clients;
const value = (): bigint => word.getBigUint64(0, true);

for (const [i, client] of clients.entries())
  console.log(`FETCH_ADD: client ${i + 1} got ${await client.fetchAdd(1n)}`);
console.log(`the counter is ${value()}`);

// Both read before one of them writes. One increment is lost, and no status says so.
let first = await one.read();
let second = await two.read();
await one.write(first + 1n);
await two.write(second + 1n);
console.log(`READ, then WRITE: two increments, the counter is ${value()}`);

// Now with CMP_SWAP: the second client sees that the word has changed, and tries again.
first = await one.read();
second = await two.read();
const outcome = (found: bigint, expected: bigint): string => (found === expected ? 'swapped' : 'refused');
const atOne = outcome(await one.compareSwap(first, first + 1n), first);
const found = await two.compareSwap(second, second + 1n);
const again = outcome(await two.compareSwap(found, found + 1n), found);
console.log(
  `CMP_SWAP: client 1 ${atOne}, client 2 ${outcome(found, second)}, again ${again}, the counter is ${value()}`,
);

const unaligned = { ...target, addr: BigInt(target.addr) + 4n };
const status = await one.fetchAdd(1n, unaligned).then(
  () => 0,
  (error: unknown) => {
    if (error instanceof VerbsError) return error.wcStatus;
    throw error;
  },
);
console.log(`an address that is not a multiple of 8: status ${status}`);
for (const client of clients) client.close();
