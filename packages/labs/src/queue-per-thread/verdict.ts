/**
 * Checks that the counts of several threads fit the way in which they own their queues. Pure functions; null: they do.
 */
import type { LoopThreads } from '@verbslab/protocol';
import { formatTime, plural } from '../base/format.js';

/** The reason why completions did not stay with the threads that posted their requests. */
export const notOwn = ({ foreign }: LoopThreads): string | null =>
  foreign === 0 ? null : `${plural(foreign, 'completion')} came to a thread other than the one that posted`;

/** Time that threads had the lock, all together. */
export const heldNs = ({ postNs, pollNs }: LoopThreads): number => postNs + pollNs;

/** The reason why more than one thread must have had the lock at a time. */
export function notExclusive(threads: LoopThreads): string | null {
  const held = heldNs(threads);
  return held <= threads.elapsedNs
    ? null
    : `the threads held the lock for ${formatTime(held)} in ${formatTime(threads.elapsedNs)}`;
}

/** Number of times that threads found the lock taken, in all of these loops. */
export const timesContended = (loops: readonly LoopThreads[]): number =>
  loops.reduce((sum, { contended }) => sum + contended, 0);

/** Part of all threads’ time, from 0 to 1, that went into waiting for the lock. */
export const waitingPart = ({ waitNs, elapsedNs, messages }: LoopThreads): number =>
  waitNs / (elapsedNs * messages.length);

export const messagesOf = ({ messages }: LoopThreads): number => messages.reduce((sum, one) => sum + one, 0);
