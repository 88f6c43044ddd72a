// Records the samples of the explanations on a real agent: `npm run explanation-samples [id...]`.
import { defineLab, LABS, type Lab } from '@verbslab/labs';
import { noResults, rowOf, type RunRecord } from '@verbslab/protocol';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { REM_ACCESS_ERR, REM_INV_REQ_ERR } from '../../../packages/labs/src/endpoints/wc-statuses.js';
import { startAgent } from '../../agent/src/agent.js';
import { createLogger } from '../../agent/src/base/log.js';
import { AgentClient } from '../../agent/src/client/client.js';
import { spawnEndpoint } from '../../agent/src/endpoint/index.js';
import { EXPLANATIONS } from '../src/explanations/list';
import { SAMPLED, type SampleFile } from '../src/explanations/samples';
import { recordBounds } from './bounds.js';
import { DERIVED, type Found } from './derived.js';
import { Follower } from './follower.js';

const FOLDER = new URL('../src/explanations/', import.meta.url);

/** The record without the machine that made it, and without the paths there. */
function portable({ clock, result, ...run }: RunRecord): RunRecord {
  if (!result || clock) throw new Error(`no result of a lab: ${run.lab}`);
  const endpoints = (result.endpoints ?? []).map(({ role, host, device, providerClass }) => ({
    ...{ role, host, device, providerClass },
  }));
  return { ...run, result: { ...result, endpoints, captureFile: null } };
}

/** Labs that only record: they have no page. */
const RECORDERS = [
  defineLab({
    ...{ id: 'bounds-samples', title: 'Bounds', question: 'What does a device answer?', short: 'Bounds' },
    ...{ summary: 'Records answers.', track: 'foundations', minutes: 1, watch: [], checks: [] },
    ...{ why: 'For an explanation.', buildsOn: [], picture: { sample: 'write', focus: ['wire'] } },
    params: z.object({}),
    roles: [
      { name: 'client', title: 'Client' },
      { name: 'server', title: 'Server' },
    ],
    results: {
      tables: [
        {
          name: 'answers',
          label: 'Answers',
          columns: [
            ...['op', 'from', 'length', 'key', 'region', 'qp', 'status', 'nak', 'event', 'client', 'server'],
          ].map((name) => ({ name, label: name })),
        },
      ],
    },
    // Refusals are what it records.
    intends: [
      { role: 'client', statuses: [REM_INV_REQ_ERR, REM_ACCESS_ERR] },
      { role: 'server', events: ['QP_ACCESS_ERR', 'QP_REQ_ERR'] },
    ],
    run: recordBounds,
  }) as Lab,
];

const wanted = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'verbslab-samples-'));
const agent = await startAgent({
  ...{ home, port: 0, labs: [...LABS, ...RECORDERS], spawn: spawnEndpoint, logger: createLogger('warn') },
});
const follower = new Follower();
const { client } = await AgentClient.connect(agent.address, follower.events);
const found: Found = async (lab) =>
  (await follower.run(client, lab, {})).record.result?.results ?? noResults();
try {
  for (const { id, lab, params, fits } of EXPLANATIONS) {
    if (!SAMPLED.includes(id) || (wanted.length > 0 && !wanted.includes(id))) continue;
    const model = await follower.run(client, lab, params);
    const { record } = model;
    if (!fits(rowOf(record))) throw new Error(`${id}: the run of ${lab} does not fit`);
    const sample: SampleFile = {
      run: portable(record),
      derived: (await DERIVED[id]?.(model, found)) ?? null,
    };
    const text = `${JSON.stringify(sample)}\n`;
    writeFileSync(new URL(`${id}/sample.json`, FOLDER), text);
    console.log(id, text.length, 'bytes');
  }
} finally {
  await client.close();
  await agent.close();
  rmSync(home, { recursive: true, force: true });
}
