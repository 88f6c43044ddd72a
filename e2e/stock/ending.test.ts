/** Processes that end without closing anything: their peers, their report and their feed still get everything. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { able, Programs } from './compile.js';
import { start } from './run.js';

/** Runs of each way to end, by how sender and receiver talk. A single lost acknowledgment fails the test. */
const RUNS = { stream: 50, pingpong: 50, silent: 10 };

describe.skipIf(!able)('a receiver that ends right after its last completion', () => {
  const programs = new Programs();
  let ending = '';
  beforeAll(() => {
    ending = programs.compile('ending');
  });
  afterAll(() => {
    programs.remove();
  });

  it.each(['_exit', '_Exit', 'quick_exit', 'execl', 'execvp', 'abort', 'segv', 'overflow', 'term'])(
    'by %s: the sender sees success',
    async (way) => {
      for (const [mode, runs] of Object.entries(RUNS)) {
        const { code, output } = await start(ending, [way, String(runs), mode]).finished;
        expect(code, output).toBe(0);
        expect(output, mode).toBe(`${String(runs)} of ${String(runs)} good\n`);
      }
    },
  );
});

interface Note {
  type: string;
  when?: string;
  report?: { findings: unknown[] };
}

/** Reader of the notes that a program sends to its feed until the process ends. */
class FeedReader {
  readonly #folder = mkdtempSync(join(tmpdir(), 'verbs-feed-'));
  readonly path = join(this.#folder, 'feed');
  readonly notes: Promise<Note[]>;
  readonly #server = createServer();

  constructor() {
    this.notes = new Promise((done) => {
      this.#server.once('connection', (socket) => {
        const chunks: Buffer[] = [];
        socket.on('data', (chunk) => chunks.push(chunk));
        socket.once('close', () => {
          const all = Buffer.concat(chunks);
          const notes: Note[] = [];
          for (let at = 0; at + 8 <= all.length; at += 8 + all.readUInt32LE(at)) {
            if (all.readUInt32LE(at + 4) !== 1) continue;
            notes.push(JSON.parse(all.toString('utf8', at + 8, at + 8 + all.readUInt32LE(at))) as Note);
          }
          done(notes);
        });
      });
    });
    this.#server.listen(this.path);
  }

  close(): void {
    this.#server.close();
    rmSync(this.#folder, { recursive: true });
  }
}

describe.skipIf(!able)('a program with a SIGINT handler that exits during a poll', () => {
  const programs = new Programs();
  let spin = '';
  beforeAll(() => {
    spin = programs.compile('spin');
  });
  afterAll(() => {
    programs.remove();
  });

  // The engine lock is held in most rounds when the handler runs.
  it.each([['exit'], ['_exit'], ['exit', 'cm']].map((args) => ({ args })))(
    'by $args: ends, and its report arrives',
    async ({ args }) => {
      for (let round = 0; round < 10; round += 1) {
        const feed = new FeedReader();
        const running = start(spin, args, { env: { UROCE_FEED: feed.path } });
        running.child.stdout?.once('data', () => running.child.kill('SIGINT'));
        const { code, signal, output } = await running.finished;
        expect([code, signal], output).toEqual([7, null]);
        const notes = await feed.notes;
        expect(notes.filter((note) => note.type === 'report')).toHaveLength(1);
        feed.close();
      }
    },
  );
});
