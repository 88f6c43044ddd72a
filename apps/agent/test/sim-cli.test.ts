/** `verbslab sim`: the list, runs of each scenario, changes to them, files, and what it refuses. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { vlsimPath } from '@verbslab/native';
import { SCENARIOS } from '../src/cli/sim/scenarios.js';
import { verbslab } from './helpers/cli.js';

interface Run {
  scenario: { hosts: number };
  mechanisms: { name: string; fired: number; says: string }[];
  flows: { time_us?: number }[];
  result: { trace: string; goodput_gbps: number; flows_finished: number; retransmitted: number };
}

const hasTshark = spawnSync('tshark', ['--version']).status === 0;
const tshark = (...args: string[]) =>
  execFileSync('tshark', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const home = mkdtempSync(join(tmpdir(), 'verbslab-sim-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const sim = (...args: string[]) => verbslab(home, ['sim', ...args]);
const run = async (...args: string[]) => JSON.parse((await sim(...args, '--json')).out) as Run;

/** The packets of a capture, as `verbslab decode` reads them. */
async function decode(file: string): Promise<{ icrc?: { status: string } }[]> {
  const { out } = await verbslab(home, ['decode', file, '--json']);
  return (JSON.parse(out) as { packets: { icrc?: { status: string } }[] }).packets;
}

