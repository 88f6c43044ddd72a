import { hexNumber } from '../../base/bytes.js';
import { Sample } from '../../base/sample.js';
import { DESCRIBED, finding } from './class.js';
import type { FindingClass } from './class.js';
import { count, end, plural, time, was } from './words.js';

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
        why: 'The ICRC was computed again from the captured bytes and differs. A receiver drops such a packet silently, so it has to come again. It counts in nothing else.',
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

function headers(lacking: number, answers: number): string {
  if (lacking === 0) return 'Headers are there.';
  const which = answers > 0 ? `, and in ${plural(answers, 'answer')} what tells an ACK from a NAK` : '';
  return `Of ${plural(lacking, 'packet')} parts of the headers are cut off, too${which}.`;
}

export const unknown: FindingClass = {
  id: 'unknown-opcode',
  checks: 'opcodes that are reserved or left to manufacturers',
  find: ({ totals: { unknown: packets, unknownOpcodes } }) => {
    if (packets.total === 0) return [];
    const names = [...unknownOpcodes].slice(0, 8).map((opcode) => hexNumber(opcode, 2));
    return [
      finding('unknown-opcode', {
        severity: 'note',
        packets,
        text: `${plural(packets.total, 'packet has an opcode', 'packets have opcodes')} that the specification does not define: ${names.join(', ')}.`,
        why: 'From 0xc0 on, opcodes belong to manufacturers; others are reserved. What follows the BTH is not known, so these packets count in their connection, but are not decoded.',
        cure: 'See the manual of the card or program that sends them.',
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
        why: `The capture holds fewer bytes than the packet had on the wire, so the ICRC cannot be checked. ${headers(totals.headersCut.total, totals.cutAnswers)}`,
        cure: 'Capture whole packets (tcpdump -s 0) if you need the payload or the ICRC; 80 bytes hold the headers of most.',
      }),
    ];
  },
};

/** Kinds that a sentence names. */
const NAMED = 5;

function kindsText(kinds: readonly [string, number][]): string {
  const named = kinds.slice(0, NAMED).map(([kind, n]) => `${count(n)} ${kind}`);
  const rest = kinds.slice(NAMED).reduce((sum, [, n]) => sum + n, 0);
  return [...named, ...(rest > 0 ? [`${count(rest)} others`] : [])].join(', ');
}

export const other: FindingClass = {
  id: 'not-roce',
  checks: 'packets that are not RoCE',
  find: ({ totals }) => {
    const { packets, mostKinds, udpPorts, encrypted } = totals.notRoce;
    if (packets.total === 0) return [];
    return [
      finding('not-roce', {
        severity: 'note',
        packets,
        text: `${plural(packets.total, 'packet')} of ${count(totals.packets)} ${packets.total === 1 ? 'is' : 'are'} not RoCE: ${kindsText(mostKinds)}.`,
        why: [
          'They are not diagnosed.',
          ...(udpPorts.length > 0
            ? [
                `UDP went to ${udpPorts.length === 1 ? 'port' : 'ports'} ${udpPorts.join(', ')}; RoCEv2 goes to 4791.`,
              ]
            : []),
          ...(encrypted ? ['What ESP encrypts cannot be read; RoCE may be inside.'] : []),
        ].join(' '),
        cure: 'Nothing. The filter !infiniband lists them. RoCE on another UDP port is read if you name that port (--port; on the page: RoCE ports).',
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

export const clocks: FindingClass = {
  id: 'clocks-apart',
  checks: 'places of capture whose clocks differ',
  find: ({ clocks: apart }) =>
    apart.slice(0, DESCRIBED).map(({ connection: { shown }, ns }) => ({
      ...finding(
        'clocks-apart',
        {
          severity: 'note',
          packets: new Sample(),
          text: `The clocks of the two places that captured ${end(shown.ends[0])} and ${end(shown.ends[1])} differ by about ${time(ns)}.`,
          why: 'Packets arrive before they leave. So their order is not known, and nothing is said of what was lost, sent again or late on this connection.',
          cure: 'Correct the times of one of the captures before you merge them (editcap -t), or capture with synchronized clocks.',
        },
        shown.id,
      ),
    })),
};
