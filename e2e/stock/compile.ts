/** C programs of this suite, built with the distribution's headers, for cases that packaged programs do not cover. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** False without a compiler or without the headers. */
export const able =
  spawnSync('cc', ['-E', '-include', 'infiniband/verbs.h', '-x', 'c', '/dev/null']).status === 0;

/** A folder of compiled programs that any user may run. */
export class Programs {
  readonly #folder = mkdtempSync(join(tmpdir(), 'verbs-programs-'));

  constructor() {
    chmodSync(this.#folder, 0o755);
  }

  /** The binary of `programs/NAME.c`, or, where NAME ends in `.cc`, of that file. */
  compile(
    name: string,
    flags: readonly string[] = [],
    libraries: readonly string[] = ['-libverbs', '-lrdmacm'],
  ): string {
    const inCpp = name.endsWith('.cc');
    const binary = join(this.#folder, inCpp ? name.slice(0, -3) : name);
    const source = join(import.meta.dirname, 'programs', inCpp ? name : `${name}.c`);
    const compiler = inCpp ? 'c++' : 'cc';
    const args = ['-O1', '-Wall', '-Werror', ...flags, '-o', binary, source, ...libraries];
    const { status, stderr } = spawnSync(compiler, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${compiler} failed: ${stderr}`);
    return binary;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
