/** ibv_asyncwatch shows a port going down and up. The port is the loopback of a new network namespace. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installed, library } from './run.js';

// stdbuf: without it the program would buffer its lines, since it writes to a file.
const script = `
ip link set lo up
LD_PRELOAD="$LIB" stdbuf -oL ibv_asyncwatch >"$OUT" &
watch=$!
until_seen() { until grep -q "$1" "$OUT"; do kill -0 $watch || exit 1; sleep 0.02; done; }
until_seen 'async event FD'
ip link set lo down
until_seen IBV_EVENT_PORT_ERR
ip link set lo up
until_seen IBV_EVENT_PORT_ACTIVE
kill $watch
`;

const possible =
  ['ibv_asyncwatch', 'stdbuf', 'unshare', 'ip'].every(installed) &&
  spawnSync('unshare', ['-rn', 'true']).status === 0;

it.skipIf(!possible)('ibv_asyncwatch shows the port going down and up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'asyncwatch-'));
  try {
    const out = join(folder, 'out');
    const env = { ...process.env, LIB: library, OUT: out };
    const run = spawnSync('timeout', ['30', 'unshare', '-rn', 'sh', '-c', script], { env, encoding: 'utf8' });
    const seen = readFileSync(out, 'utf8');
    expect(run.status, run.stderr + seen).toBe(0);
    expect(seen).toMatch(
      /event_type IBV_EVENT_PORT_ERR \(10\), port 1[^]*IBV_EVENT_PORT_ACTIVE \(9\), port 1/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
