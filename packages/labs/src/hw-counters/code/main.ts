// A copy, a loss and a missing RECV, each caused on purpose, and the counters that they move.
import { openDevice } from '@verbslab/verbs';

await using ctx = openDevice();
await using pd = ctx.allocPd();
await using cq = ctx.createCq({ depth: 64 });
await using memory = pd.regMr(64, ['LOCAL_WRITE', 'REMOTE_WRITE']);
await using client = pd.createQp({ sendCq: cq });
await using server = pd.createQp({ sendCq: cq });
// 1.07 s until it sends again: nothing counts as lost because a machine is busy.
client.connect(server.info(), { rnrRetry: 2, timeout: 18 });
server.connect(client.info());
const write = { opcode: 'RDMA_WRITE' as const, local: memory.sge(), remote: memory.remote() };

/** Both ends are in this process, so its counters are those of both. */
async function moved(names: string[], work: () => Promise<unknown>): Promise<void> {
  const before = ctx.extensions.counters();
  await work();
  const after = ctx.extensions.counters();
  console.log(names.map((name) => `${name} ${(after[name] ?? 0) - (before[name] ?? 0)}`).join(', '));
}

/** Sets a fault for the next packet to the server. */
const next = (action: 'duplicate' | 'drop'): void =>
  ctx.extensions.setFaults({ rules: [{ action, qpn: server.qpn, iter: 1, times: 1 }] });

next('duplicate');
await moved(['duplicate_request'], async () => {
  for (let i = 0; i < 2; i++) {
    client.postSend(write);
    await cq.wait();
  }
});

next('drop');
await moved(['out_of_sequence', 'out_of_seq_request', 'packet_seq_err'], () => {
  client.postSend([write, write, write, write]);
  return cq.wait(4);
});

ctx.extensions.setFaults();
await moved(['send_rnr_err', 'rcvd_rnr_err', 'retry_rnr_exceeded_err'], async () => {
  client.postSend({ opcode: 'SEND', local: memory.sge() });
  // There is no RECV, so the request fails after two retries.
  const problem = await cq.wait().catch((error: unknown) => error);
  console.log((problem as { code?: string }).code);
});
