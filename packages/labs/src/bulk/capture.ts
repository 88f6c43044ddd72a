/** Packets: from a short transfer of its own, so that capturing slows down nothing that is measured. */
import { AppError, type LabContext, type Link } from '@verbslab/protocol';
import { formatBytes, formatCount, plural } from '../base/format.js';
import { startTap } from '../wire/tap.js';
import type { Captured } from './checks.js';
import type { Connection } from './connection.js';
import type { BulkParams } from './params.js';
import { rdmaInitiator, rdmaTarget } from './transports.js';

/** Room for the headers of a packet beside its payload. */
const HEADER_BYTES = 160;
/** The smallest size of a tap. */
const MIN_TAP_BYTES = 64 * 1024;
/** Packets of a message beside those with data: an ACK, or a READ request. */
const EXTRA_PACKETS = 2;

/** Messages that fit the packets that may be captured. */
export function capturedMessages(message: number, mtu: number, packets: number): number {
  return Math.max(1, Math.floor(packets / (Math.ceil(message / mtu) + EXTRA_PACKETS)));
}

const OVER: Readonly<Record<Link, string>> = { udp: ' over UDP', shm: ' over shared memory' };

/** Null where packets cannot be captured; a note says why. `others`: another link was measured too. */
export async function capture(
  ctx: LabContext<BulkParams>,
  connection: Connection,
  transport: 'rdma' | 'shm',
  others: boolean,
): Promise<Captured | null> {
  const { params } = ctx;
  const { client, server, mtu, link } = connection;
  const message = params.size;
  const messages = capturedMessages(message, mtu, params.capturePackets);
  const oneAddress = client.qp.info.gid === server.qp.info.gid;
  const started = await startTap(ctx, 'client', oneAddress, {
    maxPackets: params.capturePackets,
    maxBytes: Math.max(MIN_TAP_BYTES, params.capturePackets * (mtu + HEADER_BYTES)),
    mode: 'keep',
  });
  if (!started) return null;
  ctx.emit({
    kind: 'phase',
    phase: 'begin',
    id: 'capture',
    transport,
    omit: false,
    text: 'Capturing a short transfer, which the figures leave out',
  });
  const target = await server.endpoint.call('loop.start', {
    ...rdmaTarget(params, connection, 0),
    report: false,
  });
  const initiator = await client.endpoint.call('loop.start', {
    ...rdmaInitiator(params, connection, 0),
    durationMs: undefined,
    omitMs: 0,
    iterations: messages,
    records: 'none',
    report: false,
  });
  const result = await client.endpoint.call('loop.wait', { loop: initiator.loop });
  await server.endpoint.call('loop.stop', { loop: target.loop });
  if (result.error) throw AppError.from(result.error);
  const report = await client.endpoint.call('tap.stop', {});
  if (report.dropped > 0)
    ctx.emit({ kind: 'dropped', what: 'packets', records: report.dropped, reason: 'limit' });
  ctx.emit({
    kind: 'phase',
    phase: 'end',
    id: 'capture',
    transport,
    omit: false,
    text: 'Capturing a short transfer, which the figures leave out',
  });
  ctx.note(
    `The packets belong to ${plural(messages, 'message')} of ${formatBytes(message)}, sent${link ? OVER[link] : ''} after the measured time because capturing costs throughput. ` +
      (report.dropped > 0
        ? `${plural(report.packets, 'packet')} were captured and ${formatCount(report.dropped)} were not.`
        : `All ${plural(report.packets, 'packet')} were captured.`) +
      (report.others
        ? ` ${plural(report.others, 'packet')} of other connections passed at the same time.`
        : '') +
      (others ? ' Packets of the other link have the same form and were not captured.' : ''),
  );
  return { report, operation: params.operation, mtu, messages, messageBytes: message };
}
