import type { Link } from '@verbslab/protocol';

/** Name of each link's medium in pictures. */
export const LINK_MEDIUM: Readonly<Record<Link, string>> = { udp: 'UDP sockets', shm: 'shared memory' };
