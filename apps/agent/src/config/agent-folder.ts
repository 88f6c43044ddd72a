import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(import.meta.url);

function folderWith(name: string): string {
  for (let folder = dirname(own); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (folder === dirname(folder)) throw new Error(`no folder above ${own} has a ${name}`);
  }
}

/** The folder of apps/agent, the same for sources, compiled code and bundles. */
export const agentFolder = folderWith('package.json');

/** Arguments with which Node starts a program of the agent in its own process: those before the path, and the path. */
export interface ChildProgram {
  execArgv: string[];
  path: string;
}

/**
 * The program of the endpoint, of its sandbox, of the device list, of the virtual machines, or of the workbench’s
 * compiler. Bundled also where this runs from sources: it starts five times as fast.
 */
export const childProgram = (
  name:
    | 'endpoint/child'
    | 'endpoint/lambda/worker'
    | 'devices/child'
    | 'vms/child'
    | 'workbench/typescript-child',
): ChildProgram => ({
  execArgv: [],
  path: join(agentFolder, 'dist/bundle', `${name}.cjs`),
});
