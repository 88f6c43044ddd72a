import { DESCRIBED, finding } from './class.js';
import type { FindingClass } from './class.js';
import { count, plural, rate, time } from './words.js';

/** Pause frames: the link partner told this port to stop, or this port told the partner. */
export const pauses: FindingClass = {
  id: 'pause',
  checks: 'PFC and PAUSE frames',
  find: ({ totals }) =>
    totals.pauses.all.slice(0, DESCRIBED).map((one) => {
      const { packets, resumes, sender, priority, speeds, known } = one;
      const paused = one.paused();
      const asking = packets.total - resumes;
      const what =
        priority === null
          ? plural(packets.total, 'PAUSE frame')
          : `${plural(packets.total, 'PFC frame')} for priority ${priority}`;
      const times = speeds.map((speed, i) => `${time(paused[i]!)} at ${rate(speed / 1e9)}`);
      const link = known ? ' (the speed of the link)' : '';
      return finding('pause', {
        severity: asking > 0 ? 'warning' : 'note',
        packets,
        text: `${sender === '' ? 'A port' : sender} sent ${what}: ${count(asking)} to pause, ${count(resumes)} to go on. Paused in all: ${times.join(', ')}${link}.`,
        why: 'A port sends these when its buffer fills. The other end of the link then stops sending: that priority (PFC) or everything (PAUSE). A frame holds for its quanta of 512 bit times, or until the next one.',
        cure: 'Look for the slow receiver or the congested port behind the sender. If ECN is set up, it should slow senders down before PFC has to; a NIC that pauses for long is a slow receiver.',
      });
    }),
};

export const fragments: FindingClass = {
  id: 'ip-fragments',
  checks: 'RoCE packets in IP fragments',
  find: ({ totals, incomplete }) => {
    const { fragmented, pieces } = totals;
    if (fragmented.total + incomplete.total === 0) return [];
    const whole =
      fragmented.total > 0
        ? `${plural(fragmented.total, 'RoCE packet')} came in ${count(pieces)} IP fragments.`
        : '';
    const rest =
      incomplete.total > 0
        ? `${plural(incomplete.total, 'IP fragment belongs', 'IP fragments belong')} to RoCE packets whose other fragments are not in the capture.`
        : '';
    return [
      finding('ip-fragments', {
        severity: 'warning',
        packets: fragmented.total > 0 ? fragmented : incomplete,
        text: [whole, rest].filter((text) => text !== '').join(' '),
        why: 'The path MTU of the QP is beyond the IP MTU, so IP had to cut its packets. One lost fragment loses the whole packet, and NICs neither send nor take fragments of RoCE.',
        cure: 'Lower the path MTU of the QP (perftest: -m 1024) or raise the MTU of the interfaces and switches (to 4,200 or more for a path MTU of 4,096).',
      }),
    ];
  },
};

export const unsupported: FindingClass = {
  id: 'link-type',
  checks: 'link types that are not read',
  find: ({ totals }) => {
    const { unsupported: packets, linkTypes } = totals.notRoce;
    if (packets.total === 0) return [];
    return [
      finding('link-type', {
        severity: 'note',
        packets,
        text: `${plural(packets.total, 'packet is', 'packets are')} of a link type that Verbs Lab does not read: ${[...linkTypes.keys()].join(', ')}.`,
        why: 'The link type of an interface says what its packets begin with. These packets are not diagnosed.',
        cure: 'Capture on an Ethernet interface, or on "any".',
      }),
    ];
  },
};
