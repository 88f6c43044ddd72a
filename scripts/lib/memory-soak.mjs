// Two processes WRITE for a long time; neither may grow.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './exec.mjs';
import { failure } from './reports.mjs';
import { step } from './say.mjs';

const ALLOWED = 128 * 1024; // bytes: a page table here and there, and rare latencies in the histograms
const SAMPLES = 20;
const STALL = 300; // ms: some timeouts of ACKs (67 ms), far from the end of all retries (1.8 s)
const WARM_STALLS = 10;

/** Keeps a process from its core for a moment: queues fill, and what takes them in grows to its full size. */
async function stall(child) {
  child.kill('SIGSTOP');
  await pause(STALL);
  child.kill('SIGCONT');
  await pause(STALL);
}

/** Private memory of a process, bytes. */
function privateBytes(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return ['Private_Clean', 'Private_Dirty']
    .map((name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024)
    .reduce((sum, value) => sum + value, 0);
}

/**
 * Resolves to counts; the first tenth of the time is for warming up. `rate`: messages per second; 0: as fast as
 * possible.
 */
export async function memorySoak(minutes, rate) {
  const loop = join(root, 'native/build/Release/vlloop');
  const library = ['rdma', '--lib', join(root, 'native/build/Release/liburoce.so'), '-p', '18777'];
  // An address of its own: traffic of others to 127.0.0.1 would be work for its owner.
  const spawned = { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, UROCE_ADDR: '127.77.0.1' } };
  const server = spawn(loop, library, spawned);
  await new Promise((resolve, reject) => {
    server.stderr.on('data', (text) => String(text).includes('listening') && resolve());
    server.once('exit', (code) => reject(new Error(`vlloop ended with ${code}`)));
  });
  const seconds = minutes * 60;
  const pace = rate > 0 ? ['--events', '--rate', String(rate)] : [];
  const options = ['--op', 'send', '-s', '20000', '-q', '4', '-D', String(seconds), ...pace, '127.0.0.1'];
  const client = spawn(loop, [...library, ...options], spawned);
  let said = '';
  client.stderr.on('data', (text) => (said = (said + text).slice(-2000)));
  const ended = new Promise((resolve) => client.once('exit', resolve));
  const stalls = (sample) => (sample < 2 ? WARM_STALLS : 1);
  const stalled =
    Array.from({ length: SAMPLES }, (_, sample) => stalls(sample)).reduce((a, b) => a + b) * 4 * STALL;
  const interval = Math.max(0, seconds * 1000 * 0.9 - stalled) / SAMPLES;
  let first = null;
  let grown = 0;
  try {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const over = await Promise.race([pause(interval).then(() => false), ended.then(() => true)]);
      if (over) break;
      // Stalls before the first figure that counts, so many that all processes are full-grown; then one once in a
      // while.
      for (let count = stalls(sample); count > 0; count -= 1)
        for (const child of [client, server]) await stall(child);
      const now = [client, server].map(({ pid }) => privateBytes(pid));
      if (sample === 1) first = now;
      if (first) grown = Math.max(...now.map((bytes, side) => bytes - first[side]));
      step(`  ${now.map((bytes) => `${Math.round(bytes / 1024)} KiB`).join(' and ')}`);
    }
    const code = await ended;
    const right = code === 0 && first !== null && grown <= ALLOWED;
    const detail = `grown by ${grown} bytes since the first tenth; the client ended with ${code}${said ? `\n${said}` : ''}`;
    step(`  ${detail}`);
    return right ? { passed: 1, failed: 0 } : failure('memory', detail);
  } finally {
    client.kill('SIGKILL');
    server.kill('SIGKILL');
  }
}
