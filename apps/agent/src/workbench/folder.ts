import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeExecFolder, type ExecFolder } from '../program/feed-folders.js';

/** Folders in which a program is compiled and run. */
export interface ProgramFolder {
  /** Folder of the source and the compiler's output. The program may read it. */
  readonly build: string;
  /** The program’s own folder, in which it starts. It is empty then. */
  readonly box: string;
  /** Folder for the file in which the device keeps its key. */
  readonly keys: string;
  /** File in which the launcher writes its verdict on the program. */
  readonly verdict: string;
  remove(): void;
}

/** Makes the folder. Rejects if that fails. */
export async function makeProgramFolder(name: string, source: string): Promise<ProgramFolder> {
  // The folder is removed when its owner is gone, like those of `exec`.
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
