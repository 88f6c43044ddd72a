/** Programs of our own, in C against the distribution's headers: what the packaged ones do not do. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** False where there is no compiler, or none of the headers. */
export const able =
  spawnSync('cc', ['-E', '-include', 'infiniband/verbs.h', '-x', 'c', '/dev/null']).status === 0;

/** A folder of compiled programs that any user may run. */
export class Programs {
  readonly #folder = mkdtempSync(join(tmpdir(), 'verbs-programs-'));

  constructor() {
    chmodSync(this.#folder, 0o755);
  }

  /** The binary of `programs/NAME.c`. */
  compile(name: string, flags: readonly string[] = []): string {
    const binary = join(this.#folder, name);
    const source = join(import.meta.dirname, 'programs', `${name}.c`);
    const args = ['-O1', '-Wall', '-Werror', ...flags, '-o', binary, source, '-libverbs', '-lrdmacm'];
    const { status, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`cc failed: ${stderr}`);
    return binary;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
