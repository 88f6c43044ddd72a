// A page that compares runs: each figure by the raw records of its run, each difference by those of both.
import { readFileSync } from 'node:fs';
import { cpus, hostname, release } from 'node:os';
import { join } from 'node:path';
import type { Claim, Roads } from '../claim.js';
import { Evidence, MEASURED, type Measured } from '../evidence.js';
import { itemsOf } from '../export.js';
import { middle, parseFigure, percentileOf } from '../figures.js';
import { BADGES, COUNTERS_ROAD, linksOf, transportNamed } from '../links.js';
import { costsOf, latenciesIn, medianCost, percentile, type Round, type Share } from '../loops.js';
import { named, slotOf, stated } from './figures.js';
import { gbpsFigure } from './gbps.js';
import { chanceApart } from './sentences.js';
import { DISTANCES } from './compare-distance.js';
import { COMPARED_SERIES } from './compare-series.js';

const RECORDS = 'the raw records of the run';
const LETTERS = 'ABCDEF';
const VERSION_FILE = join(import.meta.dirname, '../../../apps/agent/package.json');

/** Runs of the page, in its order: the audit gives each evidence all of them. */
export function runsOf(evidence: Evidence): Evidence[] {
  return evidence.peers.map((data) => (data.run.id === evidence.data.run.id ? evidence : known(data)));
}

const others = new WeakMap<object, Evidence>();
function known(data: Evidence['data']): Evidence {
  const made = others.get(data) ?? new Evidence(data, null);
  others.set(data, made);
  return made;
}

const byLetter = (claim: Claim, evidence: Evidence, letter: string): Evidence =>
  runsOf(evidence)[LETTERS.indexOf(letter)] ??
  claim.fail('the runs of the page', 'none of that letter', letter);

const byId = (claim: Claim, evidence: Evidence, id: string): Evidence =>
  runsOf(evidence).find(({ data }) => data.run.id === id) ??
  claim.fail('the runs of the page', 'none of that id', id);

interface Found {
  value: number | null;
  /** Of rounds, or as the lab filled them in. */
  range: readonly [number, number] | null;
  /** What the recorder rounds, in the unit of the figure. */
  slack: number;
  /** Rounds behind the range. */
  n: number;
}

const OF_ROUND: Readonly<Record<string, (round: Round) => number>> = {
  goodput: (round) => round.goodputGbps,
  messages: (round) => round.messagesPerSecond,
  cpu: (round) => round.cpu.sum,
};

const spanOf = (values: readonly number[]): readonly [number, number] | null =>
  values.length > 1 ? [Math.min(...values), Math.max(...values)] : null;

/** `rdma.goodput`, or what the lab names. */
function figureOf(claim: Claim, evidence: Evidence, name: string): Found {
  const [head, of = ''] = name.split('.');
  const transport = MEASURED.find((one) => one === head);
  if (!transport) {
    const event = itemsOf(evidence.data, 'figure').findLast((figure) => figure.name === name);
    const { value = null, min, max, n = 2 } = event ?? {};
    return { value, range: min === undefined || max === undefined ? null : [min, max], slack: 0, n };
  }
  const rounds = evidence.rounds(transport);
  const n = rounds.length;
  const each = OF_ROUND[of];
  if (each) {
    if (rounds.length === 0) return { value: null, range: null, slack: 0, n };
    const values = of === 'cpu' ? costsOf(rounds).map((cpu) => cpu.sum) : rounds.map(each);
    const value = of === 'cpu' ? medianCost(rounds).sum : middle(values);
    return { value, range: spanOf(values), slack: 0, n };
  }
  if (rounds.length === 0) return { value: null, range: null, slack: 0, n };
  const latencies = evidence.latencies(transport);
  const ns = percentile(latencies, of as Share);
  if (ns === null) return { value: null, range: null, slack: 0, n };
  const ofRounds = rounds.flatMap(
    (round) => percentile(latenciesIn(evidence.data, round), of as Share) ?? [],
  );
  const range = ofRounds.length < rounds.length ? null : spanOf(ofRounds.map((each) => each / 1000));
  const widest = Math.max(ns, ...ofRounds);
  return { value: ns / 1000, range, slack: slotOf(widest, latencies.slot) / 1000, n };
}

