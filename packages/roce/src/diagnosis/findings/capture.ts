import { finding } from './class.js';
import type { FindingClass } from './class.js';
import { count, plural, was } from './words.js';

export const icrc: FindingClass = {
  id: 'icrc',
  checks: 'ICRC errors',
  find: ({ totals }) => {
    const { icrcBad: packets } = totals;
    if (packets.total === 0) return [];
    return [
      finding('icrc', {
        severity: 'error',
        packets,
        text: `${plural(packets.total, 'packet has', 'packets have')} a wrong ICRC.`,
        why: 'The ICRC was computed again from the captured bytes and differs. A receiver drops such a packet silently, so it counts as missing below.',
        cure: 'Look for a faulty cable, port or memory on the way, or for a program or card that computes the ICRC wrongly. If all packets of one sender are wrong, its software is.',
      }),
    ];
  },
};

export const malformed: FindingClass = {
  id: 'malformed',
  checks: 'malformed packets',
  find: ({ totals }) => {
    const { malformed: packets } = totals;
    if (packets.total === 0) return [];
    return [
      finding('malformed', {
        severity: 'error',
        packets,
        text: `${plural(packets.total, 'packet is', 'packets are')} malformed.`,
        why: 'Lengths or opcodes contradict each other. These packets are left out of everything below.',
        cure: 'Select one to see at which byte its fields contradict each other. If the sender is your own program, correct it; otherwise capture again.',
      }),
    ];
  },
};

export const cut: FindingClass = {
  id: 'cut',
  checks: 'packets that the capture cut short',
  find: ({ totals }) => {
    const { cut: packets } = totals;
    if (packets.total === 0) return [];
    return [
      finding('cut', {
        severity: 'note',
        packets,
        text: `${plural(packets.total, 'packet')} of ${count(totals.packets)} ${was(packets.total)} cut short by the capture.`,
        why: 'The capture holds fewer bytes than the packet had on the wire. Headers are there, but the ICRC cannot be checked.',
        cure: 'Capture whole packets (tcpdump -s 0) if you need the payload or the ICRC.',
      }),
    ];
  },
};

export const other: FindingClass = {
  id: 'not-roce',
  checks: 'packets that are not RoCE',
  find: ({ totals }) => {
    const { other: packets } = totals;
    if (packets.total === 0) return [];
    return [
      finding('not-roce', {
        severity: 'note',
        packets,
        text: `${plural(packets.total, 'packet')} of ${count(totals.packets)} ${packets.total === 1 ? 'is' : 'are'} not RoCE.`,
        why: 'They do not go to UDP port 4791 and have no RoCEv1 EtherType. They are not diagnosed.',
        cure: 'Nothing. The filter !infiniband lists them.',
      }),
    ];
  },
};

export const times: FindingClass = {
  id: 'time-order',
  checks: 'times that run backwards',
  find: ({ totals }) => {
    const { backInTime: packets } = totals;
    if (packets.total === 0) return [];
    return [
      finding('time-order', {
        severity: 'note',
        packets,
        text: `${plural(packets.total, 'packet has an earlier time', 'packets have earlier times')} than the packet before.`,
        why: 'The diagnosis takes packets in the order of the file. Several capture queues or a merged file can write them out of order, which then looks like reordering.',
        cure: 'Sort the file first: reordercap in.pcapng out.pcapng.',
      }),
    ];
  },
};
