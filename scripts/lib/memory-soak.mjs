// Two processes WRITE for a long time; neither may grow.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './exec.mjs';
import { failure } from './reports.mjs';
import { step } from './say.mjs';

const ALLOWED = 512 * 1024; // bytes: a page table here and there
const SAMPLES = 20;

/** Private memory of a process, bytes. */
function privateBytes(pid) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return ['Private_Clean', 'Private_Dirty']
    .map((name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024)
    .reduce((sum, value) => sum + value, 0);
}

/** Resolves to counts; the first tenth of the time is for warming up. `rate`: messages a second, 0: as fast as it goes. */
export async function memorySoak(minutes, rate) {
  const loop = join(root, 'native/build/Release/vlloop');
  const library = ['rdma', '--lib', join(root, 'native/build/Release/liburoce.so'), '-p', '18777'];
  const server = spawn(loop, library, { stdio: ['ignore', 'ignore', 'pipe'] });
  await new Promise((resolve, reject) => {
    server.stderr.on('data', (text) => String(text).includes('listening') && resolve());
    server.once('exit', (code) => reject(new Error(`vlloop ended with ${code}`)));
  });
  const seconds = minutes * 60;
  const pace = rate > 0 ? ['--events', '--rate', String(rate)] : [];
  const options = ['--op', 'send', '-s', '20000', '-q', '4', '-D', String(seconds), ...pace, '127.0.0.1'];
  const client = spawn(loop, [...library, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  client.stderr.on('data', (text) => (said = (said + text).slice(-2000)));
  const ended = new Promise((resolve) => client.once('exit', resolve));
  let first = null;
  let grown = 0;
  try {
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const pause = new Promise((resolve) => setTimeout(resolve, (seconds * 1000 * 0.9) / SAMPLES));
      const over = await Promise.race([pause.then(() => false), ended.then(() => true)]);
      if (over) break;
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
