// WRITEs with 0, 1 and 5 % of the packets lost: their goodput, and the check of the bytes.
import { openDevice } from '@verbslab/verbs';

const SIZE = 4096;
const WRITES = 2048;
const WINDOW = 8;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using cq = ctx.createCq({ depth: 64 });
await using client = pd.createQp({ sendCq: cq, maxSendWr: WINDOW });
await using server = pd.createQp({ sendCq: cq });
// A short timeout: 4.096 µs × 2^11 = 8.4 ms.
client.connect(server.info(), { timeout: 11 });
server.connect(client.info(), { timeout: 11 });
await using source = pd.regMr(SIZE, ['LOCAL_WRITE']);
await using target = pd.regMr(SIZE, ['LOCAL_WRITE', 'REMOTE_WRITE']);

/** Keeps WINDOW requests in flight. Returns the time of all WRITEs, ms. */
async function run(): Promise<number> {
  const start = performance.now();
  for (let posted = 0, finished = 0; finished < WRITES;) {
    for (; posted < WRITES && posted - finished < WINDOW; posted++)
      client.postSend({ opcode: 'RDMA_WRITE', local: source.sge(), remote: target.remote() });
    finished += (await cq.wait()).length;
  }
  return performance.now() - start;
}

for (const percent of [0, 1, 5]) {
  source.bytes.fill(percent + 1);
  // The rate applies to the packets that this process sends, ACKs too.
  ctx.extensions.setFaults({ rates: { drop: percent / 100, seed: 1 } });
  const took = await run();
  const lost = ctx.extensions.faults().dropped;
  const arrived = Buffer.compare(source.bytes, target.bytes) === 0;
  const gbps = (8e-6 * SIZE * WRITES) / took;
  console.log(
    `${percent} % loss: ${String(lost).padStart(3)} packets lost, ${gbps.toFixed(3).padStart(7)} Gb/s, the bytes arrived: ${arrived ? 'yes' : 'no'}`,
  );
}
