/** Moments in the life of a WRITE, and the stages between them. */

/** Moments in the order in which they happen. */
export const MOMENTS = [
  'built',
  'called',
  'posted',
  'firstTx',
  'lastTx',
  'arrived',
  'answered',
  'acked',
  'cqe',
  'polled',
  'got',
] as const;
export type Moment = (typeof MOMENTS)[number] | 'returned';

/** Parts that work in a stage. */
export const PARTS = {
  program: 'The program',
  library: 'The library',
  device: 'The client’s device',
  wire: 'The wire',
  server: 'The server’s device',
  away: 'The wire and the server’s device',
} as const;
export type Part = keyof typeof PARTS;

export interface Stage {
  title: string;
  from: Moment;
  to: Moment;
  part: Part;
  /** Work of this device, and of a NIC. */
  here: string;
  nic: string;
}

const BUILD: Stage = {
  title: 'Build the WR',
  from: 'built',
  to: 'called',
  part: 'program',
  here: 'The program, here in JavaScript, fills in opcode, addresses and keys.',
  nic: 'The same.',
};

const BEFORE_LINK: Stage[] = [
  BUILD,
  {
    title: 'Post the WR',
    from: 'called',
    to: 'posted',
    part: 'library',
    here: 'ibv_post_send begins: it goes through the binding to C, and the device copies the WR into its send queue. The rest of the call is not part of this stage. There is no doorbell.',
    nic: 'The driver writes a WQE to the send queue and rings the doorbell: one write over PCIe, for which the CPU does not wait.',
  },
  {
    title: 'First packet',
    from: 'posted',
    to: 'firstTx',
    part: 'device',
    here: 'The device takes the WR from the queue, checks the lkey, gathers payload, and computes the ICRC. Over UDP it does so for a batch of packets, which share one time.',
    nic: 'The NIC fetches the WQE by DMA, checks the lkey, and reads payload by DMA. A doorbell that carries the WQE (BlueFlame) saves the first fetch.',
  },
  {
    title: 'Other packets',
    from: 'firstTx',
    to: 'lastTx',
    part: 'device',
    here: 'The same for each further packet. A WRITE of one packet has none.',
    nic: 'DMA reads and sending overlap.',
  },
];

const AWAY: Stage[] = [
  {
    title: 'To the server',
    from: 'lastTx',
    to: 'arrived',
    part: 'wire',
    here: 'A ring in shared memory, or the copy into a UDP socket and the kernel. Then until the server’s device runs and takes the packet.',
    nic: 'Cable and switches.',
  },
  {
    title: 'Execute and answer',
    from: 'arrived',
    to: 'answered',
    part: 'server',
    here: 'The server’s device checks the ICRC, PSN and rkey, copies the payload to memory, and makes the ACK.',
    nic: 'The same checks in hardware, and a DMA write to memory. The ACK may leave before the data is in memory.',
  },
  {
    title: 'ACK',
    from: 'answered',
    to: 'acked',
    part: 'wire',
    here: 'Back through the link, and until the client’s device runs and takes the ACK.',
    nic: 'Switches and cable.',
  },
];

/** Stage of runs in which the packets at the server are not known. */
const ROUND: Stage = {
  title: 'To the server and back',
  from: 'lastTx',
  to: 'acked',
  part: 'away',
  here: 'The link, the server’s device, and the ACK.',
  nic: 'Cable, switches, the checks and the DMA of the server’s NIC, and the ACK.',
};

const AFTER_LINK: Stage[] = [
  {
    title: 'Write the CQE',
    from: 'acked',
    to: 'cqe',
    part: 'device',
    here: 'The step that takes the ACK writes the CQE too, so both have one time.',
    nic: 'The NIC writes the CQE to the CQ by DMA.',
  },
  {
    title: 'CQE waits',
    from: 'cqe',
    to: 'polled',
    part: 'program',
    here: 'Until ibv_poll_cq takes it: the rest of ibv_post_send, if the ACK came during that call, and the way to the poll. A program that waits for an event has to wake up first.',
    nic: 'The same. After an event, the interrupt comes first.',
  },
  {
    title: 'Return from ibv_poll_cq',
    from: 'polled',
    to: 'got',
    part: 'library',
    here: 'Back through the binding to the program.',
    nic: 'The same.',
  },
];

/** Stages that a program sees by itself, on a device without stamps. */
export const PLAIN: readonly Stage[] = [
  BUILD,
  {
    title: 'Call ibv_post_send',
    from: 'called',
    to: 'returned',
    part: 'library',
    here: 'The whole call, with the binding.',
    nic: 'The driver writes a WQE to the send queue and rings the doorbell.',
  },
  {
    title: 'Until ibv_poll_cq returned the CQE',
    from: 'returned',
    to: 'got',
    part: 'away',
    here: 'Both devices, the link, the ACK and the poll. This device has no stamps, so the parts are not known.',
    nic: 'The same.',
  },
];

export const WITHOUT_SERVER: readonly Stage[] = [...BEFORE_LINK, ROUND, ...AFTER_LINK];
export const ALL: readonly Stage[] = [...BEFORE_LINK, ...AWAY, ...AFTER_LINK];
