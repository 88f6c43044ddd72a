import {
  encodeCompletions,
  encodeHistogram,
  encodePackets,
  FRAME_FLAGS,
  overRounds,
  type LatencyUs,
  type RunRecord,
} from '@verbslab/protocol';
import { describe, expect, it } from 'vitest';
import { openHome } from '../src/config/home.js';
import { RunStore } from '../src/store/store.js';
import { RunStream } from '../src/store/stream.js';
import { newHome, Recorder, testAgent } from './helpers/agent.js';
import { verbslab, type Printed } from './helpers/cli.js';
import { encodedSamples } from './helpers/histogram.js';

interface Past {
  size: number;
  /** Goodput of each round, Gb/s. */
  gbps: number[];
  /** Latency of all operations of each round, ns. */
  ns: number[];
}

const SAMPLES = 100;
const latency: LatencyUs = { n: 100, min: 1, p50: 1, p90: 1, p99: null, p999: null, max: 1 };

/** An ended run over TCP with its latencies in the stream, and completions and packets beside them. */
function write(store: RunStore, { size, gbps, ns }: Past): RunRecord {
  const created = store.create({
    ...{ lab: 'bulk', title: 'Bulk', mode: 'all', device: 'uroce0', parameters: { size, depth: 4 } },
  });
  const stream = new RunStream({ store, run: created.number, now: () => 0 });
  const loop = { transport: 'tcp', role: 'client', what: 'loop', label: 'TCP' } as const;
  ns.forEach((value, i) => {
    const source = i + 1;
    stream.append({ kind: 'source', source, round: source, ...loop });
    const frame = (flags: number, samples: number) =>
      stream.appendFrame(encodeHistogram({ source, t: 0, flags }, encodedSamples(samples, SAMPLES)));
    frame(FRAME_FLAGS.omitted, 2000);
    frame(0, value);
  });
  const one = Uint32Array.of(1);
  stream.appendFrame(
    encodeCompletions(
      { source: 1, t: 0 },
      { dt: one, latency: one, wrId: one, qpn: one, meta: one, byteLen: one, imm: one, batch: one },
    ),
  );
  stream.appendFrame(
    encodePackets({ source: 1, t: 0 }, [
      { t: 0, tapSeq: 1, direction: 'sent', flags: 0, origLen: 4, bytes: new Uint8Array(4) },
    ]),
  );
  stream.flush();
  const rounds = gbps.map((goodputGbps) => ({
    ...{ goodputGbps, messagesPerSecond: 1, bytes: 1, messages: 1, seconds: 1 },
    cpuSecondsPerGB: { app: 1 / goodputGbps, nic: 0, kernel: 0 },
  }));
  const record: RunRecord = {
    ...created,
    ...{ state: 'done', startedAt: created.createdAt, endedAt: created.createdAt + 1 },
    result: {
      ...{ lab: 'bulk', state: 'done', provider: 'user-space', device: 'uroce0' },
      ...{ parameters: created.parameters, checks: [], captureFile: null },
      transports: { tcp: overRounds(rounds, latency) },
    },
  };
  store.save(record);
  return record;
}

/** Enough for a verdict. */
const ROUNDS = 6;
const six = <T>(...values: T[]): T[] => Array.from({ length: ROUNDS }, (_, i) => values[i % values.length]!);
const FAST: Past = { size: 4096, gbps: six(20, 21, 22), ns: six(100) };
const SLOW: Past = { size: 65_536, gbps: six(10, 11, 12), ns: six(900) };
const ALONE: Past = { size: 4096, gbps: [10], ns: [100] };

async function history(...runs: Past[]) {
  const home = newHome();
  const store = RunStore.open(openHome(home));
  const records = runs.map((run) => write(store, run));
  store.close();
  const { agent } = await testAgent({ home });
  const compare = (...args: string[]): Promise<Printed> => verbslab(home, ['runs', 'compare', ...args]);
  return { agent, records, compare };
}

