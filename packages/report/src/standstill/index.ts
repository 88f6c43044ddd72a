/** What a program waits for, from what was recorded. `exec`, the reports and the pages say the same. */
import { placeText } from '@verbslab/protocol';
import type { StillFacts } from './facts.js';
import { fullQueue, inError, receives, unacknowledged, unpolled } from './queue-rules.js';
import { noAnswer, noReceive, unsent } from './request-rules.js';
import type { Rule, Standing, StillKind, StillPlace } from './standing.js';
import { spanText } from './words.js';

export { StillFacts, type TimedEvent } from './facts.js';
export type { Standing, StillKind, StillPlace, StillRequest } from './standing.js';
export { spanText } from './words.js';

/**
 * The rules, from the most to the least specific; the first that applies answers. Each is a pure function of what was
 * recorded: it says what waits, and a cause only if that was recorded.
 */
const RULES: readonly Rule[] = [
  noReceive,
  noAnswer,
  unsent,
  unacknowledged,
  fullQueue,
  unpolled,
  inError,
  receives,
];

/** Time without progress after which a program is said to be stuck, ns. */
const STILL_AFTER_NS = 5e9;
/** Time without progress for a program that a signal ends: the person who ends it has waited. */
const ENDED_AFTER_NS = 1e9;

export interface StillAnswer extends Standing {
  /** `waiting`: receives wait for messages, as those of an idle server do. */
  state: 'stuck' | 'waiting';
  /** The process has ended so. */
  over: boolean;
  /** Time of the question, or, of a process that has ended, of its end; ns of the run. */
  at: number;
  /** Other requests and queues that stand still. */
  more: number;
  /** QPs of the process that do not. */
  others: number;
}

/** Standstills that a program may mean: nothing says that somebody waits for them. */
const MEANT: ReadonlySet<StillKind> = new Set(['receive']);
/** Standstills of a program that may be busy with something else. */
const MAYBE_BUSY: ReadonlySet<StillKind> = new Set(['unpolled', 'error']);

interface Asked {
  /** Least time without progress, ns. Default: 5 s, or 1 s before an end. */
  after?: number;
  /** Asks how the processes stood that have ended by a signal. */
  ended?: boolean;
}

/**
 * What stands still at time `now`, ns of the run: the most telling request or queue. Null if nothing has stood still
 * for so long.
 */
export function standstill(
  facts: StillFacts,
  now: number,
  { ended = false, after = ended ? ENDED_AFTER_NS : STILL_AFTER_NS }: Asked = {},
): StillAnswer | null {
  const all = facts.processes(ended).flatMap((of) => {
    const at = ended ? of.t : now;
    return RULES.flatMap((rule, rank) =>
      rule(of, facts, at)
        .filter(({ since }) => at - since >= after)
        .map((standing) => ({ standing, rank, of, at })),
    );
  });
  all.sort((a, b) => a.rank - b.rank || a.standing.since - b.standing.since);
  const [first] = all;
  if (first === undefined) return null;
  const meant = MEANT.has(first.standing.kind);
  const listed = new Set(all.filter(({ standing }) => MEANT.has(standing.kind) === meant));
  return {
    ...first.standing,
    state: meant ? 'waiting' : 'stuck',
    at: first.at,
    over: first.of.over ?? false,
    more: listed.size - 1 + (meant ? 0 : first.of.more),
    others: first.of.others,
  };
}

/** The first words, with the time: `Stuck for 13 s`. */
export function standingText({ kind, since, state, at, over }: StillAnswer): string {
  const what = state === 'waiting' ? 'Waiting' : MAYBE_BUSY.has(kind) ? 'No progress' : 'Stuck';
  return `${what} for ${spanText(at - since)}${over ? ' when it ended' : ''}`;
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** `The request was posted by main, norecv.c:131.` */
export const stillPlaceText = ({ what, place }: StillPlace): string =>
  sentence(`${what} ${placeText(place)}`);

/** The answer in one line. */
export function standstillLine(answer: StillAnswer): string {
  const [first] = answer.places;
  return [
    `${standingText(answer)}: ${answer.sentence}.`,
    ...(first === undefined ? [] : [stillPlaceText(first)]),
    answer.cure,
  ].join(' ');
}
