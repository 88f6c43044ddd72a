/** QEMU moves a virtual machine to another QEMU of this host over the embedded device. Its memory arrives unchanged. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { installed, nextPort, start, type Running } from '../stock/run.js';

const QEMU = 'qemu-system-x86_64';
const PATIENCE = 120_000;
const able = installed(QEMU);
if (!able) console.warn('skipped, since not installed (apt install qemu-system-x86)');

/** Size and address of the machine's data. The firmware does not touch it. */
const BYTES = 16 << 20;
const AT = 32 << 20;

interface Answer {
  return?: unknown;
  error?: { desc: string };
}

/** Connects to a socket that the program will listen on. */
async function connected(path: string, running: Running): Promise<Socket> {
  for (;;) {
    expect(running.child.exitCode, running.printed()).toBeNull();
    const socket = createConnection(path);
    const failed = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    if (!failed) return socket;
    await new Promise((resume) => setTimeout(resume, 20));
  }
}

/** A QEMU under exec, with its monitor. */
class Machine {
  readonly #running: Running;
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string, undefined>;
  readonly #reader: Interface;

  private constructor(running: Running, socket: Socket) {
    this.#running = running;
    this.#socket = socket;
    this.#reader = createInterface(socket);
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Starts a paused machine with its monitor at `path`, and with the data of `path`.bin in its memory. */
  static async start(link: string, path: string, ...more: string[]): Promise<Machine> {
    const words = `-M q35,accel=tcg -m 128 -nodefaults -display none -S -qmp unix:${path},server=on,wait=off`;
    const loader = `loader,file=${path}.bin,addr=${String(AT)},force-raw=on`;
    const args = [...words.split(' '), '-device', loader, ...more];
    const running = start(QEMU, args, { exec: ['--link', link], timeoutMs: PATIENCE });
    const machine = new Machine(running, await connected(path, running));
    await machine.do('qmp_capabilities');
    return machine;
  }

  async do(execute: string, args: Record<string, unknown> = {}): Promise<unknown> {
    this.#socket.write(`${JSON.stringify({ execute, arguments: args })}\n`);
    for (;;) {
      const line: IteratorResult<string, undefined> = await this.#lines.next();
      if (line.done) throw new Error(`QEMU has ended: ${this.#running.printed()}`);
      const answer = JSON.parse(line.value) as Answer;
      expect(answer.error?.desc).toBeUndefined();
      // A line without an answer or an error is a greeting or an event.
      if ('return' in answer) return answer.return;
    }
  }

  printed(): string {
    return this.#running.printed();
  }

  async end(): Promise<void> {
    this.#reader.close();
    this.#socket.destroy();
    this.#running.child.kill();
    await this.#running.finished;
  }
}

describe.skipIf(!able)('QEMU', () => {
  const folder = mkdtempSync(join(tmpdir(), 'verbs-migration-'));
  const machines: Machine[] = [];
  const machine = async (link: string, name: string, memory: Buffer, ...more: string[]) => {
    writeFileSync(join(folder, `${name}.bin`), memory);
    const started = await Machine.start(link, join(folder, name), ...more);
    machines.push(started);
    return started;
  };
  afterEach(async () => {
    await Promise.all(machines.splice(0).map((each) => each.end()));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const ways = ['shm', 'udp'].flatMap((link) => [false, true].map((pinned) => ({ link, pinned })));
  it.each(ways)(
    'moves a running machine over $link (all of its memory pinned: $pinned)',
    { timeout: PATIENCE },
    async ({ link, pinned }) => {
      const memory = randomBytes(BYTES);
      const name = `${link}-${String(pinned)}`;
      const from = await machine(link, `${name}-from`, memory);
      const to = await machine(link, `${name}-to`, Buffer.alloc(BYTES), '-incoming', 'defer');
      const capabilities = [{ capability: 'rdma-pin-all', state: pinned }];
      for (const each of [from, to]) await each.do('migrate-set-capabilities', { capabilities });
      await from.do('cont');
      const uri = `rdma:127.0.0.1:${String(nextPort())}`;
      await to.do('migrate-incoming', { uri });
      await from.do('migrate', { uri });
      const ended = async (each: Machine): Promise<string | undefined> => {
        for (;;) {
          const { status } = (await each.do('query-migrate')) as { status?: string };
          if (status === 'completed' || status === 'failed') return status;
          await new Promise((resume) => setTimeout(resume, 50));
        }
      };
      expect([await ended(from), await ended(to)], from.printed() + to.printed()).toEqual([
        'completed',
        'completed',
      ]);
      const saved = join(folder, 'memory');
      await to.do('pmemsave', { val: AT, size: BYTES, filename: saved });
      expect(memory.equals(readFileSync(saved))).toBe(true);
      const { ram } = (await from.do('query-migrate')) as { ram: { transferred: number } };
      expect(ram.transferred).toBeGreaterThan(BYTES);
    },
  );
});
