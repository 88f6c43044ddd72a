import type { Link } from '@verbslab/protocol';

/** What carries the packets of a link, as pictures name it. */
export const LINK_MEDIUM: Readonly<Record<Link, string>> = { udp: 'UDP sockets', shm: 'shared memory' };
