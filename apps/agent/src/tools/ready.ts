import { readFileSync } from 'node:fs';
import type { ToolReady } from '@verbslab/labs/tools';

/** Port spaces of the connection manager, as the device names them (rdma_cma.h). */
const SPACES = { tcp: 0x106, udp: 0x111 } as const;
const ROCE_PORT = 4791;

/** Lines of a kernel list, from the network namespace of the process. Empty if unreadable. */
function netList(pid: number | 'self', name: 'tcp' | 'tcp6' | 'udp' | 'unix'): string[] {
  try {
    return readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n');
  } catch {
    return [];
  }
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** An IPv4 address in the form of /proc/net/udp on a little-endian machine. */
const hexAddress = (address: string): string =>
  address
    .split('.')
    .reverse()
    .map((byte) => Number(byte).toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();

/** True if a process listens there, in the network namespace of `pid`. */
export function isReady(ready: ToolReady, pid: number | 'self'): boolean {
  if (ready.kind === 'group') {
    const socket = ` ${hexAddress(ready.address)}:${hexPort(ROCE_PORT)} `;
    return netList(pid, 'udp').some((line) => line.includes(socket));
  }
  if (ready.kind === 'cm') {
    const end = `.ps${SPACES[ready.space]}.${ready.port}`;
    return netList(pid, 'unix').some((line) => line.endsWith(end));
  }
  const local = new RegExp(`^\\s*\\d+: [0-9A-F]+:${hexPort(ready.port)} [0-9A-F:]+ 0A `);
  return [...netList(pid, 'tcp'), ...netList(pid, 'tcp6')].some((line) => local.test(line));
}
