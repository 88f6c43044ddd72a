import type {
  HostState,
  PacketState,
  PictureState,
  RingState,
  RulerState,
  Slot,
} from '../../src/model/picture/state';

/** States of a WRITE of 10,000 B and of what can go wrong with it, made by hand. */

const BYTES = 10_000;

export function ring(by: 'program' | 'device', more: Partial<RingState> = {}, filled?: Slot): RingState {
  const { capacity = 16, used = 0 } = more;
  const slots = Array.from({ length: capacity ?? 16 }, (_, i): Slot =>
    filled && i < (used ?? 0) ? filled : 'free',
  );
  return {
    ...{ capacity, used, slots, note: null },
    written: { slot: (used ?? 0) % slots.length, by },
    read: { slot: 0, by: by === 'program' ? 'device' : 'program' },
    ...more,
  };
}

export const region = (more: Partial<RulerState> = {}): RulerState => ({
  title: 'MR lkey 0x6ba203c0',
  rights: '',
  address: '0x55caac8b50c0',
  length: BYTES,
  registered: true,
  filled: [],
  touched: null,
  ...more,
});

const host = (more: Partial<HostState>): HostState => ({
  title: 'Client',
  address: '10.0.0.1',
  lit: [],
  code: '/* the program does other work */',
  line: null,
  library: null,
  rings: { sq: ring('program'), rq: ring('program'), cq: ring('device') },
  memory: region(),
  moreRegions: 0,
  device: [],
  deviceName: 'uroce0',
  qp: { number: '0x1ea1', state: 'RTS' },
  kernel: null,
  ...more,
});

export function picture(
  client: Partial<HostState> = {},
  server: Partial<HostState> = {},
  more: Partial<PictureState> = {},
): PictureState {
  return {
    hosts: {
      client: host(client),
      server: host({
        title: 'Server',
        address: '10.0.0.2',
        code: 'compute();   /* its own work */',
        qp: { number: '0x27b3', state: 'RTS' },
        memory: region({
          title: 'MR rkey 0x08e195ca',
          rights: 'remote WRITE, READ',
          address: '0x7f41b2c06000',
        }),
        ...server,
      }),
    },
    flows: [],
    packets: [],
    wire: 'RoCEv2, UDP 4791',
    dataText: null,
    answerText: null,
    focus: null,
    ...more,
  };
}

export const packet = (more: Partial<PacketState> & { id: string }): PacketState => ({
  from: 'client',
  lane: 'data',
  kind: 'data',
  again: false,
  lost: false,
  label: more.id,
  psn: null,
  crossed: 0.5,
  between: false,
  ...more,
});

const all = { from: 0, to: BYTES };
const sge = { ...all, text: 'sge: +0, 10,000 B', refused: false };
const waiting = ring('program', { used: 1 }, 'used');

export const POSTED = picture(
  {
    lit: ['program', 'library'],
    code: 'ibv_post_send(qp, &wr, &bad);',
    line: 'main.c:88',
    library: 'writes WQE 1 into slot 0, rings the doorbell',
    rings: { sq: waiting, rq: ring('program'), cq: ring('device') },
    memory: region({ filled: [{ ...all, faint: true }], touched: sge }),
  },
  {},
  {
    flows: [
      { side: 'client', flow: 'library>sq', item: 'WQE 1', moved: 0.4 },
      { side: 'client', flow: 'doorbell', item: null, moved: 0 },
    ],
    focus: ['client.sq', 'client.memory'],
  },
);

export const WRITE = picture(
  {
    lit: ['device'],
    device: ['reads memory,', 'sends 3 packets'],
    rings: { sq: waiting, rq: ring('program'), cq: ring('device') },
    memory: region({ filled: [{ ...all, faint: false }], touched: sge }),
  },
  {
    lit: ['device'],
    device: ['checks the rkey'],
    memory: region({
      title: 'MR rkey 0x08e195ca',
      rights: 'remote WRITE, READ',
      filled: [{ from: 0, to: 4096, faint: false }],
      touched: { ...all, text: 'RETH: +0, 10,000 B', refused: false },
    }),
  },
  {
    flows: [
      { side: 'client', flow: 'memory>device', item: null, moved: 0 },
      { side: 'server', flow: 'device>memory', item: null, moved: 0 },
    ],
    packets: [
      packet({ id: 'First', psn: '+0', crossed: 0.85 }),
      packet({ id: 'Middle', psn: '+1', crossed: 0.35 }),
      packet({ id: 'Last', psn: '+2', crossed: 0.02 }),
    ],
    dataText: '4,096 + 4,096 + 1,808 B',
    focus: ['client.sq', 'client.memory', 'server.memory', 'wire'],
  },
);

