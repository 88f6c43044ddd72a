/**
 * Every lab of the catalogue, on both links of the embedded device: its checks hold, it fills in what it declares, finds
 * what it must (the facts in `catalogue/`), and its work requests have the times of their packets. Prints what it found.
 */
import { LABS, quantityText, resultViews } from '@verbslab/labs';
import {
  decodeHeader,
  decodePackets,
  type LabDescription,
  type RunEvent,
  type RunResult,
} from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../src/agent.js';
import { table } from '../src/cli/terminal.js';
import { spawnEndpoint } from '../src/endpoint/index.js';
import { createLogger } from '../src/log.js';
import { foundIn } from './catalogue/found.js';
import { FACTS } from './catalogue/index.js';
import { newHome, Recorder } from './helpers/agent.js';
import { ownAddress } from './helpers/own-address.js';
import { expectTimesOfPackets } from './helpers/request-times.js';

ownAddress('127.0.0.92');

/** Longest run of one lab with the parameters of its facts. */
const LAB_MS = 60_000;

interface Ran {
  result: RunResult;
  events: readonly RunEvent[];
  /** Packets by the endpoint that tapped them. */
  packets: Map<string, ReturnType<typeof decodePackets>>;
}

async function runOn(link: string, { id }: LabDescription): Promise<Ran> {
  const packets: Ran['packets'] = new Map();
  const agent = await startAgent({
    home: newHome(),
    port: 0,
    labs: LABS,
    spawn: (options) =>
      spawnEndpoint({
        ...options,
        env: { UROCE_LINK: link },
        onFrame: (frame) => {
          const { kind } = decodeHeader(frame);
          if (kind === 'packets')
            packets.set(options.name, [...(packets.get(options.name) ?? []), ...decodePackets(frame)]);
          options.onFrame(frame);
        },
      }),
    logger: createLogger('silent'),
  });
  onTestFinished(() => agent.close());
  const recorder = await Recorder.connect(agent);
  const { run } = await recorder.client.request('run.start', {
    lab: id,
    params: FACTS[id]?.params ?? {},
    mode: 'all',
  });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  const { run: record } = await recorder.client.request('run.get', { runId: run.id });
  return { result: record.result!, events: recorder.events, packets };
}

/** For people who read the log of the test. */
function told(link: string, lab: LabDescription, { checks, results, transports }: RunResult): string {
  const { figures } = resultViews(results, lab);
  return `${lab.id} (${link})\n${table([
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

function expectWhole(
  lab: LabDescription,
  { checks, error, problems, results, state }: RunResult,
  may: readonly string[],
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
  expect(filled(results?.tables)).toEqual(names(lab.results?.tables));
  expect(filled(results?.curves)).toEqual(names(lab.results?.curves));
  const { predictions } = resultViews(results, lab);
  expect(predictions.filter(({ id, measured }) => measured === null && !may.includes(id))).toEqual([]);
}

function expectTimes(lab: LabDescription, { events, packets }: Ran): void {
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

it('states facts of every lab', () => {
  expect(Object.keys(FACTS).sort()).toEqual(LABS.map(({ description }) => description.id).sort());
});

describe.each(['udp', 'auto'] as const)('the catalogue on the link %s', (link) => {
  it.each(LABS.map(({ description }) => [description.id, description] as const))(
    '%s: holds, and finds what it must',
    async (id, lab) => {
      const ran = await runOn(link, lab);
      const { result, events } = ran;
      console.info(told(link, lab, result));
      const { without, may = [], holds } = FACTS[id]!;
      expectWhole(lab, result, may);
      const skipped = result.checks.filter((check) => check.applies === false && !may.includes(check.id));
      expect(skipped.map((check) => check.id).sort()).toEqual([...(without?.(link) ?? [])].sort());
      holds(foundIn(link, result, events));
      expectTimes(lab, ran);
    },
    LAB_MS,
  );
});
