/** Checks of the counts of a measurement against each other. Pure functions. */
import type { EndpointResult, WaitWay } from '@verbslab/protocol';
import { plural } from '../base/format.js';

export interface Counted extends Pick<
  EndpointResult<'answerMessages'>,
  'arms' | 'rechecks' | 'sleeps' | 'events'
> {
  messages: number;
  /** Messages or answers with another number than the next one. */
  wrong: number;
  /** Completions at either end after the last answer. */
  left: number;
  answers: number;
}

/** The reason why messages are not whole, else null. */
export function lossOf({ messages, answers, wrong, left }: Counted): string | null {
  if (answers !== messages) return `${plural(messages, 'message')} and ${plural(answers, 'answer')}`;
  if (wrong > 0) return `${wrong} out of order`;
  return left === 0 ? null : `${plural(left, 'completion')} too many`;
}

/** A server that waits for events always found the next message before it slept: other programs had its CPU meanwhile. */
export const neverSlept = (way: WaitWay, { sleeps }: Pick<Counted, 'sleeps'>): boolean =>
  way === 'event' && sleeps === 0;

/**
 * The reason why events do not fit the program’s calls, else null. An armed CQ raises one event at most; the program
 * sleeps if the poll after arming finds nothing, and only an event wakes it.
 */
export function misfitOf(way: WaitWay, { messages, arms, rechecks, sleeps, events }: Counted): string | null {
  if (way === 'poll')
    return arms === 0 && events === 0
      ? null
      : `polling armed the CQ ${plural(arms, 'time')} and got ${plural(events, 'event')}`;
  if (arms !== rechecks + sleeps)
    return `armed ${plural(arms, 'time')}, but slept ${plural(sleeps, 'time')} and found ${plural(rechecks, 'message')} after arming`;
  if (events > arms) return `${plural(events, 'event')} for ${plural(arms, 'arm')}`;
  if (events < sleeps) return `woken ${plural(sleeps, 'time')} by ${plural(events, 'event')}`;
  return rechecks > messages ? `${rechecks} of ${plural(messages, 'message')} found after arming` : null;
}
