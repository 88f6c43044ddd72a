/** Processes that die at any moment: others are not affected, and nothing is left behind. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { seeded } from '../lib/random.js';
import { able, Programs } from './compile.js';
import { installed, nextPort, pair, start, untilListening, untilPrinted } from './run.js';

const ready = installed('ibv_rc_pingpong') && installed('ib_write_bw');
if (!ready)
  console.warn('ibv_rc_pingpong or ib_write_bw is not installed: tests of killed processes are skipped');

// The tests count the users of this address, so no other test uses it.
const address = `127.0.0.${String(100 + (process.pid % 100))}`;

/** Time for which processes are killed at random, seconds. 0: twelve rounds. `npm run nightly` sets it. */
const soakSeconds = Number(process.env['VERBSLAB_KILL_SECONDS'] ?? 0);
const ROUNDS = 12;

/** Programs whose pairs are killed. Each runs until then. */
const VICTIMS: readonly (readonly [string, ...string[]])[] = [
  ['ibv_rc_pingpong', '-g', '1', '-n', '1000000'],
  ['ibv_rc_pingpong', '-g', '1', '-e', '-n', '1000000'],
  ['ibv_srq_pingpong', '-g', '1', '-n', '1000000'],
  ['ib_write_bw', '-x', '1', '-F', '-D', '50'],
  ['ib_read_lat', '-x', '1', '-F', '-n', '1000000'],
];

/** Random in 0..bound-1 from a printed seed. */
function generator(seed: number): (bound: number) => number {
  const random = seeded(seed);
  return (bound) => Math.floor(random() * bound);
}

/** Names of the device's processes on the address. */
function places(): string[] {
  return readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .flatMap((line) => line.match(/@uroce\..*$/)?.[0] ?? [])
    .filter((name) => name.includes(`.${address}.`));
}

async function healthy(env: Record<string, string>): Promise<void> {
  const { server, client } = await pair('ibv_rc_pingpong', ['-g', '1', '-n', '200'], { env });
  expect([server.code, client.code], client.output + server.output).toEqual([0, 0]);
}

describe.skipIf(!ready).each(['udp', 'shm'])('kill -9, packets through %s', (link) => {
  const env = { UROCE_ADDR: address, UROCE_LINK: link };

  it('of a server in mid-run: the client reports retry exceeded', async () => {
    const port = nextPort();
    // A stream of WRITEs always has unacknowledged requests. A ping-pong that dies between the ACK and the answer would
    // leave its client waiting for a message that no timer guards, on any RC device.
    const args = ['-p', String(port), '-x', '1', '-F', '-D', '50'];
    const server = start('ib_write_bw', args, { env });
    await untilListening(server, port);
    const client = start('stdbuf', ['-oL', 'ib_write_bw', ...args, '127.0.0.1'], { env });
    // The head of the results shows that both ends are ready.
    await untilPrinted(client, '#bytes');
    server.child.kill('SIGKILL');
    await server.finished;
    const { code, output } = await client.finished;
    expect(code).not.toBe(0);
    expect(output).toMatch(/Failed status 12/);
  });

  it('of a receiver that acknowledges nothing: the sender runs to its end', async () => {
    const port = nextPort();
    // perftest leaves out two seconds at both ends, or a quarter of the time if that is less than four seconds.
    const args = ['-p', String(port), '-x', '1', '-F', '-c', 'UC', '-D', '3'];
    const server = start('ib_write_bw', args, { env });
    await untilListening(server, port);
    const client = start('stdbuf', ['-oL', 'ib_write_bw', ...args, '127.0.0.1'], { env });
    // The head of the results shows that both ends are ready.
    await untilPrinted(client, '#bytes');
    server.child.kill('SIGKILL');
    await server.finished;
    const { signal, output } = await client.finished;
    // The client's measuring ends by the clock. Only then the client misses its peer.
    expect(signal, output).toBeNull();
    expect(output).toMatch(/^\s*65536\s+[1-9]\d*\s+[\d.]+\s+[\d.]*[1-9]/m);
  });

  it(
    'at random moments, again and again: others go on and the address is free again',
    { timeout: 600_000 + 2000 * soakSeconds },
    async () => {
      const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
      console.log(`seed ${String(seed)}`);
      const random = generator(seed);
      const bystander = start('ib_write_bw', ['-p', String(nextPort()), '-x', '0', '-D', '60'], {
        env,
        timeoutMs: 600_000 + 2000 * soakSeconds,
      });
      const end = Date.now() + 1000 * soakSeconds;
      for (let round = 0; round < ROUNDS || Date.now() < end; round += 1) {
        const port = nextPort();
        const [program, ...switches] = VICTIMS[random(VICTIMS.length)] ?? ['ibv_rc_pingpong'];
        const args = ['-p', String(port), ...switches];
        const server = start(program, args, { env });
        const killServerEarly = random(4) === 0;
        if (killServerEarly) {
          await new Promise((resume) => setTimeout(resume, random(60)));
          server.child.kill('SIGKILL');
          await server.finished;
          continue;
        }
        await untilListening(server, port);
        const client = start(program, [...args, '127.0.0.1'], { env });
        await new Promise((resume) => setTimeout(resume, random(150)));
        const victims = random(2) === 0 ? [client, server] : [server, client];
        for (const victim of victims) victim.child.kill('SIGKILL');
        await Promise.all([server.finished, client.finished]);
        if (round % 4 === 3) await healthy(env);
      }
      await healthy(env);
      bystander.child.kill('SIGKILL');
      await bystander.finished;
      expect(places()).toEqual([]);
      await healthy(env);
      expect(places()).toEqual([]);
    },
  );

  it('a process stopped by a debugger does not keep others from joining', async () => {
    const port = nextPort();
    const stopped = start('ibv_rc_pingpong', ['-p', String(port), '-g', '1'], { env });
    await untilListening(stopped, port);
    stopped.child.kill('SIGSTOP');
    await healthy(env);
    stopped.child.kill('SIGCONT');
    const client = start('ibv_rc_pingpong', ['-p', String(port), '-g', '1', '127.0.0.1'], { env });
    const outcomes = await Promise.all([stopped.finished, client.finished]);
    expect(outcomes.map((o) => o.code)).toEqual([0, 0]);
  });
});

describe.skipIf(!able).each(['udp', 'shm'])('peers that end at any moment, packets through %s', (link) => {
  const programs = new Programs();
  afterAll(() => programs.remove());

  it('leave a process its other connections, and no ring and no descriptor', async () => {
    const seed = process.env['SEED'] ?? String(Date.now() % 1_000_000);
    const rounds = 8 + 2 * soakSeconds;
    const env = { UROCE_ADDR: address, UROCE_LINK: link };
    const args = [seed, String(rounds)];
    const { code, output } = await start(programs.compile('victims'), args, { env }).finished;
    expect(code, `seed ${seed}: ${output}`).toBe(0);
    expect(output).toContain(`${String(rounds)} rounds survived`);
  });
});
