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

const SAMPLES: Readonly<Partial<Record<PictureSample, () => Loaded>>> = {
  write: () => import('./samples/write.json'),
  'write-lost': LOST.Middle,
};

/** JSON that `npm run samples` wrote as a recording. */
const read = async (loaded: Loaded): Promise<Recording> => (await loaded).default as Recording;

/** The recording of a sample; null if there is none. */
export async function sample(name: PictureSample): Promise<Recording | null> {
  const load = SAMPLES[name];
  return load ? read(load()) : null;
}

/** The WRITE of the sample `write` that loses one packet. */
export const lostSample = (which: Losable): Promise<Recording> => read(LOST[which]());
