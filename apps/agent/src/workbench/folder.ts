import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExecFolder, type ExecFolder } from '../program/feed-folders.js';

/** Where one program is compiled and run. */
export interface ProgramFolder {
  /** Source, and what the compiler makes of it. The program may read it. */
  readonly build: string;
  /** The program’s own: it begins there, empty. */
  readonly box: string;
  /** For the file in which the device keeps its key. */
  readonly keys: string;
  /** The launcher writes there what stopped the program. */
  readonly verdict: string;
  remove(): void;
}

/** Rejects where it cannot be made. */
export async function makeProgramFolder(name: string, source: string): Promise<ProgramFolder> {
  // Like those of `exec`, it is swept when its owner is gone.
  const folder: ExecFolder = await makeExecFolder();
  const [build, box, keys] = ['build', 'box', 'keys'].map((one) => join(folder.path, one)) as [
    string,
    string,
    string,
  ];
  for (const one of [build, box, keys]) mkdirSync(one, { mode: 0o700 });
  writeFileSync(join(build, name), source);
  return { build, box, keys, verdict: join(folder.path, 'verdict'), remove: () => folder.remove() };
}
