import {
  PROGRAM_LAB,
  type DeviceInfo,
  type EndTraffic,
  type Peer,
  type RunTraffic,
} from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { mediumText, quietText } from '../src/hosts/links/link-text';
import { suggestionsOf } from '../src/home/suggestions';
import { ratesOf, topologyOf } from '../src/hosts/links/topology';
import { CATALOG, CHECK_COUNTS } from '../src/labs/catalog';
import { record } from './stream';

const device = (name: string, more: Partial<DeviceInfo> = {}): DeviceInfo =>
  ({
    name,
    providerClass: 'user-space',
    capabilities: ['link'],
    ports: [],
    ...more,
  }) as unknown as DeviceInfo;
const peer = (name: string, more: Partial<Peer> = {}): Peer =>
  ({ name, state: 'up', agent: null, devices: [device('uroce0')], ...more }) as unknown as Peer;
const end = (host: string, out: number, into: number, more: Partial<EndTraffic> = {}): EndTraffic => ({
  ...{ endpoint: 'client', host, device: 'uroce0', providerClass: 'user-space', links: ['udp'] },
  rate: { out: { packets: out, bytes: out * 100 }, in: { packets: into, bytes: into * 100 }, seconds: 0.5 },
  ...more,
});
const traffic = (...ends: EndTraffic[]): RunTraffic => ({ run: 7, runId: 'seven', ends });
const picture = (peers: Peer[], ...runs: RunTraffic[]) =>
  topologyOf({ agent: null, devices: [device('uroce0')], peers, traffic: runs });

describe('the picture of hosts and links', () => {
  it('has the loopback of this host when there is no other', () => {
    const { hosts, links } = picture([]);
    expect(hosts.map(({ name }) => name)).toEqual(['local']);
    expect(links.map((link) => [mediumText(link), quietText(link)])).toEqual([
      ['shared memory, UDP sockets', 'idle'],
    ]);
  });

  it('has a link to each paired host, and says of one that is down that it is', () => {
    const { links } = picture([peer('a'), peer('b', { state: 'down' })]);
    expect(links.map(({ to }) => to.name)).toEqual(['local', 'a', 'b']);
    expect(links.map(quietText)).toEqual(['idle', 'idle', 'down']);
  });

  it('shows a run between two hosts from the side of the first', () => {
    const run = traffic(end('local', 50, 2), end('a', 2, 49, { endpoint: 'server' }));
    const { hosts, links } = picture([peer('a')], run);
    expect(links[0]).toMatchObject({ runs: [], rates: null });
    expect(links[1]).toMatchObject({
      ...{ runs: [{ run: 7, runId: 'seven' }], media: ['udp'] },
      rates: { out: { packets: 50, bytes: 5000 }, in: { packets: 2, bytes: 200 } },
    });
    expect(hosts[1]!.devices[0]!.rates?.in.packets).toBe(49);
  });

  it('adds a link between two other hosts, and gives no rate where counters cannot tell hosts apart', () => {
    const ends = (...hosts: string[]) => traffic(...hosts.map((host) => end(host, 1, 1)));
    const across = picture([peer('a'), peer('b')], ends('a', 'b')).links.at(-1)!;
    expect([across.from.name, across.to.name, across.runs[0]?.run]).toEqual(['a', 'b', 7]);
    const star = picture([peer('a'), peer('b')], ends('local', 'a', 'b')).links;
    expect(star.map(({ runs, rates }) => [runs[0]?.run, rates])).toEqual([
      [undefined, null],
      [7, null],
      [7, null],
    ]);
  });

  it('adds up runs that share a link', () => {
    const other = { ...traffic(end('local', 3, 4)), run: 8, runId: 'eight' };
    const [loop] = picture([], traffic(end('local', 1, 2)), other).links;
    expect(loop!.runs.map(({ run }) => run)).toEqual([7, 8]);
    expect(loop!.rates?.out.packets).toBe(4);
  });

  it('adds up processes of an embedded device, and takes a whole device once', () => {
    expect(ratesOf([end('local', 1, 2), end('local', 3, 4)])?.out.packets).toBe(4);
    const kernel = { providerClass: 'kernel' as const };
    expect(ratesOf([end('local', 3, 4, kernel), end('local', 3, 4, kernel)])?.out.packets).toBe(3);
    expect(ratesOf([end('local', 1, 1, { rate: null })])).toBeNull();
  });
});

describe('what to do next', () => {
  const facts = { labs: CATALOG, checks: CHECK_COUNTS, progress: [], runs: [] };
  const ids = (more: Partial<Parameters<typeof suggestionsOf>[0]>) =>
    suggestionsOf({ ...facts, ...more }).map(({ id }) => id);

  it('begins with the first lab and a program', () => {
    expect(suggestionsOf(facts)).toMatchObject([
      { id: 'lab', text: 'You have not run a lab yet.', href: `/labs/${CATALOG[0]!.id}` },
      { id: 'program', href: '#debug' },
    ]);
  });

  it('puts a run that waits and one that failed first, and stops at three', () => {
    const waiting = { ...record(), state: 'running' as const, waitingFor: 'memory' };
    const failed = { ...record(), state: 'failed' as const, waitingFor: null };
    expect(ids({ runs: [waiting, failed] })).toEqual(['step', 'failed', 'lab']);
  });

  it('names problems of the latest run alone', () => {
    const done = (problems: number) =>
      ({ ...record(), state: 'done', waitingFor: null, result: { problems } }) as ReturnType<typeof record>;
    expect(ids({ runs: [done(3)] })).toContain('problems');
    expect(ids({ runs: [done(0), done(3)] })).not.toContain('problems');
  });

  it('has nothing left to say when all was done', () => {
    const progress = CATALOG.map(({ id }) => ({
      ...{ lab: id, runs: 1, lastRunAt: 1 },
      checks: Array.from({ length: CHECK_COUNTS[id]! }, (_, i) => ({
        id: `${i}`,
        right: true,
        answeredAt: 1,
      })),
    }));
    const program = { ...record(), lab: PROGRAM_LAB, state: 'done' as const, waitingFor: null };
    expect(ids({ progress, runs: [program] })).toEqual([]);
  });
});
