// A thread that writes completion records into a ring at a set rate, where a measuring loop's own thread would.
// Plain JavaScript: a worker knows nothing of the loader that runs TypeScript.
import { parentPort, workerData } from 'node:worker_threads';
import { RECORD_WORDS } from '@verbslab/verbs';

/** @type {import('./records.js').WriterData} */
const { buffer, stop, recordsPerSecond, durationMs, latencies } = workerData;

// Layout of packages/verbs/src/loop/completion-ring.ts.
const HEADER_WORDS = 64;
const WRITTEN = 0;
const READ = 16;
const DROPPED = 32;
const CAPACITY = 48;
const words = new Uint32Array(buffer);
const capacity = words[CAPACITY];
const stopped = new Int32Array(stop);

/** Records come in bursts of a millisecond, as a thread that shares its core writes them. */
const BURST_MS = 1;
/** Completions that one poll is said to have returned. */
const BATCH = 16;
const QPN = 0x11_0203;
const BYTES = 64;
/** IBV_WC_RDMA_WRITE, IBV_WC_SUCCESS, no flags. */
const META = 1;

const total = Math.round((recordsPerSecond * durationMs) / 1000);
const startedAtNs = process.hrtime.bigint();
const start = Number(startedAtNs);
let written = 0;
let dropped = 0;
let now = start;

/** Writes records number `from` to `to`, stamped evenly over the time they are due in. */
function write(from, to) {
  const step = 1e9 / recordsPerSecond;
  for (let record = from; record < to; record++) {
    const t = start + (record + 1) * step;
    const at = HEADER_WORDS + (written++ & (capacity - 1)) * RECORD_WORDS;
    words[at] = t % 2 ** 32;
    words[at + 1] = t / 2 ** 32;
    words[at + 2] = record;
    words[at + 3] = BATCH;
    words[at + 4] = QPN;
    words[at + 5] = META;
    words[at + 6] = BYTES;
    words[at + 7] = latencies[record & (latencies.length - 1)];
  }
}

while (written + dropped < total && Atomics.load(stopped, 0) === 0) {
  Atomics.wait(stopped, 0, 0, BURST_MS);
  now = Number(process.hrtime.bigint());
  const due = Math.min(total, Math.floor(((now - start) * recordsPerSecond) / 1e9));
  const from = written + dropped;
  const room = capacity - ((Atomics.load(words, WRITTEN) - Atomics.load(words, READ)) >>> 0);
  const to = Math.min(due, from + room);
  write(from, to);
  Atomics.store(words, WRITTEN, written >>> 0);
  if (to < due) {
    dropped += due - to;
    Atomics.store(words, DROPPED, dropped >>> 0);
    Atomics.store(words, DROPPED + 1, Math.floor(dropped / 2 ** 32));
  }
}
parentPort.postMessage({ startedAtNs, elapsedNs: now - start, written, dropped });
