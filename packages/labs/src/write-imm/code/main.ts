// A WRITE with immediate notifies the server. Without a RECV there it fails.
import { openDevice, VerbsError } from '@verbslab/verbs';

const TEXT = 'new data';
await using ctx = openDevice();
await using pd = ctx.allocPd();
await using clientCq = ctx.createCq({ depth: 16 });
await using serverCq = ctx.createCq({ depth: 16 });
await using client = pd.createQp({ sendCq: clientCq });
await using server = pd.createQp({ sendCq: serverCq });
// The client tries twice more when the server is not ready, instead of forever.
client.connect(server.info(), { rnrRetry: 2 });
server.connect(client.info());
await using clientMr = pd.regMr(64, ['LOCAL_WRITE']);
await using serverMr = pd.regMr(64, ['LOCAL_WRITE', 'REMOTE_WRITE']);
clientMr.bytes.set(Buffer.from(TEXT));

/** Writes TEXT with 32 bits of immediate data, and waits until the request succeeds. Rejects when it fails. */
async function writeImm(immediate: number): Promise<void> {
  const local = clientMr.sge(0, TEXT.length);
  client.postSend({ opcode: 'RDMA_WRITE_WITH_IMM', local, remote: serverMr.remote(), immediate });
  await clientCq.wait();
}

// The immediate data takes a RECV. It needs no buffer: the payload goes where the WRITE says.
server.postRecv({ wrId: 7 });
await writeImm(42);
const [told] = await serverCq.wait();
const text = Buffer.from(serverMr.bytes.subarray(0, told?.byteLength)).toString();
console.log(`server: RECV ${told?.wrId}, immediate ${told?.immediate}, ${told?.byteLength} bytes: ${text}`);

// No RECV is left. The server's device answers with RNR NAKs until the client gives up: WC_RNR_RETRY_EXC_ERR.
try {
  await writeImm(43);
  console.log('without a RECV: status 0');
} catch (error) {
  if (!(error instanceof VerbsError)) throw error;
  console.log(`without a RECV: status ${error.wcStatus}`);
}
