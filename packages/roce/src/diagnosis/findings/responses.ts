import { perWay } from './class.js';
import type { FindingClass } from './class.js';
import { plural } from './words.js';

export const missingResponses: FindingClass = {
  id: 'read-response-gap',
  checks: 'gaps in READ and atomic responses',
  find: (evidence) =>
    perWay('read-response-gap', evidence, ({ flow, to }) => {
      const { missing: packets, missingPsns, wrongPsns } = flow.requester.responses;
      if (missingPsns <= 0) return null;
      const wrong =
        wrongPsns > 0
          ? ` ${wrongPsns === missingPsns ? 'The capture holds them' : `The capture holds ${plural(wrongPsns, 'of them', 'of them')}`} with a wrong ICRC: the requester drops such packets.`
          : '';
      return {
        severity: 'warning',
        packets,
        text: `${plural(missingPsns, 'packet')} of READ or atomic responses from ${to} ${missingPsns === 1 ? 'is' : 'are'} missing.`,
        why: `The capture did not hold them when a later answer came or the request was sent again.${wrong} If the requester asked again for them, it missed them too; otherwise only the capture does.`,
        cure: 'Look for drops between the responder and the place of capture.',
      };
    }),
};

export const lateResponses: FindingClass = {
  id: 'read-response-late',
  checks: 'READ responses out of order',
  find: (evidence) =>
    perWay('read-response-late', evidence, ({ flow, to }) => {
      const { late: packets } = flow.requester.responses;
      if (packets.total === 0) return null;
      return {
        severity: 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} of READ responses from ${to} came after a later one.`,
        why: 'They fill a gap shortly after it, and the READ was not sent again before. The capture itself can reorder packets when it merges several queues.',
        cure: 'Look for links that balance packet by packet instead of flow by flow.',
      };
    }),
};

export const repeatedResponses: FindingClass = {
  id: 'read-response-repeated',
  checks: 'READ and atomic responses sent again',
  find: (evidence) =>
    perWay('read-response-repeated', evidence, ({ flow, to }) => {
      const { repeated, unasked } = flow.requester.responses;
      const asked = unasked.total === 0;
      const packets = asked ? repeated : unasked;
      if (packets.total === 0) return null;
      return {
        severity: asked ? 'note' : 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} of READ or atomic responses from ${to} came again${asked ? ', as the request was sent again' : ', though the capture does not show that the request was sent again'}.`,
        why: 'The capture held a response with this PSN already. A READ or an atomic that is sent again is answered again.',
        cure: asked
          ? 'See why the request was sent again: a response was lost, or it came after the timeout.'
          : 'Look for a loop or a mirror port on the way, or capture both directions.',
      };
    }),
};
