/** iSCSI over RDMA: a target of tgt and an initiator of libiscsi, which logs in again and again. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { installed, start, type Running } from './run.js';

const run = promisify(execFile);
const TARGET = 'iqn.2026-01.lab.example:disk';
const INITIATOR = 'iqn.2026-01.lab.example:initiator';
const LOGINS = 20;
/** Time limit of a test, ms: the start of the target, and the logins, on a busy machine. */
const PATIENCE = 600_000;

// tgtd keeps its control socket in /var/run.
const able = installed('tgtd') && installed('iscsi-inq') && process.getuid?.() === 0;
if (!able) console.warn('without root or packages (apt install tgt libiscsi-bin), iSER is skipped');

describe.skipIf(!able).each(['auto', 'udp'])('tgt and libiscsi over %s', (link) => {
  const folder = mkdtempSync(join(tmpdir(), 'verbs-iser-'));
  const control = String(1000 + (process.pid % 30_000));
  let target: Running | null = null;
  afterEach(async () => {
    // A signal does not end tgtd while it has a target.
    spawnSync('tgtadm', admin('--mode', 'target', '--op', 'delete', '--force', '--tid', '1'));
    spawnSync('tgtadm', admin('--mode', 'system', '--op', 'delete'));
    await target?.finished;
    rmSync(folder, { recursive: true });
  });

  const admin = (...args: string[]) => ['-C', control, '--lld', 'iser', ...args];
  const serves = () => spawnSync('tgtadm', admin('--mode', 'target', '--op', 'show')).status === 0;

  it(`let ${String(LOGINS)} logins in`, { timeout: PATIENCE }, async () => {
    const disk = join(folder, 'disk');
    writeFileSync(disk, '');
    truncateSync(disk, 16 << 20);
    const options = { exec: true, env: { UROCE_LINK: link }, timeoutMs: PATIENCE };
    target = start(
      'tgtd',
      ['-f', '-C', control, '--iscsi', 'portal=127.0.0.1:3261', '--iser', 'pool_sz_mb=64'],
      options,
    );
    while (!serves()) {
      expect(target.child.exitCode, target.printed()).toBeNull();
      await new Promise((resume) => setTimeout(resume, 50));
    }
    await run('tgtadm', admin('--mode', 'target', '--op', 'new', '--tid', '1', '-T', TARGET));
    await run(
      'tgtadm',
      admin('--mode', 'logicalunit', '--op', 'new', '--tid', '1', '--lun', '1', '-b', disk),
    );
    await run('tgtadm', admin('--mode', 'target', '--op', 'bind', '--tid', '1', '-I', 'ALL'));
    await run('tgtadm', admin('--mode', 'target', '--op', 'bind', '--tid', '1', '-Q', INITIATOR));
    const url = `iser://127.0.0.1:3260/${TARGET}/1`;
    // All logins share one `exec` command, which takes longer to start than a login.
    const logins = `for login in $(seq ${String(LOGINS)}); do iscsi-inq -i ${INITIATOR} ${url} || exit; done`;
    const { code, output } = await start('sh', ['-c', logins], options).finished;
    expect(code, `${output}\n${target.printed()}`).toBe(0);
    expect(output.match(/Vendor:IET/g)).toHaveLength(LOGINS);
  });
});
