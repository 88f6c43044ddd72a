import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bootId } from '../base/boot-id.js';
import type { Kernel } from './kernel.js';
import { probeInitramfs } from './initramfs.js';
import { cacheFolder } from './paths.js';
import { end, isAlive, startDetached } from './process.js';
import { bareMachine, kernelLine, qemuProgram, type Accel } from './qemu.js';

/** Time limit for the start of a kernel, ms. With working KVM, a kernel starts in less than a second. */
const PATIENCE = 6_000;

function kvmPresent(): boolean {
  try {
    accessSync('/dev/kvm', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Tries KVM. /dev/kvm may exist and still not start a stock kernel (nested, filtered): only a trial shows this. */
async function tryKvm(kernel: Kernel, signal: AbortSignal): Promise<boolean> {
  const folder = mkdtempSync(join(cacheFolder(), 'kvm-'));
  writeFileSync(join(folder, 'initramfs'), probeInitramfs());
  const qemu = await startDetached(
    qemuProgram(),
    [
      ...bareMachine('kvm', 1, 256, 'console'),
      ...['-kernel', kernel.image, '-initrd', 'initramfs', '-append', `${kernelLine('kvm')} verbslab.probe`],
    ],
    folder,
    'log',
  );
  try {
    const console = join(folder, 'console');
    for (const started = Date.now(); isAlive(qemu) && Date.now() - started < PATIENCE;) {
      await pause(50, undefined, { signal });
    }
    return existsSync(console) && readFileSync(console, 'utf8').includes('@verbslab alive');
  } finally {
    await end(qemu);
    rmSync(folder, { recursive: true, force: true });
  }
}

const memoFile = (): string => join(cacheFolder(), 'kvm.json');

const memoKey = (version: string): string => `${bootId()} ${version}`;

/**
 * The result of an earlier trial of this kernel under KVM since the host booted; `tcg` without KVM; null if a trial is
 * needed.
 */
export function knownAccel(version: string | null): Accel | null {
  if (!kvmPresent()) return 'tcg';
  if (version === null || !existsSync(memoFile())) return null;
  const known = JSON.parse(readFileSync(memoFile(), 'utf8')) as { key: string; works: boolean };
  if (known.key !== memoKey(version)) return null;
  return known.works ? 'kvm' : 'tcg';
}

/** Chooses KVM if it works, else software emulation. The choice holds until the host boots again. */
export async function chooseAccel(
  kernel: Kernel,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Accel> {
  const known = knownAccel(kernel.version);
  if (known) return known;
  say('trying KVM');
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
  const works = await tryKvm(kernel, signal);
  writeFileSync(memoFile(), JSON.stringify({ key: memoKey(kernel.version), works }));
  if (!works) say('/dev/kvm exists but cannot start a kernel; using software emulation');
  return works ? 'kvm' : 'tcg';
}
