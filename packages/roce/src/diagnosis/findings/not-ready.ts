import { RNR_TIMER_US } from '../../headers/aeth.js';
import { STORM } from '../not-ready.js';
import { perWay } from './class.js';
import type { FindingClass } from './class.js';
import { count, plural, time } from './words.js';

/** The longest timer, of code 0. */
const LONGEST_US = RNR_TIMER_US[0]!;
/** Timer from which on the wait costs more than the RNR NAKs that it saves. */
const LONG_US = 10_000;

function timerAdvice(us: number): string {
  if (us === LONGEST_US)
    return 'The min_rnr_timer of the responder is code 0, the longest: 655.36 ms. rdma_cm leaves it so. Set a shorter one, such as 12 (0.64 ms).';
  if (us >= LONG_US)
    return `The min_rnr_timer of the responder makes each wait ${time(us * 1000)} long: set a shorter one, such as 12 (0.64 ms).`;
  return 'A larger min_rnr_timer means fewer RNR NAKs, but no shorter wait.';
}

export const notReady: FindingClass = {
  id: 'rnr',
  checks: 'RNR NAKs and storms of them',
  find: (evidence) =>
    perWay('rnr', evidence, ({ flow, from, to }) => {
      const { packets, requests, storms, longest, heldNs, never, timerUs } = flow.requester.notReady;
      if (packets.total === 0) return null;
      const storm =
        storms > 0
          ? `, in ${plural(storms, 'storm')} of ${STORM} or more for one request (the longest: ${count(longest.count)} in ${time(longest.ns)})`
          : '';
      const held = heldNs > 0 ? ` They held it up for ${time(heldNs)} in all.` : '';
      const resent = flow.requester.runs.causes.rnr;
      const again =
        resent.packets > 0
          ? ` ${plural(resent.packets, 'packet')} ${resent.packets === 1 ? 'was' : 'were'} sent again because of them.`
          : '';
      const open =
        never > 0
          ? flow.requester.refusedForRnr
            ? ' The last refused request was not sent again: the requester gave up (RNR retry count exceeded). Its completion says IBV_WC_RNR_RETRY_EXC_ERR.'
            : ' The capture does not show that the last refused request was accepted: the requester may have given up (RNR retry count exceeded, IBV_WC_RNR_RETRY_EXC_ERR), or the capture ends too early.'
          : '';
      return {
        severity: 'warning',
        packets,
        text: `${to} had no receive posted for ${plural(requests, 'request')} of ${from}: ${plural(packets.total, 'RNR NAK')}${storm}.`,
        why: `Each RNR NAK says that the responder got the request but had no receive for it, and asks to wait (up to ${time(timerUs * 1000)} here).${held}${again}${open}`,
        cure: `Post receives earlier or more of them at the responder, or let its program empty the completion queue faster. ${timerAdvice(timerUs)}`,
      };
    }),
};
