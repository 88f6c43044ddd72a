// npm run samples: records the sample captures of the Packets page (apps/web/public/samples), each from a real run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/exec.mjs';
import { setup } from './lib/setup.mjs';

const folder = join(root, 'apps/web/public/samples');

/** Name of the file, and the run that it is the capture of. apps/web/src/packets/samples.ts describes them. */
const SAMPLES = [
  ['write-lost', ['minimal-flow', '--set', 'size=40000', '--fault-rule', 'drop:opcode=0x07,nth=4,times=1']],
  ['rnr-wait', ['clinic', '--set', 'case=late-recv']],
  ['wrong-rkey', ['clinic', '--set', 'case=wrong-rkey']],
  ['rdma-cm', ['cm-messages', '--set', 'connections=1']],
];

await setup({});
const home = mkdtempSync(join(tmpdir(), 'verbslab-samples-'));
const verbslab = (...args) =>
  execFileSync(process.execPath, [join(root, 'apps/agent/bin/verbslab.js'), ...args], {
    env: { ...process.env, VERBSLAB_HOME: home },
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
try {
  mkdirSync(folder, { recursive: true });
  // A fresh home numbers its runs from 1.
  for (const [i, [name, args]] of SAMPLES.entries()) {
    verbslab('run', ...args, '--json');
    verbslab('runs', 'export', String(i + 1), '--format', 'pcapng', '--out', join(folder, `${name}.pcapng`));
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
