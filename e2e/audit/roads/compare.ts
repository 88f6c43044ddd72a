// A page that compares runs: each figure against the raw records of its run, each difference against those of both.
import { readFileSync } from 'node:fs';
import { cpus, hostname, release } from 'node:os';
import { join } from 'node:path';
import type { Claim, Roads } from '../claim.js';
import { MEASURED, type Evidence, type Measured } from '../evidence.js';
import { itemsOf } from '../export.js';
import { middle, parseFigure, percentileOf } from '../figures.js';
import { BADGES, linksOf } from '../links.js';
import { medianCost } from '../loops.js';
import { named, slotOf, stated } from './figures.js';
import { gbpsFigure } from './gbps.js';
import { chanceApart } from './sentences.js';
import { answer, listed, ranked } from './compare-answer.js';
import {
  byId,
  byLetter,
  few,
  figureOf,
  LETTERS,
  overlaps,
  RECORDS,
  runsOf,
  verdictsOf,
} from './compared-runs.js';
import { DISTANCES } from './compare-distance.js';
import { COMPARED_SERIES } from './compare-series.js';

const VERSION_FILE = join(import.meta.dirname, '../../../apps/agent/package.json');

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
  // Two digits are printed. A percentile is as exact as the slots of both recorders.
  const slack = 100 * (base!.slack / base!.value + own!.slack / own!.value) * (own!.value / base!.value);
  const shown = Number(size.replaceAll(',', ''));
  const digits = shown >= 100 ? 3 : 2;
  const half = 0.5 * 10 ** (Math.floor(Math.log10(Math.max(shown, 1e-9))) + 1 - digits) * (1 + 1e-9);
  claim.holds(Math.abs(shown - Math.abs(expected)) <= half + slack, RECORDS, `${expected.toFixed(3)} %`);
}

/** Name of this machine's CPU in the kernel. */
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