const beyond = { from: 32, to: 10_032, text: 'RETH: +32 to +10,032, 32 B beyond', refused: true };

export const BEYOND = picture(
  { device: ['waits for the ACK'], rings: { sq: waiting, rq: ring('program'), cq: ring('device') } },
  {
    lit: ['device'],
    device: ['refuses,', 'raises an event'],
    qp: { number: '0x27b3', state: 'ERR' },
    memory: region({ title: 'MR rkey 0x08e195ca', rights: 'remote WRITE, READ', touched: beyond }),
  },
  {
    packets: [
      packet({ id: 'nak', from: 'server', lane: 'answers', kind: 'nak', label: 'NAK 0x62', psn: '+0' }),
    ],
    answerText: 'remote access error',
    focus: ['client.sq', 'server.memory', 'wire'],
  },
);

export const LOST = picture(
  {
    lit: ['device'],
    device: ['sends Last'],
    rings: { sq: waiting, rq: ring('program'), cq: ring('device') },
  },
  { lit: ['device'], device: ['writes First'] },
  {
    packets: [
      packet({ id: 'Middle', psn: '+1', lost: true, crossed: 0.62 }),
      packet({ id: 'Last', psn: '+2', crossed: 0.3 }),
      packet({ id: 'again', label: 'First', psn: '+0', again: true, crossed: 0.9 }),
    ],
    dataText: '4,096 + 4,096 + 1,808 B',
  },
);

const unknown = { used: null, slots: [], written: null, read: null };

/** Nothing but the existence of the queues was recorded; one holds requests in a way that is known in part. */
export const UNKNOWN = picture(
  {
    rings: {
      sq: ring('program', unknown),
      cq: ring('device', { ...unknown, capacity: null }),
    },
    code: null,
    memory: null,
    qp: { number: '0x1ea1', state: null },
  },
  { rings: {}, memory: null, qp: null, deviceName: null, address: null },
);

/** Long queues, long words, and requests that wait or failed. */
export const FULL = picture(
  {
    lit: ['program', 'library', 'kernel'],
    code: 'ibv_poll_cq(cq, sizeof completions / sizeof *completions, completions);',
    line: 'a-long-name-of-a-file.c:1288',
    library: 'reads CQE: wr_id 1, status 10 REM_ACCESS_ERR, and eleven more of the same kind',
    kernel: 'copies datagrams between the socket and the device',
    rings: {
      sq: ring('program', { capacity: 256, used: 250, note: 'SEND 250 waits' }, 'waiting'),
      rq: ring('program', { capacity: 4096, used: 4096 }, 'used'),
      cq: ring('device', { used: 16, note: 'full' }, 'failed'),
    },
    moreRegions: 7,
    device: ['retries SEND 250 after the RNR timer', '18,214 times so far'],
  },
  {
    rings: {
      sq: ring('program'),
      rq: ring('program', { note: '250 posted, 250 used' }),
      cq: ring('device', { used: 3, note: '3 of 250 polled' }, 'cqe'),
    },
  },
  {
    packets: [
      packet({ id: 'again', label: 'SEND again', psn: '+4000', again: true, crossed: 0.7 }),
      packet({
        ...{ id: 'rnr', from: 'server', lane: 'answers', kind: 'nak', label: 'RNR NAK', psn: '+4000' },
        crossed: 0.4,
      }),
    ],
    answerText: 'receiver not ready, wait 0.64 ms and try again',
    dataText: '18,214 RNR NAKs so far',
    flows: [{ side: 'client', flow: 'cq>library', item: 'status 10', moved: 0.5, failed: true }],
  },
);

export const STATES: Readonly<Record<string, PictureState>> = {
  ...{ POSTED, WRITE, BEYOND, LOST, UNKNOWN, FULL },
};
