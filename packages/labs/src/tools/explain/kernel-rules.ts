import type { LineRule } from './rule.js';

/** A name that counts, and its value. */
const COUNTER = /(\S+) (\d+)/g;

/** The counters of a line that are not 0. */
function moved(counters: string): string {
  const found = [...counters.matchAll(COUNTER)].filter(([, , value]) => value !== '0');
  return found.length === 0
    ? 'All are 0.'
    : `Not 0: ${found.map(([, name, value]) => `${name} ${value}`).join(', ')}.`;
}

/** Lines of `rdma`, of iproute2. */
export const RDMA_RULES: readonly LineRule[] = [
  {
    line: /NETLINK_RDMA socket/,
    meaning:
      'This kernel has no RDMA subsystem: its modules (ib_core) are not loaded, or it was built without them. The embedded device needs none.',
  },
  {
    line: /^error: Operation not supported/,
    meaning:
      'The embedded device does not answer this. Its counters and objects belong to the processes that use it, and are on the page of each run.',
  },
  {
    line: /^link (\S+)\/\d+ state (\S+)/,
    meaning: ([, , state]) => ({
      text: 'A port: device/port, its state, and the network interface under it.',
      ...(state === 'ACTIVE' ? {} : { figures: 'Only an ACTIVE port carries packets.' }),
    }),
  },
  {
    line: /^link \S+ cntn \d+/,
    meaning: 'Counters that were bound to QPs, by hand or by a rule such as “one for each type of QP”.',
  },
  {
    line: /^link \S+\/\d+ (\S+ \d+.*)$/,
    meaning: ([, counters = '']) => ({
      text: 'hw_counters of a port since its device was made. The lab on hardware counters moves such counters on purpose.',
      figures: moved(counters),
    }),
  },
  {
    line: /^\d+: \S+: node_type /,
    meaning: 'A device: its number and name, its kind (ca: channel adapter), firmware and GUIDs.',
  },
  {
    line: /^\d+: \S+: (?=.*\b(?:pd|cq|qp) \d)/,
    meaning:
      'Objects that exist on a device now, those of the kernel included. If one stays after its program ended, another process holds it or it was leaked.',
  },
];
