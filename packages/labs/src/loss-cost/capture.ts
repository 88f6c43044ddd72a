/** A short transfer with loss whose packets are captured: what was retransmitted, counted in two ways. */
import type { LabContext } from '@verbslab/protocol';
import { RC } from '@verbslab/roce';
import { plural } from '../base/format.js';
import { bandwidth } from '../load/loop.js';
import type { Pair } from '../load/pair.js';
import { counting, seedOf, withFaults } from '../loss/faulty.js';
import { startTap } from '../wire/tap.js';
import type { LossCostParams } from './params.js';
import { NO_PACKETS } from '../wire/packet-watch.js';

/** Data packets that must arrive. */
const NEEDED = 600;
const LOSS = 0.01;
const WRITES = [RC.writeFirst, RC.writeMiddle, RC.writeLast, RC.writeOnly];

export async function captureLosses(ctx: LabContext<LossCostParams>, pair: Pair): Promise<void> {
  const { small: size, window, seed } = ctx.params;
  const { endpoint, qp } = pair.client;
  const packets = Math.ceil(size / qp.info.mtu);
  const messages = Math.max(1, Math.floor(NEEDED / packets));
  if (!(await startTap(ctx, 'client', false, { maxPackets: 65_536, mode: 'keep' })))
    return ctx.doesNotApply('counted', NO_PACKETS);
  const { result, did } = await withFaults(endpoint, { rates: { drop: LOSS, seed: seedOf(seed) } }, () =>
    counting(endpoint, () => bandwidth(pair, { size, txDepth: window, cqMod: 1, iterations: messages })),
  );
  const report = await endpoint.call('tap.stop', {});
  const sent = WRITES.reduce((sum, opcode) => sum + (report.opcodes[opcode] ?? 0), 0);
  const needed = messages * packets;
  const counted = result.moved.retransmitted_pkts ?? 0;
  ctx.figure('captured-needed', needed);
  ctx.figure('captured-lost', did.dropped);
  ctx.figure('captured-again', sent - needed);
  ctx.check(
    'counted',
    report.dropped === 0 && sent - needed === counted,
    `${plural(messages, 'message')} ${messages === 1 ? 'needs' : 'need'} ${plural(needed, 'packet')}, and ${plural(did.dropped, 'packet')} of the client ${did.dropped === 1 ? 'was' : 'were'} lost. ` +
      `The capture has ${plural(sent, 'data packet')}, so ${sent - needed} ${sent - needed === 1 ? 'was' : 'were'} retransmitted; the counter says ${counted}.` +
      (report.dropped === 0 ? '' : ` ${plural(report.dropped, 'packet')} could not be captured.`),
  );
}
