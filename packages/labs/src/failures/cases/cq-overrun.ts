import { plural } from '../../base/format.js';
import { refusal, write } from '../bench.js';
import type { FailureCase } from '../case.js';

const POSTS = 32;

export const cqOverrun: FailureCase = {
  id: 'cq-overrun',
  name: 'A CQ smaller than what is signaled',
  symptom: 'All posts succeed at first. Then an asynchronous event comes, and the QP stops.',
  cause: `The CQ holds 8 completions. The client posts ${POSTS} signaled WRITEs and does not poll.`,
  explanation:
    'The device has a completion and no room for it. It loses the completion and reports CQ_ERR, and by the specification the QP that used the CQ fails. Completions cannot be trusted afterwards. Only a program that reads asynchronous events learns the reason.',
  fix: 'Make the CQ as large as all requests that can complete before you poll: the sum of the queues that use it.',
  also: [{ role: 'client', most: 1, events: ['QP_FATAL'] }],
  expected: { status: null, clientEvent: 'CQ_ERR' },
  async run(bench, broken) {
    const pair = await bench.pair({ depth: 2 * POSTS, cqDepth: broken ? 8 : 2 * POSTS });
    const { endpoint, qp, cq } = pair.client;
    let accepted = 0;
    let errno: string | null = null;
    while (accepted < POSTS && errno === null) {
      errno = await refusal(
        endpoint.call('postSend', { qp: qp.qp, wr: { ...write(pair, 8), wrId: accepted } }),
      );
      if (errno === null) accepted++;
    }
    if (broken)
      return {
        status: null,
        errno,
        elapsedNs: null,
        worked: false,
        seen: `${accepted} of ${plural(POSTS, 'post')} were accepted.`,
      };
    const { completions } = await endpoint.call('waitCq', { cq, count: POSTS, timeoutMs: 5000 });
    return {
      status: completions[0]?.status ?? null,
      errno,
      elapsedNs: null,
      worked: completions.length === POSTS && completions.every(({ status }) => status === 0),
      seen: `${accepted} of ${plural(POSTS, 'post')} were accepted, and ${plural(completions.length, 'completion')} polled.`,
    };
  },
};
