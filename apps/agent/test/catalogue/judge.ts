/** What every run of a lab of the catalogue must be: whole, with its checks passed and the times of its packets. */
import { quantityText, resultViews, TOO_BUSY } from '@verbslab/labs';
import type { LabDescription, RunResult } from '@verbslab/protocol';
import { expect } from 'vitest';
import { table } from '../../src/cli/terminal.js';
import { expectTimesOfPackets } from '../helpers/request-times.js';
import type { Ran } from './run-lab.js';

/** For people who read the log of the test. */
export function told(title: string, lab: LabDescription, { checks, results, transports }: RunResult): string {
  const { figures } = resultViews(results, lab);
  return `${title}\n${table([
    ...checks.map(({ id, ok, applies, detail }) => [
      applies === false ? '  –' : ok ? '  ✓' : '  ✗',
      id,
      detail,
    ]),
    ...figures.map(({ label, shown }) => ['  =', label, `${shown.value} ${shown.unit}`.trim()]),
    ...Object.entries(transports).map(([transport, { goodputGbps }]) => [
      '  =',
      transport,
      quantityText(goodputGbps, { unit: 'Gb/s' }),
    ]),
  ])}`;
}

/** `may`: predictions whose outcome may be missing. `empty`: tables that have no row. */
export function expectWhole(
  lab: LabDescription,
  { checks, error, problems, results, state }: RunResult,
  may: readonly string[],
  empty: readonly string[] = [],
): void {
  expect(error).toBeUndefined();
  expect(state).toBe('done');
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(checks.map(({ id }) => id).sort()).toEqual(lab.checks.map(({ id }) => id).sort());
  // What it causes on purpose is no problem of a run; what it does not declare would be one.
  expect(problems).toBe(0);
  const names = (of: readonly { name: string }[] = []): string[] => of.map(({ name }) => name).sort();
  const filled = (of: object = {}): string[] => Object.keys(of).sort();
  expect(filled(results?.figures)).toEqual(names(lab.results?.figures));
  expect(filled(results?.tables)).toEqual(names(lab.results?.tables).filter((name) => !empty.includes(name)));
  expect(filled(results?.curves)).toEqual(names(lab.results?.curves));
  const { predictions } = resultViews(results, lab);
  expect(predictions.filter(({ id, measured }) => measured === null && !may.includes(id))).toEqual([]);
}

/** Ids of the checks that could say nothing of this device or these parameters. What load decided is no matter of either. */
export const skippedOf = ({ checks }: RunResult): string[] =>
  checks
    .filter(({ applies, detail }) => applies === false && !detail.startsWith(TOO_BUSY))
    .map(({ id }) => id);

/** Its work requests have the times of their packets. */
export function expectTimes(lab: LabDescription, { events, packets }: Ran): void {
  const recorded = events.filter(({ kind }) => kind === 'wr');
  const endpoints = new Set(events.flatMap(({ endpoint }) => (endpoint === undefined ? [] : [endpoint])));
  let checked = 0;
  for (const endpoint of endpoints) {
    const own = events.filter((event) => event.endpoint === endpoint);
    checked += expectTimesOfPackets(own, packets.get(endpoint) ?? []);
  }
  expect(checked).toBe(recorded.length);
  if (lab.wants.includes('stamps')) expect(checked).toBeGreaterThan(0);
}
