import type { FailureCase } from '../case.js';
import { DEPTH, fillQueue, neverFull } from '../fill-queue.js';

export const neverPolled: FailureCase = {
  id: 'never-polled',
  name: 'The CQ is never polled',
  symptom:
    'The first posts work and the data arrives. Then every ibv_post_send fails. The CQ has completions.',
  cause: `The client posts signaled WRITEs to a send queue of ${DEPTH} and never calls ibv_poll_cq. The CQ is much larger.`,
  explanation:
    'On most devices ibv_poll_cq is what frees slots of the send queue. The completions exist, but the program has not taken them: ENOMEM.',
  fix: 'Poll before you post when max_send_wr requests are posted and not polled.',
  expected: { status: null, refused: { call: 'ibv_post_send', errno: 'ENOMEM', often: true } },
  lacks: (bench) => neverFull(bench, true),
  async run(bench, broken) {
    const pair = await bench.pair({ depth: DEPTH, cqDepth: 1024 });
    return fillQueue(bench, pair, broken ? { signaled: true } : { signaled: true, pollEvery: DEPTH / 2 });
  },
};
