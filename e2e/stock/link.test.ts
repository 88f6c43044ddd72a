/** Stock programs whose packets go through shared memory, and their behavior without it. */
import { afterAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { installed, library, nextPort, pair, start, untilListening, type Outcome } from './run.js';

const programs = new Programs();
afterAll(() => {
  programs.remove();
});

const ready = installed('ibv_rc_pingpong') && installed('ib_write_bw');
if (!ready) console.warn('ibv_rc_pingpong or ib_write_bw is not installed: tests of links are skipped');

const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ['ib_write_bw', '-x', '1', '-F', '-n', '2000'],
  ['ib_write_lat', '-x', '1', '-F', '-n', '1000'],
  ['ib_read_bw', '-x', '1', '-F', '-n', '1000', '-q', '4'],
  ['ib_send_bw', '-x', '1', '-F', '-e', '-n', '500'],
  ['ib_send_lat', '-x', '1', '-F', '-e', '-n', '500'],
  ['ib_atomic_bw', '-x', '1', '-F', '-n', '500'],
  ['ibv_rc_pingpong', '-g', '0', '-s', '1048576', '-e', '-c', '-n', '30'],
  ['ibv_srq_pingpong', '-g', '1', '-e'],
  ['ibv_uc_pingpong', '-g', '1', '-s', '1048576', '-e', '-n', '50'],
  ['ibv_ud_pingpong', '-g', '1', '-n', '500'],
];

/** Counters that UROCE_STATS=1 prints at the end. */
function counters(outcome: Outcome): Map<string, number> {
  return new Map(
    [...outcome.output.matchAll(/^uroce: (\w+) +(\d+)$/gm)].map(([, name = '', value]) => [
      name,
      Number(value),
    ]),
  );
}

describe.skipIf(!ready)('GID 0 of a device without an IPv6 address is its IPv4 address', () => {
  for (const link of ['shm', 'udp'])
    for (const [program, here, there] of [
      ['ibv_rc_pingpong', 0, 0],
      ['ibv_rc_pingpong', 0, 1],
      ['ibv_ud_pingpong', 0, 0],
      ['ibv_ud_pingpong', 1, 0],
    ] as const)
      it(`${program} over ${link} from GID ${here} to GID ${there}`, async () => {
        const port = nextPort();
        const args = (gid: number) => ['-p', String(port), '-n', '200', '-g', String(gid)];
        const env = (address: string) => ({ env: { UROCE_LINK: link, UROCE_ADDR: address } });
        const server = start(program, args(there), env('127.0.0.2'));
        await untilListening(server, port);
        const client = await start(program, [...args(here), '127.0.0.1'], env('127.0.0.3')).finished;
        const { code, output } = await server.finished;
        expect([client.code, code], client.output + output).toEqual([0, 0]);
        expect(client.output).toMatch(/remote address:.* GID ::ffff:127\.0\.0\.2\n/);
        expect(client.output).toMatch(/^200 iters in /m);
      });
});

describe.skipIf(!ready)('packets of processes on one host', () => {
  for (const [program, ...args] of PROGRAMS) {
    it(`${program} ${args.join(' ')}: go through shared memory, and none is lost`, async () => {
      const outcome = await pair(program, args, { env: { UROCE_LINK: 'shm', UROCE_STATS: '1' } });
      for (const end of [outcome.server, outcome.client]) {
        expect(end.code, end.output).toBe(0);
        const count = counters(end);
        // The last ACKs may find that the other process has ended. Packets that were lost before that are sent again.
        const [unreachable = 0, dropped = 0] = ['shm_unreachable_pkts', 'shm_dropped_pkts'].map((name) =>
          count.get(name),
        );
        const late = unreachable + dropped;
        expect((count.get('shm_packets_out') ?? 0) + late).toBe(count.get('sent_pkts'));
        if (late > 0) expect(count.get('retransmitted_pkts') ?? 0).toBe(0);
        expect(count.get('udp_sends') ?? 0).toBe(0);
        expect(count.get('dropped_messages') ?? 0).toBe(0);
        expect(count.get('icrc_errors') ?? 0).toBe(0);
      }
    });
  }

  it('go through the sockets where one of the two has no rings', async () => {
    const port = nextPort();
    const common = ['-p', String(port), '-x', '1', '-F', '-n', '500'];
    const server = start('ib_write_bw', common, { env: { UROCE_LINK: 'udp' } });
    await untilListening(server, port);
    const env = { UROCE_LINK: 'auto', UROCE_STATS: '1' };
    const client = await start('ib_write_bw', [...common, '127.0.0.1'], { env }).finished;
    expect(client.code, client.output).toBe(0);
    expect((await server.finished).code).toBe(0);
    const count = counters(client);
    expect(count.get('udp_sends')).toBeGreaterThan(0);
    expect(count.get('shm_packets_out') ?? 0).toBe(0);
    expect(count.get('shm_ring_refused')).toBeGreaterThan(0);
  });
});

