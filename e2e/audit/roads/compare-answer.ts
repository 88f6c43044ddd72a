// Sentences on the order of several runs.
import type { Claim } from '../claim.js';
import { MEASURED, type Evidence, type Measured } from '../evidence.js';
import { COUNTERS_ROAD, transportNamed } from '../links.js';
import { few, figureOf, LETTERS, overlaps, RECORDS, runsOf } from './compared-runs.js';

const UNITS = { goodput: 'Gb/s', cpu: 's/GB', p50: 'µs' } as const;
type Contest = keyof typeof UNITS;

/** Subject of a verb or noun in the answer. */
const contestOf = (words: string): Contest =>
  /latency/.test(words) ? 'p50' : /CPU/.test(words) ? 'cpu' : 'goodput';

/** The transport of a sentence, for any run. */
const transportIn = (claim: Claim, evidence: Evidence, name: string): Measured =>
  runsOf(evidence).flatMap((one) => transportNamed(one, name) ?? [])[0] ??
  claim.fail(COUNTERS_ROAD, 'another link', name);

/** Runs from the best to the last. */
export function ranked(claim: Claim, evidence: Evidence, transport: Measured, which: Contest) {
  const sign = which === 'goodput' ? -1 : 1;
  return runsOf(evidence)
    .map((one, i) => ({ letter: LETTERS[i]!, ...figureOf(claim, one, `${transport}.${which}`) }))
    .filter(({ value }) => value !== null)
    .sort((a, b) => sign * (a.value! - b.value!));
}

/** `RDMA/UDP, RDMA/shm and TCP`. */
export const listed = (text: string): string[] => text.split(/, | and /);

export function answer(claim: Claim, evidence: Evidence): void {
  const detail =
    /^Over (?<name>\S+), (?:(?<first>[A-F]) (?<verb>moves more|moves most|spends less CPU time per GB|spends least CPU time per GB|has the lower median latency|has the lowest median latency): (?<value>\S+) (?<unit>\S+?)(?: against (?<other>\S+) \S+ of (?<second>[A-F]) \((?<changed>[A-F]) (?<percent>.+) against [A-F]\)|; (?<last>[A-F](?:(?:, | and )[A-F])*) (?:is|are) last with (?<least>[^;]+))\.|there (?<what>is no clear difference|are too few rounds for a verdict) in (?<noun>goodput|CPU time per GB|median latency) between (?<even>[A-F, and]+): .+\.)$/.exec(
      claim.text,
    )?.groups;
  if (!detail) return lead(claim, evidence);
  const { name, first, verb, value, unit, other, second, last, least, noun, what, even } = detail;
  const transport = transportIn(claim, evidence, name!);
  const which = contestOf(verb ?? noun ?? '');
  const order = ranked(claim, evidence, transport, which);
  if (even !== undefined) {
    const [best, ...rest] = order;
    if (what === 'is no clear difference')
      claim.holds(
        rest.every((one) => one.value === best!.value || overlaps(best!, one, 1)),
        RECORDS,
        'ranges that do not overlap',
      );
    else
      claim.holds(
        rest.some((one) => few(claim, evidence, best!, one)),
        'the rounds in the stream',
        'enough rounds for a verdict',
      );
    return claim.equal(
      order
        .map(({ letter }) => letter)
        .sort()
        .join(),
      RECORDS,
      listed(even).sort().join(),
    );
  }
  const [best, worst] = [order[0]!, order.at(-1)!];
  const named = (letter: string | undefined) => order.find((one) => one.letter === letter) ?? best;
  // Either of two percentiles in one slot may be called the lower one.
  if (Math.abs(best.value! - worst.value!) > best.slack + worst.slack) {
    claim.equal(best.letter, RECORDS, first);
    if (second !== undefined) claim.equal(worst.letter, RECORDS, second);
    else claim.holds(listed(last!).includes(worst.letter), RECORDS, worst.letter);
  }
  claim.equal(UNITS[which], 'what is compared', unit);
  claim.figure(named(first).value, RECORDS, value, named(first).slack);
  const behind = second === undefined ? listed(last!) : [second];
  const values = second === undefined ? listed(least!).map((text) => text.split(/\s/)[0]) : [other];
  behind.forEach((letter, i) => claim.figure(named(letter).value, RECORDS, values[i], named(letter).slack));
  claim.holds(!overlaps(order[0]!, order[1]!, -1), RECORDS, 'ranges that overlap');
}

/** Checks a sentence about several transports. */
function lead(claim: Claim, evidence: Evidence): void {
  const depends = /^Which run (?<verb>(?:moves|spends|has) .+) depends on the transport\.$/.exec(
    claim.text,
  )?.groups;
  const none =
    /^There is no clear difference in (?<noun>goodput|CPU time per GB|median latency) over (?<where>.+)\.$/.exec(
      claim.text,
    )?.groups;
  const together =
    /^Several runs share the (?:highest|lowest) (?<noun>goodput|CPU time per GB|median latency) over (?<where>.+)\.$/.exec(
      claim.text,
    )?.groups;
  const scarce =
    /^There are too few rounds for a verdict in (?<noun>goodput|CPU time per GB|median latency) over (?<where>.+)\.$/.exec(
      claim.text,
    )?.groups;
  const winner = (which: Contest, transport: Measured): string => {
    const order = ranked(claim, evidence, transport, which);
    const rest = order.slice(1).filter(({ value }) => value !== order[0]!.value);
    if (rest.some((one) => few(claim, evidence, order[0]!, one))) return 'few';
    const even = order.filter((one, i) => i === 0 || overlaps(order[0]!, one, 0));
    return even.length === order.length ? 'none' : even.length > 1 ? 'mixed' : order[0]!.letter;
  };
  const measured = MEASURED.filter((one) => ranked(claim, evidence, one, 'goodput').length > 1);
  if (depends) {
    const which = contestOf(depends.verb!);
    const winners = new Set(measured.map((one) => winner(which, one)));
    return claim.holds(winners.size > 1 || winners.has('mixed'), RECORDS, [...winners].join());
  }
  if (scarce) {
    const which = contestOf(scarce.noun!);
    const winners = listed(scarce.where!).map((name) => winner(which, transportIn(claim, evidence, name)));
    return claim.holds(winners.includes('few'), RECORDS, winners.join());
  }
  if (together) {
    const which = contestOf(together.noun!);
    for (const name of listed(together.where!))
      claim.equal('mixed', RECORDS, winner(which, transportIn(claim, evidence, name)));
    return;
  }
  if (none) {
    const which = contestOf(none.noun!);
    for (const name of listed(none.where!))
      claim.equal('none', RECORDS, winner(which, transportIn(claim, evidence, name)));
    return;
  }
  const { letter, verbs, where } = claim.match(
    /^(?<letter>[A-F]) (?<verbs>(?:moves|spends|has) .+?) over (?<where>.+)\.$/,
  );
  const which = verbs!.split(/, (?=moves|spends|has)| and (?=moves|spends|has)/).map(contestOf);
  for (const name of listed(where!))
    for (const each of which) claim.equal(winner(each, transportIn(claim, evidence, name)), RECORDS, letter);
}
