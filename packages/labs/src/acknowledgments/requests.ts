/** The requests of the lab, and the packets that each group of them took. */
import type { LabContext, PacketSummary } from '@verbslab/protocol';
import type { PacketWatch } from '../wire/packet-watch.js';
import { remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import type { AcknowledgmentsParams } from './params.js';

export interface Ends {
  client: Side;
  server: Side;
  watch: PacketWatch;
}

/** Bytes of the WRITE with many packets: 256 at a path MTU of 1024 B. */
export const LONG_BYTES = 256 * 1024;

/** Posts `count` WRITEs with one call and waits for the last, the only signaled one. */
async function post({ client, server }: Ends, count: number, size: number): Promise<void> {
  await client.endpoint.call('postSendList', {
    qp: client.qp.qp,
    wrs: Array.from({ length: count }, (_, i) => ({
      opcode: 'RDMA_WRITE' as const,
      local: [{ mr: client.mr.mr, length: size }],
      remote: remoteOf(server),
      signaled: i + 1 === count,
    })),
  });
  await completions(client.endpoint, client.cq, 1, 'RDMA_WRITE');
}

/** Packets of `count` WRITEs, posted together. */
export async function write(ends: Ends, count: number, size: number): Promise<PacketSummary[]> {
  await ends.watch.take();
  await post(ends, count, size);
  return ends.watch.take();
}

/** Packets of all WRITEs of the lab, `window` of them in flight. */
export async function writeInTurns(
  ctx: LabContext<AcknowledgmentsParams>,
  ends: Ends,
  window: number,
): Promise<PacketSummary[]> {
  const { messages, size } = ctx.params;
  await ends.watch.take();
  for (let done = 0; done < messages; done += window) {
    ctx.signal.throwIfAborted();
    await post(ends, Math.min(window, messages - done), size);
  }
  return ends.watch.take();
}

/** READs of one packet each, and one at a time. */
export async function readOneByOne(
  ctx: LabContext<AcknowledgmentsParams>,
  { client, server, watch }: Ends,
  count: number,
): Promise<PacketSummary[]> {
  await watch.take();
  for (let i = 0; i < count; i++) {
    ctx.signal.throwIfAborted();
    await client.endpoint.call('postSend', {
      qp: client.qp.qp,
      wr: { opcode: 'RDMA_READ', local: [{ mr: client.mr.mr, length: 8 }], remote: remoteOf(server) },
    });
    await completions(client.endpoint, client.cq, 1, 'RDMA_READ');
  }
  return watch.take();
}
