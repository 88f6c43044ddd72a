/** Recordings that ship with the dashboard. Each is loaded when it is first shown. */
import type { PictureSample } from '@verbslab/protocol';
import type { Recording } from './recording';

/** Packets of the WRITE that can be lost. */
export const LOSABLE = ['First', 'Middle', 'Last', 'ACK'] as const;
export type Losable = (typeof LOSABLE)[number];

type Loaded = Promise<{ default: unknown }>;

const LOST: Readonly<Record<Losable, () => Loaded>> = {
  First: () => import('./samples/write-lost-first.json'),
  Middle: () => import('./samples/write-lost-middle.json'),
  Last: () => import('./samples/write-lost-last.json'),
  ACK: () => import('./samples/write-lost-ack.json'),
};

const SAMPLES: Readonly<Record<PictureSample, () => Loaded>> = {
  write: () => import('./samples/write.json'),
  'write-lost': LOST.Middle,
  'write-imm': () => import('./samples/write-imm.json'),
  'small-write': () => import('./samples/small-write.json'),
  'many-writes': () => import('./samples/many-writes.json'),
  read: () => import('./samples/read.json'),
  atomic: () => import('./samples/atomic.json'),
  send: () => import('./samples/send.json'),
  'send-without-recv': () => import('./samples/send-without-recv.json'),
  datagram: () => import('./samples/datagram.json'),
  'unreliable-lost': () => import('./samples/unreliable-lost.json'),
  'beyond-region': () => import('./samples/beyond-region.json'),
  overrun: () => import('./samples/overrun.json'),
  connect: () => import('./samples/connect.json'),
};

/** JSON that `npm run picture-samples` wrote as a recording. */
const read = async (loaded: Loaded): Promise<Recording> => (await loaded).default as Recording;

export const sample = (name: PictureSample): Promise<Recording> => read(SAMPLES[name]());

/** The WRITE of the sample `write` that loses one packet. */
export const lostSample = (which: Losable): Promise<Recording> => read(LOST[which]());
