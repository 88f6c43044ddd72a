import type { Evidence } from '../diagnoser.js';
import { rateOf } from '../connections.js';
import { Sample } from '../../base/sample.js';
import { finding, perWay, ways } from './class.js';
import type { FindingClass, Way } from './class.js';
import { count, percent, plural, rate, time } from './words.js';

/** Number of senders to one host that makes an incast, if packets of all of them are marked. */
const SENDERS = 4;

/** True if the capture holds packets from the receiver, so that CNPs would show. */
const heard = ({ back }: Way): boolean => back !== null && back.packets > 0;

const perCnp = (marks: number, cnps: number): string => `${Number((marks / cnps).toPrecision(2))} per CNP`;

function answer(way: Way): string {
  const { back, flow } = way;
  if (!heard(way))
    return 'The capture holds nothing from the receiver that could be matched to these packets, so CNPs cannot be looked for.';
  const cnps = back!.cnps.total;
  return cnps === 0
    ? 'The receiver answered, but sent no CNP.'
    : `The receiver sent ${plural(cnps, 'CNP')}. Marks: ${perCnp(flow.marked.total, cnps)}.`;
}

/** Advice on marked packets, by whether the receivers sent CNPs. */
const cureOf = (silent: boolean): string =>
  silent
    ? 'Set up DCQCN at both ends: the receiver then sends CNPs, and the sender slows down. Then look for several senders to one port (incast).'
    : 'Look for several senders to one port (incast).';

/** Hosts to which several senders sent marked packets. */
function incasts({ connections }: Evidence): Map<number, Way[]> {
  const to = new Map<number, Way[]>();
  for (const way of ways(connections)) {
    if (way.flow.marked.total === 0) continue;
    const list = to.get(way.flow.dst);
    if (list) list.push(way);
    else to.set(way.flow.dst, [way]);
  }
  for (const [host, list] of to)
    if (new Set(list.map(({ flow }) => flow.src)).size < SENDERS) to.delete(host);
  return to;
}

const sum = (list: readonly Way[], of: (way: Way) => number): number =>
  list.reduce((n, way) => n + of(way), 0);

export const incast: FindingClass = {
  id: 'incast',
  checks: 'many senders to one congested host',
  find: (evidence) =>
    [...incasts(evidence)].map(([host, list]) => {
      const packets = new Sample();
      for (const { flow } of list) packets.addAll(flow.marked);
      const senders = new Set(list.map(({ flow }) => flow.src)).size;
      const share = packets.total / sum(list, ({ flow }) => flow.packets);
      const gbps = sum(list, ({ flow }) => rateOf(flow) ?? 0);
      const cnps = sum(list, ({ back }) => back?.cnps.total ?? 0);
      const all = list.every(heard);
      return finding('incast', {
        severity: 'warning',
        packets,
        text: `${plural(senders, 'sender')} to ${evidence.addresses.texts[host]!}, ${percent(share)} of their packets marked${gbps > 0 ? `, together ${rate(gbps)}` : ''}: incast.`,
        why: `The ECN bits of ${plural(packets.total, 'packet')} are 3 (congestion experienced): the queue to this host was longer than the threshold of a switch. ${
          cnps > 0
            ? `The capture holds ${plural(cnps, 'CNP')} for them.`
            : all
              ? 'The host answered, but sent no CNP.'
              : 'The capture holds no CNP; of some connections it does not hold the other direction.'
        }`,
        cure:
          cnps === 0 && all
            ? 'Set up DCQCN at the host and the senders: the host then sends CNPs, and the senders slow down. Let fewer of them send at a time.'
            : 'Let fewer of them send at a time, or spread the load over more hosts or ports.',
      });
    }),
};

export const marked: FindingClass = {
  id: 'ecn',
  checks: 'ECN marks',
  find: (evidence) => {
    const together = incasts(evidence);
    return perWay('ecn', evidence, (way) => {
      const { flow, from } = way;
      const { marked: packets } = flow;
      if (packets.total === 0 || together.has(flow.dst)) return null;
      const silent = heard(way) && way.back!.cnps.total === 0;
      return {
        severity: 'warning',
        packets,
        text: `${plural(packets.total, 'packet')} from ${from} (${percent(packets.total / flow.packets)}) ${packets.total === 1 ? 'is' : 'are'} marked by a congested switch${silent ? ', and no CNP answers them' : ''}.`,
        why: `Their ECN bits are 3 (congestion experienced): a queue on the way to the place of capture was longer than the threshold of its switch. ${answer(way)}`,
        cure: cureOf(silent),
      };
    });
  },
};

export const notified: FindingClass = {
  id: 'cnp',
  checks: 'congestion notifications (CNPs)',
  find: (evidence) =>
    perWay('cnp', evidence, ({ flow, back, from, to }) => {
      const { cnps: packets, cnpFirstT, cnpLastT } = flow;
      if (packets.total === 0) return null;
      const ns = cnpLastT - cnpFirstT;
      const perSecond = Math.round(((packets.total - 1) * 1e9) / ns);
      const often =
        packets.total > 1 && ns > 0
          ? ` in ${time(ns)}${perSecond > 0 ? `, ${count(perSecond)} per second` : ''}`
          : '';
      const marks = back?.marked.total ?? 0;
      return {
        severity: 'warning',
        packets,
        text: `${from} sent ${plural(packets.total, 'CNP')} to ${to}${often}.`,
        why: `A receiver sends a CNP when packets of the flow arrive with an ECN mark. It asks the sender to slow down.${
          marks > 0
            ? ` The capture holds ${plural(marks, 'marked packet')} of that flow, ${perCnp(marks, packets.total)}.`
            : ''
        }`,
        cure: 'Look for the congested port on the way to the sender of the CNPs.',
      };
    }),
};
