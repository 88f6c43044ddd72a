import { header, uint } from '../base/header.js';

export const MacControl = { PAUSE: 0x0001, PFC: 0x0101 } as const;

/** Classes of priority flow control. */
export const PRIORITIES = 8;

const opcode = uint(0, 2, {
  name: 'macc.opcode',
  label: 'Opcode',
  hex: 4,
  text: (v) =>
    v === MacControl.PFC
      ? 'Priority flow control (0x0101)'
      : v === MacControl.PAUSE
        ? 'PAUSE (0x0001)'
        : `0x${v.toString(16).padStart(4, '0')}`,
  doc: 'PAUSE stops the whole link, priority flow control single priorities.',
});

const quantaDoc = 'Time to stop for, in units of 512 bit times; 0 lets the sender go on.';

/** Ethernet MAC control (802.3x): the link partner asks to stop sending. */
export const pause = header({
  id: 'pause',
  name: 'macc',
  title: 'PAUSE frame',
  length: 4,
  fields: {
    opcode,
    quanta: uint(2, 2, { name: 'macc.pause_time', label: 'Quanta', doc: quantaDoc }),
  },
});

const quantaOf = (priority: number) =>
  uint(4 + 2 * priority, 2, {
    name: `macc.cbfc.pause_time.c${priority}`,
    label: `Priority ${priority}`,
    doc: quantaDoc,
  });

/** Priority flow control (802.1Qbb): PAUSE for each of eight priorities. */
export const pfc = header({
  id: 'pause',
  name: 'macc',
  title: 'Priority flow control frame',
  length: 20,
  fields: {
    opcode,
    enabled: uint(2, 2, {
      name: 'macc.cbfc.enbv',
      label: 'Priorities',
      hex: 4,
      doc: 'One bit for each priority that the frame is about.',
    }),
    quanta0: quantaOf(0),
    quanta1: quantaOf(1),
    quanta2: quantaOf(2),
    quanta3: quantaOf(3),
    quanta4: quantaOf(4),
    quanta5: quantaOf(5),
    quanta6: quantaOf(6),
    quanta7: quantaOf(7),
  },
});
