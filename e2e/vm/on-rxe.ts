/** Every lab of the catalog between the two kernel devices, as far as rxe supports it. */
import { LABS, TOO_BUSY } from '@verbslab/labs';
import { CAPABILITY_TEXT, neededBy, type LabDescription, type RunResult } from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AgentClient, ClientEvents } from '../../apps/agent/src/client/client.js';
import { connectTo, hostAgent, type Ends } from './host-agent.js';
import { INSTRUMENTED } from './instruments.js';
import { EVERY_CHANGE, RXE_LABS, type OnRxe } from './rxe-labs.js';

/** Longest run of one lab on emulated processors. */
const LAB_MS = 300_000;
const all = process.env['VERBSLAB_RXE_LABS'] === 'all';

/** True for labs about faults. A kernel device has no fault injector, so it refuses them. */
const needsFaults = ({ needs }: LabDescription): boolean => needs.includes('faults');
const catalog = LABS.map(({ description }) => [description.id, description] as const);
const labs = catalog.filter(([, lab]) => !needsFaults(lab) && !lab.simulated);

const runs = labs.flatMap(([id, lab]) => {
  const entry = RXE_LABS[id];
  if (!entry || 'instrumented' in entry) return [];
  return all || EVERY_CHANGE.includes(id) ? [[id, lab, entry] as const] : [];
});

/** Places of the roles: the side that answers is in one machine, and all others are in the other machine. */
function places({ roles }: LabDescription, { server, client }: Ends): Record<string, string> {
  const answers = (role: string): boolean => role === 'server' || role === 'receiver';
  return Object.fromEntries(
    roles.map(({ name }) => [name, `${(answers(name) ? server : client).vm.name}/rxe0`]),
  );
}

/** Checks with an outcome other than in the table, with the run's own words. */
function surprises(
  checks: RunResult['checks'],
  { without = {}, sometimesWithout = {}, differs = {} }: OnRxe,
): string[] {
  return checks.flatMap(({ id, ok, applies = true, detail }) => {
    if (!applies && detail.startsWith(TOO_BUSY)) return [];
    const why = without[id] ?? (applies ? undefined : sometimesWithout[id]);
    const asTold = why === undefined ? applies && ok === !(id in differs) : !applies && detail.includes(why);
    return asTold ? [] : [`${id} ${applies ? (ok ? 'holds' : 'fails') : 'does not apply'}: ${detail}`];
  });
}

/** Labs, and choices of other labs, that need features that rxe lacks: fault injection and shared memory. */
const refusedChoices = labs.flatMap(([id, lab]) =>
  Object.entries(lab.params.properties as Record<string, { enum?: string[] }>).flatMap(
    ([name, { enum: of }]) =>
      (of ?? []).flatMap((value) => {
        const params = { [name]: value };
        const [needed] = neededBy({ ...lab, needs: [] }, params);
        return needed ? [[id, params, lab, needed] as const] : [];
      }),
  ),
);
const refused = [
  ...refusedChoices,
  ...catalog.flatMap(([id, lab]) => (needsFaults(lab) ? [[id, {}, lab, 'faults'] as const] : [])),
];

export function onRxe(ends: () => Ends): void {
  const agent = hostAgent(ends);

  const connect = async (events: ClientEvents = {}): Promise<AgentClient> => {
    const client = await connectTo(agent(), events);
    onTestFinished(() => client.close());
    return client;
  };

  async function run(lab: LabDescription, params: OnRxe['params'] = {}): Promise<RunResult> {
    let ended = (): void => undefined;
    let gone = (_: string): void => undefined;
    const complete = new Promise<void>((resolve, reject) => {
      ended = resolve;
      gone = (detail) => reject(new Error(detail));
    });
    complete.catch(() => undefined); // awaited once the run has started
    const client = await connect({
      onMessage: ({ type }) => type === 'run.complete' && ended(),
      onClose: gone,
    });
    const endpoints = places(lab, ends());
    const { run: started } = await client.request('run.start', {
      lab: lab.id,
      params,
      endpoints,
      mode: 'all',
    });
    await client.request('run.subscribe', { runId: started.id, fromSeq: 1 });
    await complete;
    return (await client.request('run.get', { runId: started.id })).run.result!;
  }

  it('knows every lab of the catalog', () => {
    expect(Object.keys(RXE_LABS).sort()).toEqual(labs.map(([id]) => id).sort());
    const elsewhere = Object.entries(RXE_LABS).flatMap(([id, entry]) =>
      'instrumented' in entry ? [id] : [],
    );
    expect(elsewhere.sort()).toEqual([...INSTRUMENTED].sort());
    expect(Object.keys(RXE_LABS)).toEqual(expect.arrayContaining([...EVERY_CHANGE]));
  });

  it.each(refused)('%s with %j is refused before anything starts', async (_, params, lab, needed) => {
    const client = await connect();
    await expect(
      client.request('run.start', { lab: lab.id, params, endpoints: places(lab, ends()), mode: 'all' }),
    ).rejects.toMatchObject({
      code: 'MISSING_CAPABILITY',
      message: expect.stringMatching(`${CAPABILITY_TEXT[needed]}.*rxe0`) as string,
    });
  });

  describe('between two machines', () => {
    it.each(runs)('%s', { timeout: LAB_MS }, async (_, lab, entry) => {
      const { checks, error, state } = await run(lab, entry.params);
      expect(error).toBeUndefined();
      expect(state).toBe('done');
      const ids = checks.map(({ id }) => id);
      expect(ids.sort()).toEqual(lab.checks.map(({ id }) => id).sort());
      const { without = {}, sometimesWithout = {}, differs = {} } = entry;
      expect(ids).toEqual(
        expect.arrayContaining(Object.keys({ ...without, ...sometimesWithout, ...differs })),
      );
      // A single text, so that a failure shows the run's findings.
      expect(surprises(checks, entry).join('\n')).toBe('');
    });
  });
}
