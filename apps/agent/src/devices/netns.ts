import { existsSync } from 'node:fs';
import { AppError } from '@verbslab/protocol';

/** Folder in which ip-netns(8) keeps the named namespaces. */
const NAMED = '/run/netns';

/**
 * Path of the embedded device's network namespace; undefined for the agent's own. VERBSLAB_UROCE_NETNS is the name of
 * one (`ip netns`) or a path. The setting serves machines with rdma_rxe, which takes UDP port 4791 for all of its
 * namespace.
 */
export function embeddedNetns(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const value = env.VERBSLAB_UROCE_NETNS;
  if (!value) return undefined;
  return value.startsWith('/') ? value : `${NAMED}/${value}`;
}

/**
 * The command that starts a Node program in a namespace: nsenter(1), for which the kernel demands CAP_SYS_ADMIN. Throws
 * NETNS if there is no such namespace.
 */
export function nodeIn(netns: string | undefined, args: readonly string[]): [string, string[]] {
  if (netns === undefined) return [process.execPath, [...args]];
  if (!existsSync(netns)) throw new AppError('NETNS', { netns, detail: 'it does not exist' });
  return ['nsenter', [`--net=${netns}`, process.execPath, ...args]];
}
