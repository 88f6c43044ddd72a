// Verbs Lab's measuring loops against perftest's own programs: same device, same parameters, paired and interleaved.
import { benchOptions, paired, runCases, type Cases, type PairedRow } from './lib/paired.js';
import { perftest } from './lib/perftest.js';
import { vlloop } from './lib/vlloop.js';

// Single pairs of these short runs differ by a fifth either way; the median of seven is not good to 5 %, that of 15 is.
const { pairs, ...chosen } = benchOptions(15);

const BYTES = '65536';
const ITERATIONS = '40000';
const DEPTH = '128';
const SIGNAL_EVERY = '100';

/** Gb/s of the whole run, as both print it. */
function bandwidth(name: string, op: string, options: string[] = []): () => Promise<PairedRow> {
  const shape = ['-s', BYTES, '-n', ITERATIONS, '-t', DEPTH, '-Q', SIGNAL_EVERY];
  return () =>
    paired(
      `${op} bandwidth, 64 KiB: our loop against ${name}`,
      'Gb/s',
      pairs,
      async () => (await vlloop('rdma', ['--op', op, ...shape, ...options])).goodputGbps,
      () => perftest(name, [...shape, '--report_gbits', ...options], 'averageGbps'),
    );
}

/** perftest prints half of a round trip; ours is halved to compare. */
function latency(name: string, op: string, halved: boolean): () => Promise<PairedRow> {
  return () =>
    paired(
      `${op} latency, 2 B: our loop against ${name}`,
      'us',
      pairs,
      async () =>
        (await vlloop('rdma', ['--op', op, '--lat', '-s', '2', '-n', ITERATIONS])).latencyUs.p50 /
        (halved ? 2 : 1),
      () => perftest(name, ['-s', '2', '-n', ITERATIONS], 'typicalUs'),
    );
}

const cases: Cases = {
  'write-bw': bandwidth('ib_write_bw', 'write'),
  'read-bw': bandwidth('ib_read_bw', 'read'),
  'send-bw': bandwidth('ib_send_bw', 'send'),
  'send-lat': latency('ib_send_lat', 'send', true),
  'write-lat': latency('ib_write_lat', 'write', true),
  'read-lat': latency('ib_read_lat', 'read', false),
};

/** Relative distance that a figure of Verbs Lab may have from perftest's own. */
const TOLERANCE = 0.05;

await runCases(cases, chosen, (_, row) => {
  const ok = Math.abs(row.ratio.median - 1) <= TOLERANCE;
  return { row: { ...row, ok }, remark: `within ${TOLERANCE * 100} %: ${ok ? 'yes' : 'NO'}` };
});
