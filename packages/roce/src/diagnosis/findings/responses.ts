import { perWay } from './class.js';
import type { FindingClass } from './class.js';
import { plural } from './words.js';

export const missingResponses: FindingClass = {
  id: 'read-response-gap',
  checks: 'gaps in READ responses',
  find: (evidence) =>
    perWay('read-response-gap', evidence, ({ flow, to }) => {
      const { missingResponses: packets, missingResponsePsns } = flow.requester;
      if (packets.total === 0) return null;
      return {
        severity: 'warning',
        packets,
        text: `${plural(missingResponsePsns, 'packet')} of READ responses from ${to} ${missingResponsePsns === 1 ? 'is' : 'are'} missing.`,
        why: 'PSNs are missing within the response to a READ. If the requester asked again, it missed them too; otherwise only the capture does.',
        cure: 'Look for drops on the way to the requester. See whether the READ was sent again.',
      };
    }),
};

export const repeatedResponses: FindingClass = {
  id: 'read-response-repeated',
  checks: 'READ responses sent again',
  find: (evidence) =>
    perWay('read-response-repeated', evidence, ({ flow, to }) => {
      const { repeatedResponses: packets } = flow.requester;
      if (packets.total === 0) return null;
      return {
        severity: 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} of READ responses from ${to} came again or out of order.`,
        why: 'The PSN is not beyond that of an earlier response. A READ that is asked for again is answered again.',
        cure: 'See why the READ was sent again: a response was lost, or it came after the timeout.',
      };
    }),
};
