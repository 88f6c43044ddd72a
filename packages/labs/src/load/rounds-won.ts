/** Two ways that were measured in the same rounds: which one was faster, and whether that is clear. Pure functions. */

/** One time per round, of the same rounds for both ways. */
type Times = readonly number[];

/** How many of so many rounds a way must win to be called the faster one. */
const clearWins = (rounds: number): number => Math.ceil((7 / 8) * rounds);

/** Rounds in which the first took less time. */
const winsOf = (first: Times, second: Times): number =>
  second.filter((time, round) => time > first[round]!).length;

/** The way that was faster in seven of eight rounds, or in all if there are fewer; null: neither. One or two rounds decide nothing. */
export function fasterOf(first: Times, second: Times): 'first' | 'second' | null {
  const rounds = first.length;
  const wins = winsOf(first, second);
  if (rounds < 3) return null;
  return wins >= clearWins(rounds) ? 'first' : wins <= rounds - clearWins(rounds) ? 'second' : null;
}

/** For a cell of a table: `overlapped in 8 of 9`, `unclear: overlapped in 5 of 9`. */
export function fasterCell(first: Times, second: Times, ...[one, other]: [string, string]): string {
  const [rounds, wins] = [first.length, winsOf(first, second)];
  switch (fasterOf(first, second)) {
    case 'first':
      return `${one} in ${wins} of ${rounds}`;
    case 'second':
      return `${other} in ${rounds - wins} of ${rounds}`;
    case null:
      return `unclear: ${one} in ${wins} of ${rounds}`;
  }
}

/** `faster overlapped in 9 of 9 rounds`, `no clear difference, overlapped was faster in 5 of 9 rounds`. */
export function fasterText(first: Times, second: Times, ...names: [string, string]): string {
  if (fasterOf(first, second) !== null) return `faster ${fasterCell(first, second, ...names)} rounds`;
  return `no clear difference, ${names[0]} was faster in ${winsOf(first, second)} of ${first.length} rounds`;
}
