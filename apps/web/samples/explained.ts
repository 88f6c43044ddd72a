// Records the samples of the explanations on a real agent: `npm run explanation-samples [id...]`.
import { LABS } from '@verbslab/labs';
import { rowOf, type RunRecord } from '@verbslab/protocol';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAgent } from '../../agent/src/agent.js';
import { createLogger } from '../../agent/src/base/log.js';
import { AgentClient } from '../../agent/src/client/client.js';
import { spawnEndpoint } from '../../agent/src/endpoint/index.js';
import { EXPLANATIONS } from '../src/explanations/list';
import { SAMPLED, type SampleFile } from '../src/explanations/samples';
import { DERIVED } from './derived.js';
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

const wanted = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'verbslab-samples-'));
const agent = await startAgent({
  ...{ home, port: 0, labs: LABS, spawn: spawnEndpoint, logger: createLogger('warn') },
});
const follower = new Follower();
const { client } = await AgentClient.connect(agent.address, follower.events);
try {
  for (const { id, lab, params, fits } of EXPLANATIONS) {
    if (!SAMPLED.includes(id) || (wanted.length > 0 && !wanted.includes(id))) continue;
    const model = await follower.run(client, lab, params);
    const { record } = model;
    if (!fits(rowOf(record))) throw new Error(`${id}: the run of ${lab} does not fit`);
    const sample: SampleFile = { run: portable(record), derived: DERIVED[id]?.(model) ?? null };
    const text = `${JSON.stringify(sample)}\n`;
    writeFileSync(new URL(`${id}/sample.json`, FOLDER), text);
    console.log(id, text.length, 'bytes');
  }
} finally {
  await client.close();
  await agent.close();
  rmSync(home, { recursive: true, force: true });
}
