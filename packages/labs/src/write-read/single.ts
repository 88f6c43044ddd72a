/** A WRITE and a READ: their packets, their completions, and the completions at the server. */
import type { LabContext, PacketSummary } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';
import { plural } from '../base/format.js';
import {
  checkRead,
  checkWrite,
  packetList,
  READ_RESPONSE,
  withoutFaults,
  withoutRepeats,
  WRITE,
} from '../wire/messages.js';
import { NO_PACKETS, type PacketWatch } from '../wire/packet-watch.js';
import { hashOf, remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import type { WriteReadParams } from './params.js';
import { expectedOpcodes } from '../wire/segments.js';

type Context = LabContext<WriteReadParams>;

const SEED = 41;

export interface Wire {
  client: Side;
  server: Side;
  watch: PacketWatch;
  mtu: number;
}

/** Posts one request and tells its row. */
async function one(
  ctx: Context,
  { client, server, watch }: Wire,
  opcode: 'RDMA_WRITE' | 'RDMA_READ',
  offset: number,
): Promise<{ packets: PacketSummary[]; atTarget: number }> {
  const { size } = ctx.params;
  const { endpoint, qp, cq, mr } = client;
  await endpoint.call('postSend', {
    qp: qp.qp,
    wr: { opcode, local: [{ mr: mr.mr, offset, length: size }], remote: remoteOf(server) },
  });
  const wcs = await completions(endpoint, cq, 1, opcode);
  const packets = await watch.take();
  const target = await server.endpoint.call('pollCq', { cq: server.cq });
  const way = (direction: PacketSummary['direction']): string =>
    watch.on
      ? packetList(
          withoutRepeats(withoutFaults(packets.filter((packet) => packet.direction === direction))).once,
        )
      : '';
  ctx.row('requests', {
    opcode,
    size,
    out: way('sent'),
    back: way('received'),
    atClient: wcs.length,
    atTarget: target.completions.length,
  });
  return { packets, atTarget: target.completions.length };
}

/**
 * Checks that both have the same payload packets, in the same order, as the path MTU demands. Returns the number of
 * packets with data.
 */
function checkCut(
  ctx: Context,
  wire: Wire,
  written: PacketSummary[],
  read: PacketSummary[],
): Found['packets'] {
  const { size } = ctx.params;
  const only = (packets: PacketSummary[], direction: PacketSummary['direction']): number[] =>
    withoutRepeats(withoutFaults(packets.filter((packet) => packet.direction === direction))).once.map(
      ({ opcode }) => opcode,
    );
  const [out, back] = [only(written, 'sent'), only(read, 'received')];
  ctx.figure('write-packets', out.length);
  ctx.figure('read-requests', only(read, 'sent').filter((opcode) => opcode === RC.readRequest).length);
  ctx.figure('read-responses', back.length);
  const write = checkWrite(written, size, wire.mtu);
  const writeCut = out.join() === expectedOpcodes(size, wire.mtu, WRITE).join();
  ctx.check('write-cut', write.ok && writeCut, write.detail);
  const reading = checkRead(read, size, wire.mtu);
  const requests = only(read, 'sent').length;
  // A requester may split a READ; then each part is split separately.
  const readCut = requests > 1 || back.join() === expectedOpcodes(size, wire.mtu, READ_RESPONSE).join();
  ctx.check('read-cut', reading.ok && readCut, reading.detail);
  return { written: out.length, read: back.length };
}

export interface Found {
  /** The server’s memory changed to the client’s bytes. */
  changed: boolean;
  /** The READ brought them back. */
  back: boolean;
  /** Completions at the server. */
  noticed: number;
  /** Packets with data, each counted once; null: no packets could be captured. */
  packets: { written: number; read: number } | null;
}

export async function writeThenRead(ctx: Context, wire: Wire): Promise<Found> {
  const { size } = ctx.params;
  const { client, server, watch } = wire;
  await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length: size, seed: SEED });
  const sent = await hashOf(client, 0, size);
  const before = await hashOf(server, 0, size);
  await watch.take();
  const written = await one(ctx, wire, 'RDMA_WRITE', 0);
  const after = await hashOf(server, 0, size);
  const changed = before !== sent && after === sent;
  ctx.check(
    'buffer-changes',
    changed,
    changed
      ? `The server’s ${plural(size, 'byte')} changed to the client’s.`
      : after === sent
        ? 'The server’s memory held the client’s bytes before the WRITE.'
        : 'The server’s memory does not hold what the client wrote.',
  );
  const read = await one(ctx, wire, 'RDMA_READ', size);
  const back = (await hashOf(client, size, size)) === sent;
  ctx.check(
    'read-back',
    back,
    back ? `The READ returned all ${plural(size, 'byte')}.` : 'The READ returned other bytes.',
  );
  const noticed = written.atTarget + read.atTarget;
  ctx.figure('target-completions', noticed);
  ctx.outcome('target-notices', noticed === 0 ? 'nothing' : 'completion');
  ctx.check(
    'target-silent',
    noticed === 0,
    noticed === 0 ? 'The server’s CQ stayed empty.' : `The server got ${plural(noticed, 'completion')}.`,
  );
  if (watch.on) {
    const packets = checkCut(ctx, wire, written.packets, read.packets);
    return { changed, back, noticed, packets };
  }
  for (const id of ['write-cut', 'read-cut']) ctx.doesNotApply(id, NO_PACKETS);
  for (const name of ['write-packets', 'read-requests', 'read-responses']) ctx.figure(name, null);
  return { changed, back, noticed, packets: null };
}
