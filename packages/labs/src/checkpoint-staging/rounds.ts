/** Two settings that were measured in the same rounds: which one was faster, in words. Pure functions. */
import { orderOf, winsOf } from '../rendezvous/crossover.js';

interface Rounds {
  rounds: readonly number[];
}

interface Compared {
  /** Rounds that the first won. */
  wins: number;
  of: number;
  clear: 'first' | 'second' | null;
}

function compared(first: Rounds, second: Rounds): Compared {
  const wins = winsOf(second.rounds, first.rounds);
  const order = orderOf(second.rounds, first.rounds);
  const clear = order === 'unclear' ? null : order === 'eager' ? 'second' : 'first';
  return { wins, of: first.rounds.length, clear };
}

/** `faster overlapped in 9 of 9 rounds`, `no clear difference, overlapped was faster in 5 of 9 rounds`. */
export function fasterText(first: Rounds, second: Rounds, ...[one, other]: [string, string]): string {
  const { wins, of, clear } = compared(first, second);
  if (clear === null) return `no clear difference, ${one} was faster in ${wins} of ${of} rounds`;
  return clear === 'first'
    ? `faster ${one} in ${wins} of ${of} rounds`
    : `faster ${other} in ${of - wins} of ${of} rounds`;
}

/** The same for a cell of a table. */
export function orderCell(first: Rounds, second: Rounds, ...[one, other]: [string, string]): string {
  const { wins, of, clear } = compared(first, second);
  if (clear === null) return `unclear: ${one} in ${wins} of ${of}`;
  return clear === 'first' ? `${one} in ${wins} of ${of}` : `${other} in ${of - wins} of ${of}`;
}
