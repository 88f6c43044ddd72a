// Records the samples of the picture on a real agent and writes them to apps/web: `npm run picture-samples [name...]`.
import type { RunModel } from '../src/model/run-model';
import { bookOf } from '../src/model/machine/book';
import { knownConnections } from '../src/model/known-connections';
import { runPackets } from '../src/model/packet-rows';
import { recordingOf } from '../src/model/picture/recording-of';
import type { Recording } from '../src/model/picture/recording';
import { pathsOf } from '../src/model/paths/paths-of';
import type { PathsSample } from '../src/model/paths/sample';
import { defineLab, findLab, type Lab } from '@verbslab/labs';
import type { Analysis } from '@verbslab/roce';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startAgent } from '../../agent/src/agent.js';
import { AgentClient } from '../../agent/src/client/client.js';
import { createLogger } from '../../agent/src/base/log.js';
import { spawnEndpoint } from '../../agent/src/endpoint/index.js';
import { Follower } from './follower.js';
import { record, SAMPLE_FILES, type SampleFile } from './procedures.js';

const FOLDER = new URL('../src/model/picture/samples/', import.meta.url);
/** The sample of the paths, from a run of the lab that measures them. */
const PATHS = {
  name: 'paths',
  lab: 'bulk',
  file: new URL('../src/model/paths/sample.json', import.meta.url),
};

/** Time that a program which kept its core is worth, ns: on few cores, the other end may take it within the call. */
const PREEMPTED_NS = 500_000;
/** Runs of the sample with one connection. */
const CONNECTIONS = 6;

const lab = defineLab({
  ...{ id: 'picture-samples', title: 'Samples of the picture', question: 'What does the picture replay?' },
  ...{ summary: 'Records one sample.', track: 'foundations', minutes: 1, watch: [], checks: [] },
  ...{
    short: 'Samples',
    why: 'For the picture.',
    buildsOn: [],
    picture: { sample: 'write', focus: ['wire'] },
  },
  params: z.object({ sample: z.string() }),
  roles: [
    { name: 'client', title: 'Client' },
    { name: 'server', title: 'Server' },
  ],
  run: record,
}) as Lab;

/** Time from the first post to the last packet or completion: polls come when the script asks for them. */
function spanOf({ events }: Recording): number {
  const times = events.flatMap((e) =>
    e.kind === 'packet' ? [e.from, e.to] : e.kind === 'cqe' || e.kind === 'posted' ? [e.t] : [],
  );
  return Math.max(...times) - Math.min(...times);
}

/** Recordings of all queue pairs that the sample made, which are all but the first one. */
function recordingsOf(model: RunModel, analysis: Analysis | null, name: SampleFile): Recording[] {
  if (name === 'connect') return [recordingOf(model, analysis, 'connect')].flatMap((one) => one ?? []);
  const book = bookOf(model);
  const qps = book.objects.filter(({ kind, endpoint }) => kind === 'QP' && endpoint === 'client').slice(1);
  return qps.flatMap((qp) => recordingOf(model, analysis, book.workOf(qp, 'SQ')) ?? []);
}

/** True if the call that posted had returned when the first answer left: the program was free meanwhile. */
function wasFree({ events, poster }: Recording): boolean {
  const post = events.find((e) => e.kind === 'call' && e.side === poster && e.call === 'ibv_post_send');
  const answer = events.find((e) => e.kind === 'packet' && e.side !== poster);
  const last = events.findLast((e) => e.kind === 'packet');
  const by = answer?.kind === 'packet' ? answer.from : last?.kind === 'packet' ? last.to : 0;
  return post?.kind === 'call' && post.end !== null && post.end <= by;
}

/** The fastest one, of those whose program was free if any of them is nearly as fast. */
const fastest = (all: readonly Recording[]): Recording | undefined => {
  const weight = (one: Recording): number => spanOf(one) + (wasFree(one) ? 0 : PREEMPTED_NS);
  return all.toSorted((a, b) => weight(a) - weight(b))[0];
};

const wanted = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'verbslab-samples-'));
const agent = await startAgent({
  ...{ home, port: 0, labs: [lab, findLab(PATHS.lab)], spawn: spawnEndpoint, logger: createLogger('warn') },
});
const follower = new Follower();
const { client } = await AgentClient.connect(agent.address, follower.events);
try {
  for (const name of SAMPLE_FILES.filter((one) => wanted.length === 0 || wanted.includes(one))) {
    const all: Recording[] = [];
    // A run makes its requests several times, but one connection.
    for (let i = 0; i < (name === 'connect' ? CONNECTIONS : 1); i++) {
      const model = await follower.run(client, 'picture-samples', { sample: name });
      const analysis = runPackets(model.packets).analysis(() => knownConnections(model));
      all.push(...recordingsOf(model, analysis, name));
    }
    const recording = fastest(all);
    if (!recording) throw new Error(`${name}: nothing was recorded`);
    writeFileSync(new URL(`${name}.json`, FOLDER), `${JSON.stringify(recording)}\n`);
    console.log(name, recording.events.length, 'events');
  }
  if (wanted.length === 0 || wanted.includes(PATHS.name)) {
    const model = await follower.run(client, PATHS.lab, {});
    const shown = pathsOf(model);
    if (!shown) throw new Error(`${PATHS.name}: nothing was measured`);
    const { createdAt } = model.record;
    const cpus = [...model.endpoints.values()][0]?.cpus ?? null;
    const paths: PathsSample = { at: new Date(createdAt).toISOString(), cpus, shown };
    writeFileSync(PATHS.file, `${JSON.stringify(paths)}\n`);
    console.log(PATHS.name, shown.paths.length, 'paths');
  }
} finally {
  await client.close();
  await agent.close();
  rmSync(home, { recursive: true, force: true });
}
