import { header, uint } from '../base/header.js';
import type { AnyField, FieldDef } from '../base/header.js';

/** Meaning of the two type bits of a syndrome. */
export const AethType = { ACK: 0, RNR: 1, RESERVED: 2, NAK: 3 } as const;
export const aethType = (syndrome: number): number => (syndrome >>> 5) & 3;

/** True for a NAK or an RNR NAK. False for an ACK and without an AETH. */
export const isNak = (syndrome: number | undefined): boolean =>
  syndrome !== undefined && aethType(syndrome) !== 0;

/** NAK codes (lower five bits of a NAK syndrome). */
export const NAK_NAMES: Record<number, string> = {
  0: 'PSN sequence error',
  1: 'Invalid request',
  2: 'Remote access error',
  3: 'Remote operational error',
  4: 'Invalid RD request',
};

/** RNR NAK timer codes 0 to 31, in microseconds. */
export const RNR_TIMER_US: readonly number[] = [
  655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920, 2560, 3840, 5120, 7680,
  10240, 15360, 20480, 30720, 40960, 61440, 81920, 122880, 163840, 245760, 327680, 491520,
];

/** `ACK`, `NAK: PSN sequence error`, `RNR NAK, wait 640 µs`. */
export function syndromeText(syndrome: number): string {
  const low = syndrome & 0x1f;
  switch (aethType(syndrome)) {
    case AethType.ACK:
      return low === 0x1f ? 'ACK' : `ACK, ${low} credits`;
    case AethType.RNR:
      return `RNR NAK, wait ${RNR_TIMER_US[low]!} µs`;
    case AethType.NAK:
      return `NAK: ${NAK_NAMES[low] ?? `reserved code ${low}`}`;
    default:
      return 'Reserved';
  }
}

const TYPES = ['ACK', 'RNR NAK', 'Reserved', 'NAK'];

function syndromeParts(syndrome: number): AnyField[] {
  const low = ((): FieldDef<number> => {
    switch (aethType(syndrome)) {
      case AethType.ACK:
        return uint(0, 1, {
          name: 'infiniband.aeth.syndrome.credit_count',
          label: 'Credit count',
          mask: 0x1f,
          text: (v) => (v === 0x1f ? '31 (no flow control)' : String(v)),
          doc: 'Encoded number of receives the responder can still take; 31 switches this flow control off.',
        });
      case AethType.RNR:
        return uint(0, 1, {
          name: 'infiniband.aeth.syndrome.timer',
          label: 'Timer',
          mask: 0x1f,
          text: (v) => `${RNR_TIMER_US[v]!} µs (${v})`,
          doc: 'How long the requester waits before it retries: no receive was posted.',
        });
      case AethType.NAK:
        return uint(0, 1, {
          name: 'infiniband.aeth.syndrome.error_code',
          label: 'Error code',
          mask: 0x1f,
          text: (v) => `${NAK_NAMES[v] ?? 'Reserved'} (${v})`,
          doc: 'Why the request was refused; 0 asks for retransmission, the others end the connection.',
        });
      default:
        return uint(0, 1, {
          name: 'infiniband.aeth.syndrome.reserved_value',
          label: 'Reserved',
          mask: 0x1f,
          doc: 'Reserved: no meaning is defined.',
        });
    }
  })();
  return [
    uint(0, 1, {
      name: 'infiniband.aeth.syndrome.reserved',
      label: 'Reserved',
      mask: 0x80,
      doc: 'Must be zero.',
    }),
    uint(0, 1, {
      name: 'infiniband.aeth.syndrome.opcode',
      label: 'Type',
      mask: 0x60,
      text: (v) => `${TYPES[v]!} (${v})`,
      doc: 'ACK, receiver not ready, or NAK.',
    }),
    low,
  ];
}

/** ACK Extended Transport Header. */
export const aeth = header({
  id: 'aeth',
  name: 'infiniband.aeth',
  title: 'ACK Extended Transport Header',
  length: 4,
  fields: {
    syndrome: uint(0, 1, {
      name: 'infiniband.aeth.syndrome',
      label: 'Syndrome',
      text: (v) => `${syndromeText(v)} (${v})`,
      parts: syndromeParts,
      doc: 'Whether this is an ACK, an RNR NAK or a NAK, and its credit count, timer or error code.',
    }),
    msn: uint(1, 3, {
      name: 'infiniband.aeth.msn',
      label: 'Message sequence number',
      doc: 'How many messages the responder has completed, modulo 2^24.',
    }),
  },
});
