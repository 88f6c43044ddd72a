import type { FailureCase } from '../case.js';
import { DEPTH, fillQueue, neverFull } from '../fill-queue.js';

export const neverSignaled: FailureCase = {
  id: 'never-signaled',
  name: 'No request is signaled',
  symptom: 'The first posts work and the data arrives. Then every ibv_post_send fails. The CQ is empty.',
  cause: `The client posts only unsignaled WRITEs to a send queue of ${DEPTH}.`,
  explanation:
    'On most devices a slot of the send queue is free again when the program has polled a completion for it or for a later request. Without a signaled request there is no completion, so the slots stay taken although the WRITEs are done: ENOMEM.',
  fix: 'Signal at least one request per queue depth, and poll its completion.',
  expected: { status: null, refused: { call: 'ibv_post_send', errno: 'ENOMEM', often: true } },
  lacks: (bench) => neverFull(bench, false),
  async run(bench, broken) {
    const pair = await bench.pair({ depth: DEPTH, cqDepth: 1024 });
    return fillQueue(bench, pair, broken ? { signaled: false } : { signaled: false, pollEvery: DEPTH / 2 });
  },
};
