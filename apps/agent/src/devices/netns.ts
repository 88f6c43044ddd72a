import { existsSync } from 'node:fs';
import { AppError } from '@verbslab/protocol';

/** Where ip-netns(8) keeps the namespaces that have names. */
const NAMED = '/run/netns';

/**
 * The network namespace that the embedded device lives in, as a path; undefined: the agent's own. VERBSLAB_UROCE_NETNS is
 * the name of one (`ip netns`) or a path. It is for machines with rdma_rxe, which takes UDP port 4791 for all of its
 * namespace.
 */
export function embeddedNetns(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const value = env.VERBSLAB_UROCE_NETNS;
  if (!value) return undefined;
  return value.startsWith('/') ? value : `${NAMED}/${value}`;
}

/**
 * The command that starts a program of Node's there: nsenter(1), which the kernel lets only with CAP_SYS_ADMIN. Throws
 * NETNS when there is no such namespace.
 */
export function nodeIn(netns: string | undefined, args: readonly string[]): [string, string[]] {
  if (netns === undefined) return [process.execPath, [...args]];
  if (!existsSync(netns)) throw new AppError('NETNS', { netns, detail: 'it does not exist' });
  return ['nsenter', [`--net=${netns}`, process.execPath, ...args]];
}