type Ranged = Pick<Found, 'range' | 'slack' | 'n'>;

const OF_TRANSPORT = ['goodput', 'messages', 'cpu', 'p50', 'p99'];

/** How many verdicts the page may state: of each pair of runs with a range, for each figure. */
function verdictsOf(claim: Claim, evidence: Evidence): number {
  const runs = runsOf(evidence);
  const declared = runs.flatMap(({ data }) => itemsOf(data, 'figure').map(({ name }) => name));
  const names = [
    ...MEASURED.flatMap((one) => OF_TRANSPORT.map((of) => `${one}.${of}`)),
    ...new Set(declared),
  ];
  const pairs = names.map((name) => {
    const ranged = runs.filter((one) => figureOf(claim, one, name).range !== null).length;
    return (ranged * (ranged - 1)) / 2;
  });
  return Math.max(
    1,
    pairs.reduce((sum, each) => sum + each, 0),
  );
}

/** Their repetitions allow no verdict. */
const few = (claim: Claim, evidence: Evidence, a: Ranged, b: Ranged): boolean =>
  a.range === null || b.range === null || chanceApart(a.n, b.n) > 0.05 / verdictsOf(claim, evidence);

/** `give`: how much the ranges may be wider, or with a minus narrower, in slots of the recorders. */
const overlaps = (a: Ranged, b: Ranged, give: 1 | 0 | -1): boolean => {
  if (a.range === null || b.range === null) return false;
  const slack = give * (a.slack + b.slack);
  return a.range[0] <= b.range[1] + slack && b.range[0] <= a.range[1] + slack;
};

const numberIn = (text: string): string => /^−?[\d.,]+/.exec(text)?.[0] ?? text;

function change(claim: Claim, evidence: Evidence): void {
  const name = claim.data('figure');
  const [base, own] = [byId(claim, evidence, claim.data('base')), evidence].map((one) =>
    figureOf(claim, one, name),
  );
  if (claim.text === 'no clear difference')
    return claim.holds(overlaps(base!, own!, 1), RECORDS, 'ranges that do not overlap');
  if (base?.value === null || own?.value === null) return claim.equal('–', RECORDS);
  const expected = (own!.value / base!.value - 1) * 100;
  if (claim.text === 'same') return claim.holds(Math.abs(expected) < 1e-9, RECORDS, expected);
  const { sign, size = '', star } = claim.match(/^(?<sign>[+−])(?<size>[\d.,]+) %(?<star>\*?)$/);
  claim.equal(expected < 0 ? '−' : '+', RECORDS, sign);
  claim.equal(few(claim, evidence, base!, own!) ? '*' : '', 'the rounds in the stream', star);
  if (star === '') claim.holds(!overlaps(base!, own!, -1), RECORDS, 'ranges that overlap');
  // Two digits are printed; a percentile is as exact as the slots of both recorders.
  const slack = 100 * (base!.slack / base!.value + own!.slack / own!.value) * (own!.value / base!.value);
  const shown = Number(size.replaceAll(',', ''));
  const digits = shown >= 100 ? 3 : 2;
  const half = 0.5 * 10 ** (Math.floor(Math.log10(Math.max(shown, 1e-9))) + 1 - digits) * (1 + 1e-9);
  claim.holds(Math.abs(shown - Math.abs(expected)) <= half + slack, RECORDS, `${expected.toFixed(3)} %`);
}

/** The CPU that this machine has, as the kernel names it. */
const cpuName = (): string => cpus()[0]?.model.trim() ?? '';

