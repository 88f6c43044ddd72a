/** RTS works, ERR flushes, and RESET starts again. */
import { closeAll } from '../endpoints/scope.js';
import type { LabContext } from '@verbslab/protocol';
import { remoteOf, type Side } from '../endpoints/side.js';
import type { QpStatesParams } from './params.js';
import { mistake, modify } from './walk.js';

const WAIT_MS = 5000;
const WRITE_BYTES = 64;
const RECV_ID = 7;

/** Ends with both sides closed. */
export async function useAndBreak(
  ctx: LabContext<QpStatesParams>,
  client: Side,
  server: Side,
): Promise<void> {
  const { endpoint, qp, cq, mr } = client;
  const { completions: written } = await endpoint.call('postAndWait', {
    qp: qp.qp,
    cq,
    wr: {
      opcode: 'RDMA_WRITE',
      local: [{ mr: mr.mr, length: WRITE_BYTES }],
      remote: remoteOf(server),
    },
    timeoutMs: WAIT_MS,
  });
  const name = written[0]?.statusName ?? 'no completion';
  ctx.check('rts-works', name === 'SUCCESS', `A WRITE of ${WRITE_BYTES} B in RTS: ${name}.`);

  await endpoint.call('postRecv', { qp: qp.qp, wr: { wrId: RECV_ID, local: [{ mr: mr.mr }] } });
  await modify(ctx, client, 'ERR', { state: 'ERR' });
  const { completions: flushed } = await endpoint.call('waitCq', { cq, count: 1, timeoutMs: WAIT_MS });
  const [wc] = flushed;
  ctx.check(
    'err-flushes',
    wc?.wrId === RECV_ID && wc.statusName === 'WR_FLUSH_ERR',
    wc
      ? `In ERR, the RECV that was waiting completed with ${wc.statusName} (status ${wc.status}).`
      : 'In ERR, the RECV that was waiting did not complete.',
  );
  const revived = await mistake(ctx, client, 'Straight back to RTS', { state: 'RTS' });
  const reset = await modify(ctx, client, 'RESET', { state: 'RESET' });
  ctx.check(
    'only-reset',
    !revived && reset,
    !revived && reset
      ? 'From ERR the QP did not go back to RTS. RESET was granted, and from there it must go through all states again.'
      : `RTS was ${revived ? 'granted' : 'refused'}, RESET was ${reset ? 'granted' : 'refused'}.`,
  );
  await closeAll(client, server);
}
