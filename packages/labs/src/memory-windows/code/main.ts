// Memory windows: a peer may write to 8 of 64 bytes, and only until the server takes the right back.
import { openDevice, VerbsError, type Mw } from '@verbslab/verbs';

const SIZE = 64;
const LENGTH = 8;
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
await using clientMr = pd.regMr(SIZE, ['LOCAL_WRITE']);
// No peer may access the region itself. MW_BIND lets windows be bound to it.
await using serverMr = pd.regMr(SIZE, ['LOCAL_WRITE', 'MW_BIND']);
const range = { mr: serverMr, offset: 16, length: LENGTH, access: ['REMOTE_WRITE'] } as const;
clientMr.bytes.set(Buffer.from('granted'));

function connect(): void {
  client.connect(server.info());
  server.connect(client.info());
}

/** Type 2: the bind is a work request. The program chooses the lowest byte of the new rkey. */
async function bind(mw: Mw): Promise<number> {
  server.postSend({ opcode: 'BIND_MW', mw, rkey: mw.nextRkey, range });
  await serverCq.wait();
  return mw.rkey;
}

/** Status of a WRITE to the start of the window. */
async function writeTo(rkey: number, length = LENGTH): Promise<number | undefined> {
  const { addr } = window.remote();
  client.postSend({ opcode: 'RDMA_WRITE', local: clientMr.sge(0, length), remote: { addr, rkey } });
  try {
    await clientCq.wait();
    return 0;
  } catch (error) {
    if (error instanceof VerbsError && error.wcStatus !== undefined) return error.wcStatus;
    throw error;
  }
}

connect();
await using window = pd.allocMw(2);
const first = await bind(window);
const status = await writeTo(first);
const granted = Buffer.from(serverMr.bytes.subarray(16, 16 + LENGTH - 1)).toString();
console.log(`type 2, inside: status ${status}, the server has ${granted}`);

// Taken back and granted again, with another rkey. The old one opens nothing.
server.postSend({ opcode: 'LOCAL_INV', invalidateRkey: first });
await serverCq.wait();
const second = await bind(window);
console.log(`bound again: another rkey ${second !== first ? 'yes' : 'no'}, status ${await writeTo(second)}`);
console.log(`the rkey from before LOCAL_INV: status ${await writeTo(first)}`);

// A refused access leaves both QPs in ERR. Connect them again.
client.modify({ state: 'RESET' });
server.modify({ state: 'RESET' });
connect();
// Type 1: the bind is a call, which posts for you and leaves the new rkey in the window.
await using other = pd.allocMw(1);
server.bindMw(other, range);
await serverCq.wait();
console.log(`type 1, inside: status ${await writeTo(other.rkey)}`);
console.log(`1 byte past its end: status ${await writeTo(other.rkey, LENGTH + 1)}`);
