import { rateOf } from '../connections.js';
import { Sample } from '../../base/sample.js';
import { NO_CURE } from '../types.js';
import { DESCRIBED, finding, ways } from './class.js';
import type { FindingClass } from './class.js';
import { bytes, percent, rate, time } from './words.js';

export const goodput: FindingClass = {
  id: 'goodput',
  checks: 'goodput of each direction',
  find: ({ connections }) =>
    [...ways(connections)]
      .filter(({ flow }) => rateOf(flow) !== null)
      .sort((a, b) => b.flow.goodBytes - a.flow.goodBytes)
      .slice(0, DESCRIBED)
      .map(({ flow, from, to, connection }) => {
        const { data, goodBytes, payloadBytes } = flow;
        const ns = data.endT - data.startT;
        const packets = new Sample();
        packets.add(flow.firstPacket);
        const headers = Math.max(0, data.wireBytes - payloadBytes) / data.wireBytes;
        return finding(
          'goodput',
          {
            severity: 'note',
            packets,
            text: `${from} sent ${bytes(goodBytes)} of payload to ${to} in ${time(ns)}: ${rate(rateOf(flow)!)}; headers were ${percent(headers)} of its bytes.`,
            why: 'Each PSN counts once, retransmissions not at all. The time is that from the first to the last packet with payload, pauses of the program included. Larger messages and a larger path MTU lower the share of headers.',
            cure: NO_CURE,
          },
          connection.shown.id,
        );
      }),
};

export const unmatched: FindingClass = {
  id: 'unmatched',
  checks: 'connections with one direction only',
  find: ({ connections }) => {
    const packets = new Sample();
    for (const { shown, flows } of connections) {
      if ((shown.transport === 'RC' || shown.transport === 'XRC') && !flows[1])
        packets.add(shown.firstPacket);
    }
    if (packets.total === 0) return [];
    const one = packets.total === 1;
    return [
      finding('unmatched', {
        severity: 'note',
        packets,
        text: `${packets.total} RC ${one ? 'flow has' : 'flows have'} no matching flow in the other direction.`,
        why: 'RC packets do not name the QP of their sender. Neither a connection request in the capture nor the PSNs of answers told which flow belongs to which, or the other direction was not captured. Requests and answers were not compared.',
        cure: 'Capture both directions, and the connection setup if you can.',
      }),
    ];
  },
};