describe.skipIf(!ready)('shm to a process of udp', () => {
  it('fails at modify_qp with the reason', async () => {
    const port = nextPort();
    const common = ['-p', String(port), '-g', '1'];
    const server = start('ibv_rc_pingpong', common, { env: { UROCE_LINK: 'udp' } });
    await untilListening(server, port);
    const client = await start('ibv_rc_pingpong', [...common, '127.0.0.1'], { env: { UROCE_LINK: 'shm' } })
      .finished;
    server.child.kill();
    await server.finished;
    expect(client.code).not.toBe(0);
    expect(client.output).toMatch(
      /UROCE_LINK=shm does not reach queue pair 0x\w{6} at 127\.0\.0\.1: the process there does not use shared memory/,
    );
  });
});

describe.skipIf(!ready)('without shared memory', () => {
  // The limit makes a memfd smaller than a ring.
  const limited = ['-c', 'ulimit -f 1; exec ibv_devinfo'];

  it('shm does not open, and says why', async () => {
    const { code, output } = await start('sh', limited, { env: { UROCE_LINK: 'shm' } }).finished;
    expect(code).not.toBe(0);
    expect(output).toMatch(
      /UROCE_LINK=shm: cannot make shared memory: .*\(ulimit -f\).* Raise the limit, or /,
    );
  });

  it('auto opens, says why once, and uses the sockets', async () => {
    const { code, output } = await start('sh', limited).finished;
    expect(code, output).toBe(0);
    expect(output).toMatch(/PORT_ACTIVE/);
    expect(
      output.match(/cannot use shared memory: .*\(ulimit -f\).*through the kernel \(UDP\)/g),
    ).toHaveLength(1);
  });

  it.skipIf(!able)('a sandbox that forbids memfd_create is named', async () => {
    const forbid = programs.compile('forbid');
    const run = (link: string) =>
      start(forbid, ['memfd_create', library, 'ibv_devinfo'], { env: { UROCE_LINK: link } }).finished;
    const [shm, auto] = [await run('shm'), await run('auto')];
    expect(shm.code).not.toBe(0);
    expect(shm.output).toMatch(/UROCE_LINK=shm: cannot make shared memory: a sandbox \(seccomp\) forbids /);
    expect(auto.code, auto.output).toBe(0);
    expect(auto.output).toMatch(/a sandbox \(seccomp\) forbids .*through the kernel \(UDP\) instead/);
    expect(auto.output).toMatch(/PORT_ACTIVE/);
  });

  it.skipIf(!able)('a sandbox that forbids eventfd, which every link needs, is named', async () => {
    const forbid = programs.compile('forbid');
    const { code, output } = await start(forbid, ['eventfd2', library, 'ibv_devinfo']).finished;
    expect(code).not.toBe(0);
    expect(output).toMatch(/cannot start the engine thread: a sandbox \(seccomp\) forbids .*eventfd/);
  });

  it('a link that does not exist is named', async () => {
    const { code, output } = await start('ibv_devinfo', [], { env: { UROCE_LINK: 'rdma' } }).finished;
    expect(code).not.toBe(0);
    expect(output).toMatch(/UROCE_LINK: "rdma" is neither udp, shm nor auto\./);
  });
});