function condition(claim: Claim, evidence: Evidence): void {
  const { data } = evidence;
  const row = claim.data('row');
  if (row.startsWith('param.')) {
    const value = data.run.parameters[row.slice('param.'.length)];
    if (typeof value !== 'number') {
      const letters = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
      return claim.equal(letters(JSON.stringify(value)), 'the parameters of the run', letters(claim.text));
    }
    const [amount = '', unit = ''] = claim.text.split(' ');
    return /^([KMG]i)?B$/.test(unit)
      ? claim.quantity(value, 'the parameters of the run')
      : claim.figure(value, 'the parameters of the run', amount);
  }
  const endpoint = itemsOf(data, 'endpoint')[0];
  const others: Readonly<Record<string, () => string>> = {
    host: () => `local (${hostname()})`,
    device: () => endpoint?.device ?? '',
    provider: () => 'user-space software',
    link: () =>
      linksOf(evidence)
        .map((link) => BADGES[link])
        .join(', '),
    cpu: () => `${cpuName()}, ${cpus().length} CPUs`,
    kernel: () => release(),
    verbslab: () => (JSON.parse(readFileSync(VERSION_FILE, 'utf8')) as { version: string }).version,
    lab: () => ({ bulk: 'RDMA and TCP on bulk transfers' })[data.run.lab] ?? data.run.title,
  };
  const found = others[row] ?? claim.fail('the conditions that the audit knows', 'none of that name', row);
  const shown = row === 'cpu' ? claim.text.trim() : claim.text;
  claim.equal(found(), 'this machine, the endpoints and what the devices counted', shown);
}

const UNITS = { goodput: 'Gb/s', cpu: 's/GB', p50: 'µs' } as const;
type Contest = keyof typeof UNITS;

/** What a verb or a noun of the answer is about. */
const contestOf = (words: string): Contest =>
  /latency/.test(words) ? 'p50' : /CPU/.test(words) ? 'cpu' : 'goodput';

/** The transport of a sentence, whatever run it is about. */
const transportIn = (claim: Claim, evidence: Evidence, name: string): Measured =>
  runsOf(evidence).flatMap((one) => transportNamed(one, name) ?? [])[0] ??
  claim.fail(COUNTERS_ROAD, 'another link', name);

/** Runs from the best to the last. */
function ranked(claim: Claim, evidence: Evidence, transport: Measured, which: Contest) {
  const sign = which === 'goodput' ? -1 : 1;
  return runsOf(evidence)
    .map((one, i) => ({ letter: LETTERS[i]!, ...figureOf(claim, one, `${transport}.${which}`) }))
    .filter(({ value }) => value !== null)
    .sort((a, b) => sign * (a.value! - b.value!));
}

/** `RDMA/UDP, RDMA/shm and TCP`. */
const listed = (text: string): string[] => text.split(/, | and /);

