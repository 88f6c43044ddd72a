/** A SEND that is longer than the RECV at the head of the queue: why eager messages have a limit. */
import { inPhase } from '../endpoints/phase.js';
import { LOC_LEN_ERR, REM_INV_REQ_ERR } from '../endpoints/wc-statuses.js';
import { CONTROL_BYTES } from './control.js';
import { BOUNCE, controlRecv, type Context, type Ends } from './endpoints.js';

const WAIT_MS = 10_000;

export async function trySendTooLong(ctx: Context, { sender, receiver }: Ends): Promise<void> {
  await inPhase(ctx, 'too-long', 'A SEND that is longer than its RECV', async () => {
    await receiver.endpoint.call('postRecv', { qp: receiver.doomed.qp.qp, wr: controlRecv(receiver) });
    const length = CONTROL_BYTES + 1;
    const { completions: sent } = await sender.endpoint.call('postAndWait', {
      ...{ qp: sender.doomed.qp.qp, cq: sender.doomed.sendCq, timeoutMs: WAIT_MS },
      wr: { opcode: 'SEND', local: [{ mr: sender.mr.mr, offset: BOUNCE, length }] },
    });
    const { completions: got } = await receiver.endpoint.call('waitCq', {
      ...{ cq: receiver.doomed.recvCq, count: 1, timeoutMs: WAIT_MS },
    });
    ctx.check(
      'too-long',
      sent[0]?.status === REM_INV_REQ_ERR && got[0]?.status === LOC_LEN_ERR,
      `A SEND of ${length} B met a RECV of ${CONTROL_BYTES} B: ${sent[0]?.statusName ?? 'no completion'} at the sender, ${got[0]?.statusName ?? 'no completion'} at the receiver.`,
    );
  });
}
