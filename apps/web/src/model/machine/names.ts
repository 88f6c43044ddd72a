/** Texts for objects and rings. */
import { qpnText } from '@verbslab/protocol';
import { bytes, count, hex, sig3, text } from '../../format/number';
import type { Fill, Ring, Unknown } from './queue-fill';
import type { MachineObject, QueueName } from './object';

/** Kinds whose number is a key. */
const KEYS = new Set(['MR', 'MW']);
/** Kinds without a name: their number is only a count. */
const NAMELESS = new Set(['context', 'completion channel', 'event channel']);

/** Name of an object in calls and reports. */
export function nameOf({ kind, number }: Pick<MachineObject, 'kind' | 'number'>): string {
  if (number === null || NAMELESS.has(kind)) return kind;
  if (KEYS.has(kind)) return `${kind} ${hex(number, 8)}`;
  return `${kind} ${kind === 'QP' ? qpnText(number) : number}`;
}

const short = (right: unknown): string => String(right).replace(/^IBV_ACCESS_/, '');

/** Most important attribute of an object; empty if its name says it all. */
export function headline({ kind, attrs }: MachineObject): string {
  switch (kind) {
    case 'MR': {
      const access = Array.isArray(attrs.access) ? attrs.access.map(short) : [];
      const remote = access.filter((right) => right.startsWith('REMOTE')).map((right) => right.slice(7));
      return `${text(bytes(Number(attrs.length)))}${remote.length > 0 ? `, remote ${remote.join(', ')}` : ''}`;
    }
    case 'QP':
      return typeof attrs.type === 'string' ? attrs.type : '';
    case 'AH':
      return typeof attrs.dgid === 'string' ? attrs.dgid : '';
    default:
      return '';
  }
}

export const QUEUE_WORDS: Readonly<Record<QueueName, string>> = {
  SQ: 'send queue',
  RQ: 'receive queue',
  SRQ: 'shared receive queue',
  CQ: 'completion queue',
};

const SIGNS: Readonly<Record<Exclude<Fill['is'], 'unknown'>, string>> = {
  exact: '',
  mean: '≈ ',
  atMost: '≤ ',
};

/** Fill level such as `3 / 16`, with a question mark if unknown. */
export function fillText({ fill, capacity }: Ring): string {
  if (fill.is === 'unknown' && fill.why === 'shared') return 'in the SRQ';
  const held =
    fill.is === 'unknown'
      ? '?'
      : `${SIGNS[fill.is]}${fill.is === 'mean' ? sig3(fill.count) : count(fill.count)}`;
  return capacity === null ? held : `${held} / ${count(capacity)}`;
}

/** Fill level for screen readers. */
export function fillSpoken({ queue, fill, capacity }: Ring): string {
  const of = capacity === null ? '' : ` of ${count(capacity)}`;
  if (fill.is === 'unknown' && fill.why === 'shared') return `${QUEUE_WORDS[queue]}: in the SRQ`;
  if (fill.is === 'unknown')
    return `${QUEUE_WORDS[queue]}: fill level unknown${capacity === null ? '' : `, capacity ${count(capacity)}`}`;
  const about = { exact: '', mean: 'about ', atMost: 'at most ' }[fill.is];
  return `${QUEUE_WORDS[queue]}: ${about}${fill.is === 'mean' ? sig3(fill.count) : count(fill.count)}${of}`;
}

const WHY: Readonly<Record<Unknown, string>> = {
  loop: 'A measuring loop posts to this queue. The record has its totals and not each work request.',
  loops: 'One measuring loop posts to several QPs. The record has their total and not each QP’s share.',
  'no-posts': 'This run posted its work requests in loops that the record does not list one by one.',
  sampled: 'The record has the timelines of some of this program’s sends, so the others are not counted.',
  unfinished:
    'The timeline of a send is recorded once the send is over. The fill level appears when the run has ended.',
  receives: 'The record counts the receives that a program posts per process, not per queue.',
  'no-time': 'The record does not say when the CQE of a receive was written.',
  shared: 'This QP takes its receives from the shared receive queue.',
  before: 'The device samples its queues ten times per second. This queue was in no sample yet.',
  'left-out': 'A sample names 16 queues of each kind: the fullest, and of receive queues the emptiest.',
  provider: 'This provider does not report the occupancy of its queues.',
};

const HOW = {
  calls: {
    SQ: 'Work requests that a recorded call posted and no poll has found complete.',
    RQ: 'Receives that a recorded call posted and no poll has found complete.',
    SRQ: 'Receives that a recorded call posted and no poll has found complete.',
    CQ: 'CQEs that were written and not yet polled.',
  },
  stamps: {
    SQ: 'Work requests between their posting and their CQE, by the device’s time stamps.',
    RQ: 'Receives between their posting and their CQE, by the device’s time stamps.',
    SRQ: 'Receives between their posting and their CQE, by the device’s time stamps.',
    CQ: 'CQEs that were written and not yet polled, by the device’s time stamps.',
  },
  device: {
    SQ: 'Entries in use in the device’s latest sample: work requests whose completion was not polled.',
    RQ: 'Receives in the device’s latest sample that no message has taken.',
    SRQ: 'Receives in the device’s latest sample that no message has taken.',
    CQ: 'CQEs in the device’s latest sample that were not polled.',
  },
  state: {
    SQ: 'The QP cannot send yet in this state.',
    RQ: 'The QP takes no receive in this state.',
    SRQ: '',
    CQ: 'None of its QPs can send or receive yet.',
  },
} as const;

/** Source of the fill level, or the reason why it is unknown. */
export function fillReason({ queue, fill }: Ring): string {
  switch (fill.is) {
    case 'exact':
      return HOW[fill.basis][queue];
    case 'mean':
      return 'A mean over the sample of 100 ms: completions per second × their mean latency from post to poll (Little’s law).';
    case 'atMost':
      return 'At most this many: work requests that may have completed and were not polled. The record does not say when their CQEs were written.';
    case 'unknown':
      return WHY[fill.why];
  }
}

/** Reasons for the question marks on queues: a sentence per reason, with the queues that it applies to. */
export function unknownTexts(rings: readonly Ring[]): string[] {
  const queues = new Map<string, Set<QueueName>>();
  for (const { queue, fill } of rings) {
    if (fill.is !== 'unknown' || fill.why === 'shared') continue;
    const why = WHY[fill.why];
    queues.set(why, (queues.get(why) ?? new Set()).add(queue));
  }
  return [...queues].map(([why, of]) => `? (${[...of].join(', ')}): ${why}`);
}