interface Schema {
  type?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** All numbers of a schema, each with its path; entries of an array are at `0`. */
function numbers(schema: Schema, path: readonly string[] = []): [readonly string[], Schema][] {
  if (schema.type === 'number') return [[path, schema]];
  if (schema.items) return numbers(schema.items, [...path, '0']);
  return Object.entries(schema.properties ?? {}).flatMap(([name, of]) => numbers(of, [...path, name]));
}

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

function save(text: string): string {
  const file = join(home, 'scenario.json');
  writeFileSync(file, text);
  return file;
}

describe('verbslab sim', () => {
  it('lists its scenarios, each with its question', async () => {
    const { out, code } = await sim();
    expect(code).toBe(0);
    for (const { name, asks } of SCENARIOS) expect(out).toContain(`${name} `.padEnd(15) + asks);
  });

  it.each(SCENARIOS.map(({ name }) => name))(
    'runs %s, and says what acted and what did not',
    async (name) => {
      const { out, code } = await sim(name);
      expect(code).toBe(0);
      expect(out).toMatch(/^ {2}virtual time +[\d,.]+ µs/m);
      expect(out).toMatch(/^ {2}trace +[0-9a-f]{16}$/m);
      expect(out).toMatch(/^ {2}laws +[\d,]+ checked, all hold$/m);
      expect(out).toContain('What did not');
    },
  );

  it('finds that go-back-0 delivers nothing over a full link, and go-back-N most of it', async () => {
    const zero = await run('go-back-0');
    expect(zero.result).toMatchObject({ goodput_gbps: 0, flows_finished: 0 });
    expect(zero.result.retransmitted).toBeGreaterThan(50_000);
    const n = await run('go-back-0', '--set', 'recovery=go-back-n');
    expect(n.result.goodput_gbps).toBeGreaterThan(85);
    expect(n.result.goodput_gbps).toBeLessThan(98);
    const selective = await run('go-back-0', '--set', 'recovery=selective-repeat');
    expect(selective.result.goodput_gbps).toBeGreaterThan(n.result.goodput_gbps);
  });

  it('is the same for the same seed, and another for another', async () => {
    const trace = async (seed: string) => (await run('loss', '--seed', seed)).result.trace;
    const one = await trace('7');
    expect(await trace('7')).toBe(one);
    expect(await trace('8')).not.toBe(one);
  });

  it('is the same whether or not the simulator tells its progress', () => {
    const input = JSON.stringify({
      ...SCENARIOS.find(({ name }) => name === 'loss')!.scenario,
      duration_us: 5e6,
    });
    const lines = (...args: string[]) =>
      execFileSync(vlsimPath, args, { input, encoding: 'utf8' }).trimEnd().split('\n');
    const told = lines('--progress');
    const progress = told.filter((line) => line.includes('"type":"progress"'));
    expect(told.filter((line) => !progress.includes(line))).toEqual(lines());
    const us = progress.map((line) => (JSON.parse(line) as { us: number }).us);
    expect(us.length).toBeGreaterThan(0);
    expect(us).toEqual(us.toSorted((a, b) => a - b));
  });

  it('changes members, by short names, paths and places in lists', async () => {
    const changed = await run('incast', '--set', 'hosts=9', '--set', 'traffic.0.bytes=65536', '--flows');
    expect(changed.scenario.hosts).toBe(9);
    expect(changed.flows).toHaveLength(8);
    expect(changed.result.flows_finished).toBe(8);
    const { out } = await sim('incast', '--set', 'switch.ecn.kmin_bytes=1000', '--show');
    expect(JSON.parse(out)).toMatchObject({ switch: { pfc: true, ecn: { kmin_bytes: 1000 } } });
  });

  it('runs a file, and keeps the samples', async () => {
    const file = save((await sim('incast', '--set', 'hosts=3', '--show')).out);
    const series = join(home, 'samples.jsonl');
    expect((await sim(file, '--series', series)).code).toBe(0);
    const samples = readFileSync(series, 'utf8').trim().split('\n');
    expect(samples.length).toBeGreaterThan(2);
    for (const one of samples) expect(JSON.parse(one)).toMatchObject({ type: 'sample' });
  });

  it('describes a scenario by the table that the simulator reads it by', async () => {
    const { out, code } = await sim('--schema');
    expect(code).toBe(0);
    const schema = JSON.parse(out) as Schema;
    const takes = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    for (const { name, scenario } of SCENARIOS) expect(takes.safeParse(scenario).error, name).toBeUndefined();
    expect(takes.safeParse({ changes: [{ at_us: 1, loss: 0.5 }] }).success).toBe(true);
    for (const wrong of [
      { speed: 9 },
      { topology: { kind: 'torus' } },
      { transport: { mtu: 1500 } },
      { transport: { congestion: 'fast' } },
      { changes: [{ at_us: 1 }] },
      { changes: [{ at_us: 1, loss: 0.5, ecn: true }] },
      { traffic: [{ kind: 'flow', to: 1, bits: 8 }] },
    ]) {
      expect(takes.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false);
      expect((await sim(save(JSON.stringify(wrong)))).code).toBe(2);
    }
    // The limits of every number are those of the simulator, and a default changes nothing.
    const plain = (await run(save('{}'))).result.trace;
    const documented = readFileSync(new URL('../../../docs/simulator.md', import.meta.url), 'utf8');
    for (const [path, of] of numbers(schema)) {
      expect(documented).toContain(`\`${path.at(-1)!}\``);
      if (path.includes('0')) continue;
      for (const value of [of.minimum! - 1, of.maximum! + 1]) {
        expect(takes.safeParse(nested(path, value)).success, `${path.join('.')}=${value}`).toBe(false);
        const { err } = await sim(save(JSON.stringify(nested(path, value))));
        expect(err).toContain(`${path.join('.')} must be from ${of.minimum} to ${of.maximum}`);
      }
      if (of.default === undefined) continue;
      const { result } = await run(save(JSON.stringify(nested(path, of.default))));
      expect(result.trace, path.join('.')).toBe(plain);
    }
  });

  it('captures real packets, which tshark and the diagnosis read', async () => {
    const file = join(home, 'incast.pcap');
    const change = ['--set', 'hosts=5', '--set', 'switch.ecn.kmin_bytes=20000', '--set', 'buffer=600000'];
    const capture = ['--set', 'traffic.0.bytes=400000', '--pcap', file];
    const { out } = await sim('incast', ...change, ...capture, '--pcap-payload');
    expect(out).toMatch(/The capture has all \d+ packets\./);
    const packets = await decode(file);
    expect(packets.length).toBeGreaterThan(4 * Math.ceil(400_000 / 4096));
    expect(new Set(packets.map(({ icrc }) => icrc?.status))).toEqual(new Set([undefined, 'ok']));
    const { out: diagnosis, code } = await verbslab(home, ['decode', file, '--diagnose']);
    expect(code).toBe(0);
    expect(diagnosis).toContain(' PFC frames for priority 3: ');
    expect(diagnosis).toMatch(/4 senders to 10\.0\.0\.0, .* of their packets marked, .*: incast\./);
    if (!hasTshark) return;
    const rows = tshark('-r', file).trim().split('\n');
    expect(rows).toHaveLength(packets.length);
    for (const row of rows) expect(row).not.toContain('alformed');
    expect(tshark('-r', file, '-Y', '_ws.expert.severity >= 0x600000')).toBe('');
    expect(tshark('-r', file, '-Y', 'infiniband.bth.opcode == 7')).toContain('RDMA Write Middle');
    expect(tshark('-r', file, '-Y', 'ip.dsfield.ecn == 3')).not.toBe('');
    expect(tshark('-r', file, '-Y', 'macc.cbfc.enbv.c3')).not.toBe('');
  });

  it('says where a capture ends that would be too large', async () => {
    const file = join(home, 'cut.pcap');
    const { out } = await sim('incast', '--pcap', file, '--pcap-payload', '--pcap-limit', '1');
    expect(out).toMatch(/The capture ends after 2\d\d packets, at \d+ us: \d+ later ones are left out\./);
    expect(statSync(file).size).toBeLessThanOrEqual(1 << 20);
    expect((await verbslab(home, ['decode', file, '--diagnose'])).code).toBe(0);
  });

  it.each([
    [['incst'], /no scenario “incst”/],
    [['incast', '--set', 'hosts=0'], /topology\.hosts must be from 1 to/],
    [['incast', '--set', 'hosts=many'], /topology\.hosts must be a number/],
    [['incast', '--set', 'congestion=fast'], /congestion/],
    [['incast', '--set', 'link.loss=-1'], /loss/],
    [['incast', '--set', 'speed=9'], /speed is not known/],
    [['incast', '--set', 'hosts'], /is no change/],
    [['incast', '--set', 'traffic.3.bytes=1'], /leads nowhere/],
    [['incast', '--set', 'name.first=1'], /leads nowhere/],
    [['incast', '--set', '__proto__.x=1'], /__proto__ is not known/],
    [['incast', '--seed', 'x'], /whole number/],
    [['./none.json'], /cannot be read/],
    [['incast', '--series', '/proc/none'], /cannot be written/],
    [['incast', '--pcap', '/proc/none'], /cannot write \/proc\/none/],
    [['incast', '--pcap', 'x.pcap', '--pcap-at', 'switch:0'], /--pcap-at must be host:N/],
    [['incast', '--pcap', 'x.pcap', '--pcap-at', 'host:17'], /no host 17 .* the last one is 16/],
    [['incast', '--pcap', 'x.pcap', '--pcap-limit', '0'], /--pcap-limit must be from 1/],
    [['incast', '--pcap-payload'], /needs --pcap FILE/],
  ])('refuses %j in one sentence', async (args, why) => {
    const { err, code } = await sim(...args);
    expect(code).toBe(2);
    expect(err).toMatch(why);
    expect(err).not.toContain('Internal error');
  });

  it.each(['{', '[]', '"incast"', '7'])('refuses a file that holds %s', async (text) => {
    const { err, code } = await sim(save(text));
    expect(code).toBe(2);
    expect(err).toMatch(/no JSON/);
  });
});