function answer(claim: Claim, evidence: Evidence): void {
  const detail =
    /^Over (?<name>\S+), (?:(?<first>[A-F]) (?<verb>moves more|moves most|spends less CPU time per GB|spends least CPU time per GB|has the lower median latency|has the lowest median latency): (?<value>\S+) (?<unit>\S+?)(?: against (?<other>\S+) \S+ of (?<second>[A-F]) \((?<changed>[A-F]) (?<percent>.+) against [A-F]\)|; (?<last>[A-F]) is last with (?<least>\S+) \S+)\.|there (?<what>is no clear difference|are too few rounds for a verdict) in (?<noun>goodput|CPU time per GB|median latency) between (?<even>[A-F, and]+): .+\.)$/.exec(
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
  // Of two percentiles in one slot either may be called the lower one.
  if (Math.abs(best.value! - worst.value!) > best.slack + worst.slack) {
    claim.equal(best.letter, RECORDS, first);
    claim.equal(worst.letter, RECORDS, second ?? last);
  }
  claim.equal(UNITS[which], 'what is compared', unit);
  claim.figure(named(first).value, RECORDS, value, named(first).slack);
  const behind = named(second ?? last);
  claim.figure(behind.value, RECORDS, other ?? least, behind.slack);
  claim.holds(!overlaps(order[0]!, order[1]!, -1), RECORDS, 'ranges that overlap');
}

/** What holds over several transports. */
function lead(claim: Claim, evidence: Evidence): void {
  const depends = /^Which run (?<verb>(?:moves|spends|has) .+) depends on the transport\.$/.exec(
    claim.text,
  )?.groups;
  const none =
    /^There is no clear difference in (?<noun>goodput|CPU time per GB|median latency) over (?<where>.+)\.$/.exec(
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

/** Rows of a table by run and transport. */
function eachRow(
  claim: Claim,
  evidence: Evidence,
  head: string,
  look: (about: Claim, run: Evidence, transport: Measured, cells: string[]) => void,
): void {
  const [names, ...rows] = claim.shown.rows!;
  claim.equal(head, 'what the audit knows of it', names!.join());
  for (const [letter = '', name = '', ...cells] of rows) {
    const run = byLetter(claim, evidence, letter);
    const transport = named(claim, run, name);
    look(claim.about({ row: `${letter} ${name}`, transport }), run, transport, cells);
  }
}

const cost = (evidence: Evidence, transport: Measured) => medianCost(evidence.rounds(transport));

export const COMPARE: Roads<Evidence> = {
  ...DISTANCES,
  ...COMPARED_SERIES,
  'compare-figure': (claim, evidence) => {
    const { value, slack } = figureOf(claim, evidence, claim.data('figure'));
    claim.figure(value, RECORDS, value === null ? claim.text : numberIn(claim.text), slack);
  },
  'compare-range': (claim, evidence) => {
    const { range, slack } = figureOf(claim, evidence, claim.data('figure'));
    const { from, to } = claim.match(/^(?<from>[\d.,]+)–(?<to>[\d.,]+)(?: \S+)?$/);
    claim.figure(range?.[0] ?? NaN, RECORDS, from, slack);
    claim.figure(range?.[1] ?? NaN, RECORDS, to, slack);
  },
  'compare-change': change,
  'compare-condition': condition,
  'compare-answer': answer,
  'compare-caveat': (claim, evidence) => {
    const {
      each = '',
      needed = '2',
      latency = '',
    } = claim.match(
      /^(?:(?<each>(?:[A-F][A-F, and]* measured \d+ rounds?(?: each)?(?:, )?)+)\. A verdict on so many figures needs (?<needed>\d+)\.)? ?(?:The median latency of (?<latency>[A-F, and]+) is over all rounds: its spread is not known, so there is no verdict on it\.)?$/,
    );
    const runs = runsOf(evidence);
    for (const [, who = '', n = ''] of each.matchAll(/([A-F](?:(?:, | and )[A-F])*) measured (\d+) rounds?/g))
      for (const letter of listed(who)) {
        const rounds = MEASURED.map((one) => byLetter(claim, evidence, letter).rounds(one).length);
        claim.count(Math.min(...rounds.filter((count) => count > 0)), 'the rounds in the stream', n);
        claim.holds(Number(n) < Number(needed), 'the rounds that are needed', n);
      }
    if (each !== '') {
      const level = 0.05 / verdictsOf(claim, evidence);
      const enough = Number(needed);
      claim.holds(
        chanceApart(enough, enough) <= level && chanceApart(enough - 1, enough - 1) > level,
        'the chance of a false verdict',
        needed,
      );
    }
    const lettersOf = (holds: (one: Evidence, transport: Measured) => boolean): string[] =>
      runs.flatMap((one, i) => (MEASURED.some((transport) => holds(one, transport)) ? [LETTERS[i]!] : []));
    const alone = lettersOf((one, transport) => one.rounds(transport).length === 1);
    const unknown = lettersOf((one, transport) => {
      if (ranked(claim, evidence, transport, 'p50').length < 2) return false;
      const { value, range } = figureOf(claim, one, `${transport}.p50`);
      return value !== null && range === null;
    }).filter((letter) => !alone.includes(letter));
    claim.equal(unknown.join(), RECORDS, latency === '' ? '' : listed(latency).join());
  },
  'compare-warning': (claim, evidence) => {
    const { n } = claim.match(/^(?<n>\d+) settings differ: .+$/);
    const all = runsOf(evidence).map(({ data }) => data.run.parameters);
    const names = new Set(all.flatMap((parameters) => Object.keys(parameters)));
    const different = [...names].filter(
      (name) => new Set(all.map((parameters) => JSON.stringify(parameters[name]))).size > 1,
    );
    claim.count(different.length, 'the parameters of the runs', n);
  },
  'compare-samples': (claim, evidence) => {
    const { n } = claim.match(/^n = (?<n>[\d,]+)$/);
    claim.count(evidence.latencies(claim.data('transport') as Measured).sorted.length, RECORDS, n);
  },
  'compare-latency-table': (claim, evidence) =>
    eachRow(
      claim,
      evidence,
      'Run,Transport,Counted,n,min, µs,p50, µs,p99, µs,p99.9, µs,max, µs',
      (about, run, transport, [, n, min, p50 = '', p99 = '', p999 = '', max]) => {
        const { sorted, road, slot } = run.latencies(transport);
        about.count(sorted.length, road, n);
        for (const [ns, shown] of [
          [sorted[0]!, min],
          [percentileOf(sorted, 1), max],
        ] as const)
          about.figure(ns / 1000, road, shown, slotOf(ns, slot) / 1000);
        stated(about, run, 'p50', p50);
        stated(about, run, 'p99', p99);
        stated(about, run, 'p999', p999);
      },
    ),
  'compare-cost-table': (claim, evidence) =>
    eachRow(
      claim,
      evidence,
      'Run,Transport,Application,NIC work,Kernel,Sum',
      (about, run, transport, cells) =>
        (['app', 'nic', 'kernel', 'sum'] as const).forEach((part, i) =>
          part === 'nic' && transport === 'tcp'
            ? about.equal('none', 'TCP has no device', cells[i])
            : about.figure(cost(run, transport)[part], RECORDS, cells[i]),
        ),
    ),
  'scatter-goodput': (claim, evidence) =>
    gbpsFigure(claim, figureOf(claim, evidence, `${claim.data('transport')}.goodput`).value, RECORDS),
  'scatter-cpu': (claim, evidence) =>
    claim.figure(figureOf(claim, evidence, `${claim.data('transport')}.cpu`).value, RECORDS),
  'scatter-table': (claim, evidence) => {
    const [head, ...rows] = claim.shown.rows!;
    claim.equal(
      'Run,Transport,Provider class,Goodput, Gb/s,CPU, s/GB,Pareto front',
      'what the audit knows of it',
      head!.join(),
    );
    const points = rows.map(([number, name = '', , gbps, spent, front]) => {
      const run =
        runsOf(evidence).find(({ data }) => String(data.run.number) === number) ??
        claim.fail('the runs of the page', 'none of that number', number);
      const transport = named(claim, run, name);
      const about = claim.about({ row: `${number} ${name}`, transport });
      const [x, y] = [
        figureOf(about, run, `${transport}.goodput`).value!,
        figureOf(about, run, `${transport}.cpu`).value!,
      ];
      gbpsFigure(about, x, RECORDS, gbps);
      about.figure(y, RECORDS, spent);
      return { about, x, y, front };
    });
    for (const { about, x, y, front } of points) {
      const beaten = points.some((other) => other.x >= x && other.y <= y && (other.x > x || other.y < y));
      about.equal(beaten ? 'no' : 'yes', 'the definition of the front', front);
    }
  },
  'compare-curve': (claim, evidence) => {
    const [curve, series] = claim.data('curve').split(' ');
    const [head = [], ...rows] = claim.shown.rows!;
    head.slice(1).forEach((title, column) => {
      const run = byLetter(claim, evidence, title[0]!);
      for (const row of rows) {
        const x = parseFigure(row[0]!)!;
        const ys = itemsOf(run.data, 'point').flatMap((point) =>
          point.curve === curve &&
          (point.series ?? 'only') === series &&
          Math.abs(point.x - x.value) <= x.half &&
          point.y !== null
            ? [point.y]
            : [],
        );
        const about = claim.about({ row: `${title} at ${row[0]}` });
        about.figure(ys.length === 0 ? null : middle(ys), 'the point events', row[column + 1]);
      }
    });
  },
};
