/** The question of the guided WRITE, and its answers as recorded: who works during a stage. */
import type { PictureStage, Recording } from '../model/picture/recording';
import { stateAt } from '../model/picture/state-at';
import { SIDES, type PictureState, type Side } from '../model/picture/state';

export type Worker = `${Side}.${'program' | 'device'}`;

/** The answers to choose from, in the order of the way that the bytes take. */
export const WORKERS: readonly { id: Worker; text: string }[] = [
  { id: 'client.program', text: 'The client’s program' },
  { id: 'client.device', text: 'The client’s device' },
  { id: 'server.device', text: 'The server’s device' },
  { id: 'server.program', text: 'The server’s program' },
];

/** Equal parts of a stage. */
const PARTS = 24;

/** Moments at which a stage is looked at. Its ends belong to its neighbors too. */
const momentsOf = ({ events }: Recording, { from, to }: PictureStage): number[] => [
  ...events.map(({ t }) => t).filter((t) => t > from && t < to),
  ...Array.from({ length: PARTS - 1 }, (_, i) => from + ((to - from) * (i + 1)) / PARTS),
];

/** Who works at any moment of the stage, `waits` for a call that an earlier stage began. */
export interface Work {
  works: readonly Worker[];
  waits: readonly Worker[];
}

export function workIn(recording: Recording, stages: readonly PictureStage[], stage: PictureStage): Work {
  const { from, to } = stage;
  const seen = new Set<string>();
  for (const t of momentsOf(recording, stage)) {
    const { hosts } = stateAt(recording, stages, t);
    for (const side of SIDES) for (const owner of hosts[side].lit) seen.add(`${side}.${owner}`);
  }
  const all = WORKERS.flatMap(({ id }) => (seen.has(id) ? id : []));
  const begins = (id: Worker): boolean =>
    id.endsWith('device') ||
    recording.events.some((e) => e.kind === 'call' && id === `${e.side}.program` && e.t >= from && e.t < to);
  return { works: all.filter(begins), waits: all.filter((id) => !begins(id)) };
}

/** The picture while the question is open: it does not show who works. */
export function withoutWorkers(state: PictureState): PictureState {
  const { client, server } = state.hosts;
  const idle = { lit: [], library: null, device: [], kernel: null };
  return {
    ...state,
    hosts: { client: { ...client, ...idle }, server: { ...server, ...idle } },
    flows: [],
    focus: null,
  };
}

const WORDS: Readonly<Record<Worker, string>> = {
  'client.program': 'the client’s program',
  'client.device': 'the client’s device',
  'server.device': 'the server’s device',
  'server.program': 'the server’s program',
};

/** “Right” or “No”, and who works, in a sentence. */
export function verdictText(chosen: Worker | null, { works }: Work): string {
  const who = works.map((id) => WORDS[id]).join(' and ');
  const verdict = chosen === null ? 'Here' : works.includes(chosen) ? 'Right:' : 'No:';
  return who === ''
    ? `${verdict} no program and no device works.`
    : `${verdict} ${who} ${works.length > 1 ? 'work' : 'works'}.`;
}

/** Says that a call has not returned; null if none is open. */
export const waitText = ({ waits }: Work): string | null =>
  waits.length === 0
    ? null
    : `The call of ${waits.map((id) => WORDS[id]).join(' and ')} has not returned yet.`;