describe('verbslab runs compare', () => {
  it('answers first, then shows what differs, figures and distances', async () => {
    const { compare } = await history(SLOW, FAST);
    const printed = await compare('1', '2');
    const out = printed.out.replaceAll('\u00a0', ' ');
    expect(printed.code).toBe(0);
    expect(out).toMatch(/^Over TCP, B moves more: 21 Gb\/s against 11 Gb\/s of A \(B \+91 % against A\)\.\n/);
    expect(out).toMatch(/^size +65,536 +4,096$/m);
    expect(out).not.toMatch(/^depth/m);
    expect(out).toMatch(/^TCP goodput +11 Gb\/s \(10–12\) +21 Gb\/s \(20–22\) {2}\+91 %$/m);
    // Warm-up is left out: no sample of 2 µs counts.
    expect(out).toContain(
      'A and B over TCP: distance 1.00 (n = 600 and 600). 0 % of the operations of A took 100 ns at most, and 100 % of those of B. Two rounds of the same run are up to 0.00 apart, so the runs differ.',
    );
  });

  it('compares with the run that is named first, and has it all as JSON', async () => {
    const { compare, records } = await history(SLOW, FAST, ALONE);
    const { out } = await compare(records[1]!.id, '1', '3', '--json');
    const printed = JSON.parse(out) as Record<string, unknown>;
    expect(printed).toMatchObject({
      runs: [
        { letter: 'A', number: 2 },
        { letter: 'B', number: 1 },
        { letter: 'C', number: 3 },
      ],
      baseline: 'A',
      missing: [],
      answer: {
        caveat:
          'C measured 1 round. A verdict on so many figures needs 5. The median latency of A and B is over all rounds: its spread is not known, so there is no verdict on it.',
      },
      distances: [
        { a: 'A', b: 'B', ks: { distance: 1, n: [600, 600] }, withinRuns: 0, rounds: [6, 6] },
        { a: 'A', b: 'C', ks: { distance: 0, n: [600, 100] }, withinRuns: 0, rounds: [6, 1] },
      ],
    });
    const figures = printed.figures as { name: string; changes: unknown[] }[];
    expect(figures.find(({ name }) => name === 'tcp.goodput')!.changes).toEqual([
      null,
      { percent: expect.closeTo(-47.6, 1) as number, verdict: 'lower' },
      { percent: expect.closeTo(-52.4, 1) as number, verdict: 'few' },
    ]);
    expect(printed).not.toHaveProperty('pairs');
  });

  it('names a run that is gone, and compares the others', async () => {
    const { compare } = await history(SLOW, FAST);
    const { code, out, err } = await compare('1', '77', '2');
    expect(code).toBe(0);
    expect(err).toContain('Run 77 is not compared. There is no run “77”.');
    expect(out).toContain('B moves more');
  });

  it('refuses less than two and more than six runs, and says what to name', async () => {
    const { compare } = await history(SLOW, FAST);
    for (const [args, why] of [
      [['1'], 'One run cannot be compared'],
      [['1', '1'], 'One run cannot be compared'],
      [['1', '77'], 'There is no run “77”. One run cannot be compared'],
    ] as const) {
      const { code, err } = await compare(...args);
      expect(code).toBe(2);
      expect(err).toContain(why);
      expect(err).toContain('Name 2 to 6 different runs');
    }
    const many = await history(...Array.from({ length: 7 }, () => ALONE));
    expect((await many.compare('1', '2', '3', '4', '5', '6', '7')).err).toContain(
      '7 runs cannot be compared',
    );
  });
});

describe('a subscription without detail', () => {
  it('has events and histograms, and no frames of completions and packets', async () => {
    const { agent, records } = await history(FAST);
    const kinds = async (detail: object): Promise<number[]> => {
      const recorder = await Recorder.connect(agent);
      const runId = records[0]!.id;
      await recorder.client.request('run.subscribe', { runId, fromSeq: 1, ...detail });
      await recorder.untilMessage('run.complete');
      expect(recorder.events.filter(({ kind }) => kind === 'source')).toHaveLength(ROUNDS);
      // The third byte of a frame is its kind.
      return recorder.frames.map((frame) => frame[2]!);
    };
    const all = await kinds({});
    const slim = await kinds({ detail: false });
    expect(all).toHaveLength(2 * ROUNDS + 2);
    expect(slim).toEqual(all.slice(0, 2 * ROUNDS));
    expect(new Set(slim).size).toBe(1);
  });
});
