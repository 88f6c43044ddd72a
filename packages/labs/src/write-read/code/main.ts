// WRITEs in a row with a completion for one in four, and a READ after them that sees the last one.
import { openDevice } from '@verbslab/verbs';

const WRITES = 16;
const SIGNAL_EVERY = 4;
const WORD = 8;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
client.connect(server.info());
server.connect(client.info());

// The values to write, the word that the READ fetches, and the server's word.
await using valuesMr = pd.regMr(WRITES * WORD, ['LOCAL_WRITE']);
await using backMr = pd.regMr(WORD, ['LOCAL_WRITE']);
await using wordMr = pd.regMr(WORD, ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ']);
const numbers = Array.from({ length: WRITES }, (_, i) => i + 1);
valuesMr.bytes.set(new Uint8Array(BigUint64Array.from(numbers, BigInt).buffer));

const remote = wordMr.remote();
// A list is posted with one call. All requests write to the same word.
client.postSend(
  numbers.map((number) => ({
    opcode: 'RDMA_WRITE' as const,
    wrId: number,
    local: valuesMr.sge((number - 1) * WORD, WORD),
    remote,
    // The completion of a signaled one stands for all before it.
    signaled: number % SIGNAL_EVERY === 0,
  })),
);
// The READ waits for no completion. Requests of one QP execute in order at the server.
client.postSend({ opcode: 'RDMA_READ', wrId: 100, local: backMr.sge(), remote });

const completions = await clientCq.wait(WRITES / SIGNAL_EVERY + 1);
console.log(
  `${WRITES} WRITEs and a READ, completions: wr_id ${completions.map(({ wrId }) => wrId).join(' ')}`,
);
console.log(`the READ saw the value of WRITE ${Buffer.from(backMr.bytes).readBigUInt64LE()}`);
console.log(`completions at the server: ${serverCq.poll().length}`);
