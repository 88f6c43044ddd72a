/** Every lab of the catalogue, on both links of the embedded device. Prints what it found. */
import { LABS, quantityText, resultViews } from '@verbslab/labs';
import type { LabDescription, RunResult } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../src/agent.js';
import { table } from '../src/cli/terminal.js';
import { spawnEndpoint } from '../src/endpoint/index.js';
import { createLogger } from '../src/log.js';
import { newHome, Recorder } from './helpers/agent.js';

process.env.UROCE_ADDR = '127.0.0.92';

/** Longest run of one lab with its quick variation. */
const LAB_MS = 60_000;

async function runOn(link: string, lab: LabDescription): Promise<RunResult> {
  const agent = await startAgent({
    home: newHome(),
    port: 0,
    labs: LABS,
    spawn: (options) => spawnEndpoint({ ...options, env: { UROCE_LINK: link } }),
    logger: createLogger('silent'),
  });
  onTestFinished(() => agent.close());
  const recorder = await Recorder.connect(agent);
  const quick = lab.variations?.some(({ name }) => name === 'quick');
  const { run } = await recorder.client.request('run.start', {
    lab: lab.id,
    params: {},
    mode: 'all',
    ...(quick ? { variation: 'quick' } : {}),
  });
  await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  await recorder.untilMessage('run.complete');
  return (await recorder.client.request('run.get', { runId: run.id })).run.result!;
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

describe.each(['udp', 'auto'])('the catalogue on the link %s', (link) => {
  it.each(LABS.map(({ description }) => [description.id, description] as const))(
    '%s: holds, and fills in what it declares',
    async (_, lab) => {
      const result = await runOn(link, lab);
      console.info(told(link, lab, result));
      expect(result.error).toBeUndefined();
      expect(result.state).toBe('done');
      expect(result.checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(result.checks.map(({ id }) => id).sort()).toEqual(lab.checks.map(({ id }) => id).sort());
      // What it causes on purpose is no problem of a run; what it does not declare would be one.
      if (lab.intends !== undefined) expect(result.problems).toBe(0);
      const names = (of: readonly { name: string }[] = []): string[] => of.map(({ name }) => name).sort();
      const filled = (of: object = {}): string[] => Object.keys(of).sort();
      expect(filled(result.results?.figures)).toEqual(names(lab.results?.figures));
      expect(filled(result.results?.tables)).toEqual(names(lab.results?.tables));
      expect(filled(result.results?.curves)).toEqual(names(lab.results?.curves));
      const { predictions } = resultViews(result.results, lab);
      expect(predictions.filter(({ measured }) => measured === null)).toEqual([]);
    },
    LAB_MS,
  );
});
