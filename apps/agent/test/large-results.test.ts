/** Runs with large results, which only bundles from elsewhere have. */
import { readFileSync } from 'node:fs';
import type { LabResults, RunRecord } from '@verbslab/protocol';
import { expect, it } from 'vitest';
import { openHome } from '../src/config/home.js';
import { RunStore } from '../src/store/store.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { writeRun } from './helpers/bundles.js';
import { verbslab } from './helpers/cli.js';

function withResults(home: string, run: RunRecord, results: Partial<LabResults>): void {
  const store = RunStore.open(openHome(home));
  const { result } = store.get(run.id)!;
  const all = { figures: {}, tables: {}, curves: {}, predicted: {}, outcomes: {}, ...results };
  store.save({ ...store.get(run.id)!, result: { ...result!, captureFile: null, results: all } });
  store.close();
}

/** Some MiB of it. */
const rows = (mebibytes: number) =>
  Array.from({ length: mebibytes * 1024 }, () => ({ cell: 'x'.repeat(1_010) }));

it('come in pages of some mebibytes, and no run is lost between them', async () => {
  const home = newHome();
  for (let n = 0; n < 6; n++) withResults(home, writeRun(home), { tables: { t: rows(3) } });
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const numbers: number[] = [];
  let before: number | undefined;
  for (let more = true; more;) {
    const page = await recorder.client.request('run.list', before === undefined ? {} : { before });
    expect(page.runs.length).toBeGreaterThan(0);
    expect(JSON.stringify(page).length).toBeLessThan(9 * 1024 * 1024);
    expect(page.total).toBe(6);
    numbers.push(...page.runs.map(({ number }) => number));
    before = numbers.at(-1);
    more = page.more;
  }
  expect(numbers).toEqual([6, 5, 4, 3, 2, 1]);
});

it('are not in the rows of a list, nor in what a page is told first', async () => {
  const home = newHome();
  const big = writeRun(home);
  withResults(home, big, { figures: { first: { value: 12 } }, tables: { t: rows(3) } });
  const { agent } = await testAgent({ home });
  const recorder = await Recorder.connect(agent);
  const page = await recorder.client.request('run.rows', {});
  expect(JSON.stringify(page).length).toBeLessThan(10_000);
  expect([page.total, page.more]).toEqual([1, false]);
  expect(page.runs[0]!.result).toMatchObject({
    results: { figures: { first: { value: 12 } } },
    filled: ['t'],
  });
  const { run } = await recorder.client.request('run.get', { runId: big.id });
  expect(run.result!.results!.tables.t).toHaveLength(3 * 1024);
});

it('are refused in a bundle when the record alone has more than 4 MiB', async () => {
  const home = newHome();
  withResults(home, writeRun(home), { tables: { t: rows(5) } });
  await testAgent({ home });
  const file = `${home}/big.vlrun`;
  expect((await verbslab(home, ['runs', 'export', '1', '--format', 'bundle', '--out', file])).code).toBe(0);
  expect(readFileSync(file).length).toBeGreaterThan(4 * 1024 * 1024);
  const { code, err } = await verbslab(home, ['runs', 'import', file]);
  expect(code).not.toBe(0);
  expect(err).toMatch(/the record of its run has [56] MiB, and 4 MiB are the most/);
});

it('may have any names: those of an object’s own members, too', async () => {
  const home = newHome();
  const run = writeRun(home);
  const store = RunStore.open(openHome(home));
  const names = ['__proto__', 'constructor', 'toString'];
  const first = store.get(run.id)!.lastSeq + 1;
  const events = names.flatMap((name) => [
    { kind: 'row', table: name, cells: { n: 1 } },
    { kind: 'point', curve: name, x: 1, y: 2 },
    { kind: 'figure', name, value: 3 },
  ]);
  store.flush(run.number, {
    firstSeq: first,
    items: events.map((event, index) => ({
      frame: false,
      bytes: Buffer.from(JSON.stringify({ seq: first + index, t: 9e6, ...event })),
    })),
    lastT: 9e6,
    recordedBytes: 0,
    droppedRecords: 0,
    capture: null,
  });
  store.close();
  const { agent } = await testAgent({ home });
  for (const format of ['html', 'md']) {
    const answer = await fetch(`${agent.url}/api/runs/${run.id}/export/${format}`, {
      headers: { authorization: `Bearer ${agent.token}` },
    });
    expect([format, answer.status]).toEqual([format, 200]);
    await answer.text();
  }
});
