import type { Evidence } from '../diagnoser.js';
import { Sample } from '../../base/sample.js';
import { NO_CURE } from '../types.js';
import { finding, perWay, ways } from './class.js';
import type { FindingClass } from './class.js';
import { count, plural } from './words.js';

export const mtu: FindingClass = {
  id: 'mtu',
  checks: 'the path MTU in use',
  find: ({ connections }) => {
    const found = new Map<number, { first: Sample; connections: number }>();
    for (const { shown } of connections) {
      if (shown.mtu === null) continue;
      const one = found.get(shown.mtu) ?? { first: new Sample(), connections: 0 };
      one.connections++;
      one.first.add(shown.firstPacket);
      if (found.size < 16) found.set(shown.mtu, one);
    }
    return [...found].map(([size, { first, connections: n }]) =>
      finding('mtu', {
        severity: 'note',
        packets: first,
        text: `${plural(n, 'connection')} ${n === 1 ? 'uses' : 'use'} a path MTU of ${count(size)} bytes.`,
        why: 'Packets that do not end their message carry exactly one path MTU of payload. A larger path MTU needs fewer packets: the MTU of the Ethernet interfaces and switches limits it.',
        cure: NO_CURE,
      }),
    );
  },
};

export const mixed: FindingClass = {
  id: 'mtu-mixed',
  checks: 'packets of another size than the path MTU',
  find: (evidence) =>
    perWay('mtu-mixed', evidence, ({ flow, from }) => {
      if (flow.otherSizes.total === 0) return null;
      return {
        severity: 'warning',
        packets: flow.otherSizes,
        text: `${plural(flow.otherSizes.total, 'packet')} from ${from} that ${flow.otherSizes.total === 1 ? 'does' : 'do'} not end a message ${flow.otherSizes.total === 1 ? 'carries' : 'carry'} ${count(flow.otherSize)} bytes, the others ${count(flow.mtu)}.`,
        why: 'Such packets must carry exactly one path MTU. The QPN may have been used for two connections in turn; otherwise the sender breaks the protocol.',
        cure: 'Check that both ends of the QP were set to the same path MTU.',
      };
    }),
};

/** The largest path MTU of each pair of hosts. */
function largest({ connections }: Evidence): Map<string, number> {
  const found = new Map<string, number>();
  for (const { flow } of ways(connections)) {
    if (flow.mtu === 0) continue;
    const key = `${flow.src} ${flow.dst}`;
    found.set(key, Math.max(found.get(key) ?? 0, flow.mtu));
  }
  return found;
}

export const below: FindingClass = {
  id: 'mtu-below-path',
  checks: 'a path MTU below that of other connections on the path',
  find: (evidence) => {
    const most = largest(evidence);
    return perWay('mtu-below-path', evidence, ({ flow, from, to }) => {
      const best = most.get(`${flow.src} ${flow.dst}`) ?? 0;
      const agreed = flow.agreedMtu > flow.mtu ? flow.agreedMtu : 0;
      const possible = Math.max(best, agreed);
      if (flow.mtu === 0 || flow.mtu >= possible) return null;
      const packets = new Sample();
      packets.add(flow.firstPacket);
      return {
        severity: 'note',
        packets,
        text: `${from} sends ${count(flow.mtu)} bytes per packet to ${to}, though ${best > flow.mtu ? `another connection of the same hosts uses ${count(best)}` : `their connection request allows ${count(agreed)}`}.`,
        why:
          best > flow.mtu
            ? 'The packets of the capture prove that the path carries the larger size.'
            : 'The ConnectRequest names the larger size. No packet in the capture proves that the path carries it.',
        cure: 'Set the larger path_mtu at both QPs.',
      };
    });
  },
};
