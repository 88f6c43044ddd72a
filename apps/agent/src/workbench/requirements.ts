import { existsSync } from 'node:fs';
import type { WorkbenchLanguage } from '@verbslab/protocol';
import { firstExecutable, onPath } from '../config/executable.js';

/** C compilers, in order of preference. */
export const COMPILERS = ['gcc', 'cc'] as const;

const HEADERS = ['infiniband/verbs.h', 'rdma/rdma_cma.h'] as const;
const INCLUDE = ['/usr/include', '/usr/local/include'] as const;

/** Commands that install everything a language needs. The TypeScript compiler comes with the agent. */
export const INSTALL: Readonly<Record<WorkbenchLanguage, string>> = {
  typescript: 'npm install',
  c: 'sudo apt-get install -y gcc libc6-dev libibverbs-dev librdmacm-dev',
};

/** The C compiler of this host; null when there is none. */
export const compiler = (): string | null => firstExecutable(COMPILERS.flatMap((name) => onPath(name)));

/** Requirements of a language that this host lacks. */
export function missingFor(language: WorkbenchLanguage): string[] {
  if (language === 'typescript') return [];
  const headers = HEADERS.filter((name) => !INCLUDE.some((folder) => existsSync(`${folder}/${name}`)));
  return [...(compiler() === null ? [COMPILERS[0]] : []), ...headers];
}
