/** A Python program on pyverbs, rdma-core's own binding (Debian: python3-pyverbs). */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { start } from './run.js';

/** Python of the distribution, to which its packages belong. Another one may be first on PATH. */
const python = '/usr/bin/python3';
const ready = spawnSync(python, ['-c', 'import pyverbs']).status === 0;
if (!ready) console.warn('pyverbs is not installed: its test is skipped (apt install python3-pyverbs)');

describe.skipIf(!ready)('pyverbs', () => {
  it('lists the device, asks for its port, and WRITEs', async () => {
    const script = join(import.meta.dirname, 'pyverbs_write.py');
    const { code, output } = await start(python, [script], { ordinaryUser: true }).finished;
    expect(code, output).toBe(0);
    expect(output.trim().split('\n')).toEqual([
      'devices: uroce0',
      'port active: True ethernet: True',
      'completion: 5 True',
      'memory: written by pyverbs',
    ]);
  });
});
