import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Paths at which execvp would look for a program without a slash in its name, in order. */
export const onPath = (program: string): string[] =>
  (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', program));

/** The first of the paths that is an executable file; null if none is. */
export function firstExecutable(paths: readonly string[]): string | null {
  for (const path of paths) {
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // The path is not executable.
    }
  }
  return null;
}
