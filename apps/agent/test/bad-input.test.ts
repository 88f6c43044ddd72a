/**
 * Each lab of the catalog with parameters outside of their range, on a device that lacks something, and when an
 * endpoint vanishes.
 */
import { LABS, type Lab } from '@verbslab/labs';
import {
  CAPABILITY_TEXT,
  decodeHeader,
  endpointNames,
  neededBy,
  parseQuantity,
  type LabContext,
  type ParamValues,
} from '@verbslab/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../src/agent.js';
import { DeviceList } from '../src/devices/list.js';
import { spawnEndpoint } from '../src/endpoint/index.js';
import { createLogger } from '../src/base/log.js';
import type { HostedEndpoint } from '../src/endpoint/hosted-endpoint.js';
import { alive } from './endpoint-harness.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { device } from './helpers/device.js';
import { ownAddress } from './helpers/own-address.js';

ownAddress('127.0.0.95');

interface Property {
  type: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  unit?: string;
}

const byId = LABS.map((lab) => [lab.description.id, lab] as const);
const propertiesOf = ({ description }: Lab) =>
  Object.entries(description.params.properties as object) as [string, Property][];

/** The bounds that a sentence names: “Give a whole number from 64 B to 1 GiB; …”. */
function rangeIn(sentence: string, unit: string | undefined): (number | null)[] {
  const [, from = '', to = ''] = /from (.+) to (.+?); the default/.exec(sentence) ?? [];
  const plain = [from, to].map((text) => text.replaceAll(',', ''));
  return plain.map((text) => (unit === 'B' ? parseQuantity(text, unit) : parseFloat(text)));
}

describe('a parameter outside of its range', () => {
  it.each(byId)('%s: is refused with the range, and nothing runs', async (id, lab) => {
    const { agent, opened } = await testAgent({ labs: LABS });
    const { client } = await Recorder.connect(agent);
    const refused = (params: Record<string, number | string>) =>
      client.request('run.start', { lab: id, params, mode: 'all' }).then(
        () => expect.fail(`${id} took ${JSON.stringify(params)}`),
        (error: unknown) => error,
      );
    for (const [name, { type, minimum, maximum, unit, enum: choices }] of propertiesOf(lab)) {
      if (type === 'integer' || type === 'number') {
        for (const value of [minimum! - 1, maximum! + 1]) {
          const error = await refused({ [name]: value });
          expect(error).toMatchObject({
            code: 'BAD_PARAM',
            message: expect.stringContaining(`“${name}”`) as string,
          });
          expect(rangeIn((error as { info: { cure: string } }).info.cure, unit), name).toEqual([
            minimum,
            maximum,
          ]);
        }
      } else if (choices) {
        expect(await refused({ [name]: 'nonsense' })).toMatchObject({
          code: 'BAD_PARAM',
          info: { cure: expect.stringContaining(`Choose one of: ${choices.join(', ')}`) as string },
        });
      }
    }
    expect(agent.manager.list({ limit: 1 }).total).toBe(0);
    expect(opened).toEqual([]);
  });
});

/** Parameters with which a lab needs something of its devices: the presets, and each choice. */
const demanding = byId.flatMap(([id, lab]) => {
  const choices = propertiesOf(lab).flatMap(([name, { enum: values = [] }]) =>
    values.map((value) => ({ [name]: value })),
  );
  const needs = (params: object) => neededBy(lab.description, { ...(lab.parse({}) as object), ...params });
  return [{}, ...choices].flatMap((params) =>
    needs(params).length > 0 ? [[id, params, needs(params)] as const] : [],
  );
});

describe('a device that lacks something', () => {
  it.each(demanding)('%s with %j: is refused before the run, and %j is named', async (lab, params, needs) => {
    const bare = { ...device, capabilities: [] };
    const devices = new DeviceList(() => Promise.resolve({ devices: [bare], problems: [] }));
    const { agent, opened } = await testAgent({ labs: LABS, devices });
    const { client } = await Recorder.connect(agent);
    await expect(client.request('run.start', { lab, params, mode: 'all' })).rejects.toMatchObject({
      code: 'MISSING_CAPABILITY',
      message: `The lab “${lab}” needs ${needs.map((one) => CAPABILITY_TEXT[one]).join(' and ')}, which test0 does not offer.`,
    });
    expect(agent.manager.list({ limit: 1 }).total).toBe(0);
    expect(opened).toEqual([]);
  });

  it('may lack what labs of the catalog need', () => {
    expect(new Set(demanding.flatMap(([, , needs]) => needs))).toEqual(
      new Set([
        'link',
        'atomics',
        'srq',
        'windows',
        'faults',
        'counters',
        'tap',
        'sendPacket',
        'marks',
        'policies',
      ]),
    );
  });
});

/** Returns true at the time to kill. Called at each command of the lab and after each of its results. */
type Moment = (so: { commands: number; results: number }) => boolean;

