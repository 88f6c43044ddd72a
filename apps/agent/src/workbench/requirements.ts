import { existsSync } from 'node:fs';
import type { WorkbenchLanguage } from '@verbslab/protocol';
import { firstExecutable, onPath } from '../config/executable.js';

/** In the order in which they are looked for. */
export const COMPILERS = ['gcc', 'cc'] as const;

const HEADERS = ['infiniband/verbs.h', 'rdma/rdma_cma.h'] as const;
const INCLUDE = ['/usr/include', '/usr/local/include'] as const;

/** What installs all that a language needs. The compiler of TypeScript comes with the agent. */
export const INSTALL: Readonly<Record<WorkbenchLanguage, string>> = {
  typescript: 'npm install',
  c: 'sudo apt-get install -y gcc libc6-dev libibverbs-dev librdmacm-dev',
};

/** The C compiler of this host; null when there is none. */
export const compiler = (): string | null => firstExecutable(COMPILERS.flatMap((name) => onPath(name)));

/** What a language needs and this host lacks. */
export function missingFor(language: WorkbenchLanguage): string[] {
  if (language === 'typescript') return [];
  const headers = HEADERS.filter((name) => !INCLUDE.some((folder) => existsSync(`${folder}/${name}`)));
  return [...(compiler() === null ? [COMPILERS[0]] : []), ...headers];
}
