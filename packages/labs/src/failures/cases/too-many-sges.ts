import { attempt, write } from '../bench.js';
import type { FailureCase } from '../case.js';

/** SGEs of the request: more than `max_send_sge`, also where a device rounds 1 up. */
const PIECES = 32;

export const tooManySges: FailureCase = {
  id: 'too-many-sges',
  name: 'More SGEs than the QP allows',
  symptom: 'ibv_post_send fails at once. The connection goes on working.',
  cause: `The QP was created with max_send_sge 1. The request has ${PIECES} SGEs.`,
  explanation:
    'The library knows max_send_sge and refuses the request with EINVAL before the device sees it. There is no completion, no packet and no change of state. bad_wr names the request.',
  fix: 'Ask for enough SGEs when you create the QP (at most max_sge of the device), or gather the data first.',
  expected: { status: null, refused: { call: 'ibv_post_send', errno: 'EINVAL' }, noPackets: true },
  async run(bench, broken) {
    const pair = await bench.pair();
    const piece = (i: number) => ({ mr: pair.client.mr.mr, offset: 64 * i, length: 2 });
    const local = Array.from({ length: broken ? PIECES : 1 }, (_, i) => piece(i));
    return attempt(pair.client, { ...write(pair), local });
  },
};