/** The lab with an endpoint that is killed. The lab does not end before the agent has noticed. */
function bereft(lab: Lab, isTime: Moment, kill: () => void): { lab: Lab; written: Record<string, number> } {
  const written: Record<string, number> = {};
  const so = { commands: 0, results: 0 };
  let killed = false;
  const look = (): void => {
    if (killed || !isTime(so)) return;
    killed = true;
    kill();
  };
  /** Counts a result. A figure that is written again replaces the first. */
  const wrote = (name: string, times = (written[name] ?? 0) + 1): void => {
    written[name] = times;
    so.results++;
    look();
  };
  const run = async (ctx: LabContext<unknown>): Promise<void> => {
    const watched = (endpoint: ReturnType<typeof ctx.endpoint>): typeof endpoint => ({
      name: endpoint.name,
      device: endpoint.device,
      has: (capability) => endpoint.has(capability),
      call: (op, args) => {
        so.commands++;
        look();
        return endpoint.call(op, args);
      },
    });
    await lab.run({
      ...ctx,
      endpoint: (name) => watched(ctx.endpoint(name)),
      endpoints: (role) => ctx.endpoints(role).map(watched),
      figure: (name, ...value) => {
        ctx.figure(name, ...value);
        wrote(`figure ${name}`, 1);
      },
      row: (table, cells) => {
        ctx.row(table, cells);
        wrote(`row of ${table}`);
      },
      point: (curve, point) => {
        ctx.point(curve, point);
        wrote(`point of ${curve}`);
      },
      check: (id, ...found) => {
        ctx.check(id, ...found);
        wrote(`check ${id}`);
      },
      doesNotApply: (id, why) => {
        ctx.doesNotApply(id, why);
        wrote(`check ${id}`);
      },
    });
    if (!killed) throw new Error('it was never time to kill an endpoint');
    await new Promise(() => undefined);
  };
  return { lab: { ...lab, run }, written };
}

/** Each lab loses its endpoint at one of the two moments, or with VERBSLAB_MOMENTS=all, as every night, at both. */
const everyMoment = process.env['VERBSLAB_MOMENTS'] === 'all';

/** The last role's endpoint is killed while the lab works, the first one's once there is a result to keep. */
const MOMENTS: [string, Moment, (lab: Lab) => string][] = [
  ['while it works', ({ commands }) => commands === 5, (lab) => lab.description.roles.at(-1)!.name],
  ['after its first result', ({ results }) => results === 1, (lab) => lab.description.roles[0]!.name],
];

const withEndpoints = byId.filter(([, lab]) => !lab.description.simulated);

describe.each(MOMENTS)('an endpoint that vanishes %s', (moment, isTime, roleOf) => {
  const parity = MOMENTS.findIndex(([name]) => name === moment);
  const ends = withEndpoints
    .filter((_, at) => everyMoment || at % MOMENTS.length === parity)
    .map(([id, lab]) => [id, roleOf(lab), lab] as const);
  it.each(ends)('%s without its %s: fails, and keeps what it has found', async (id, role, whole) => {
    const opened: HostedEndpoint[] = [];
    const quick = whole.description.variations?.find(({ name }) => name === 'quick');
    // A variation may have a different number of endpoints.
    const params = whole.parse({ ...quick?.params }) as ParamValues;
    const victim = endpointNames(whole.description.roles, params).findLast((one) => one.role === role)!.name;
    const { lab, written } = bereft(whole, isTime, () => opened.find(({ name }) => name === victim)!.kill());
    const agent = await startAgent({
      home: newHome(),
      port: 0,
      labs: [lab],
      spawn: async (options) => {
        const endpoint = await spawnEndpoint(options);
        opened.push(endpoint);
        return endpoint;
      },
      logger: createLogger('silent'),
    });
    onTestFinished(() => agent.close());
    const recorder = await Recorder.connect(agent);
    const { run } = await recorder.client.request('run.start', {
      lab: id,
      params: {},
      mode: 'all',
      ...(quick ? { variation: 'quick' } : {}),
    });
    await recorder.client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
    await recorder.untilMessage('run.complete');
    const { run: record } = await recorder.client.request('run.get', { runId: run.id });

    expect(record.error).toMatchObject({
      code: 'ENDPOINT_DIED',
      message: expect.stringContaining(victim) as string,
    });
    expect(record.state).toBe('failed');
    const { figures = {}, tables = {}, curves = {} } = record.result?.results ?? {};
    const kept = [
      ...(record.result?.checks ?? []).map(({ id }) => [`check ${id}`, 1]),
      ...Object.keys(figures).map((name) => [`figure ${name}`, 1]),
      ...Object.entries(tables).map(([name, rows]) => [`row of ${name}`, rows.length]),
      ...Object.entries(curves).map(([name, points]) => [`point of ${name}`, points.length]),
    ];
    expect(Object.fromEntries(kept)).toEqual(written);
    // All recorded items can be read, without a gap.
    const seqs = [...recorder.events, ...recorder.frames.map(decodeHeader)].map(({ seq }) => seq);
    expect(seqs.sort((a, b) => a - b)).toEqual(seqs.map((_, i) => i + 1));
    expect(new Set(recorder.events.map(({ kind }) => kind))).toContain('verb');
    expect(opened.filter(({ pid }) => alive(pid))).toEqual([]);
  });
});
