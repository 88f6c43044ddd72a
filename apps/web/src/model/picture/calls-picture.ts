/**
 * What the picture replays of a stretch without a request: each verbs call and each exchange is a stage, with the objects
 * that exist by then.
 */
import { plural } from '@verbslab/labs';
import { isProgram, type LabDescription, type RunEventOf } from '@verbslab/protocol';
import { bookOf } from '../machine/book';
import { loopsOf } from '../machine/loops';
import { machineModel, type MachinePart } from '../machine/machine';
import type { RunModel } from '../run-model';
import { capital } from './captions';
import { callEnd, callEvent } from './recorded-calls';
import { endWithoutQp, recordedEnd, UNKNOWN_END } from './recorded-end';
import type { CallEvent, PictureStage, RecordedEnd, Recording } from './recording';
import { stateAt } from './state-at';
import { otherSide, type Focus, type PictureState, type Side } from './state';
import { bytesText, listText, timeText } from './words';

type Verb = RunEventOf<'verb'>;
type Exchange = RunEventOf<'exchange'>;

export interface CallsPicture {
  title: string;
  stages: readonly PictureStage[];
  stateAt: (t: number) => PictureState;
  /** Time of the run at 0, ns. */
  startsAt: number;
}

/** Most calls that are stages. */
const MOST = 40;

/** Endpoint at each side: the first of a role with several. */
export type Ends = Readonly<Record<Side, string | null>>;

export function endsOf(run: RunModel, lab: LabDescription): Ends {
  const of = (role: string | undefined): string | null =>
    [...run.endpoints.keys()].find((name) => name === role || name.startsWith(`${role}-`)) ?? null;
  const [first, second] = lab.roles.map(({ name }) => name);
  return first === 'server'
    ? { client: of(second), server: of(first) }
    : { client: of(first), server: of(second) };
}

const PARTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/_mr$/, ['memory']],
  [/_cq$/, ['cq']],
  [/_(qp|qp_ex|post_recv|post_send)$/, ['sq', 'rq', 'device']],
  [/(device|port|gid|context)/, ['device']],
];

/** Parts of the picture that a call is about. */
const focusOf = (side: Side, call: string): Focus[] => [
  `${side}.program`,
  `${side}.library`,
  ...(PARTS.find(([name]) => name.test(call))?.[1] ?? []).map((part) => `${side}.${part}` as Focus),
];

/** `a region of 20,000 B with rkey 0x592c16d8`. */
function objectText({ kind, number, attrs, rings }: MachinePart): string {
  switch (kind) {
    case 'MR':
      return `a memory region of ${bytesText(Number(attrs.length ?? 0))}${typeof attrs.rkey === 'string' ? ` with rkey ${attrs.rkey}` : ''}`;
    case 'CQ':
      return `a CQ${rings[0]?.capacity ? ` with ${plural(rings[0].capacity, 'entry', 'entries')}` : ''}`;
    case 'QP':
      return `QP ${number === null ? '' : `0x${number.toString(16)}`}`.trim();
    case 'PD':
      return 'a protection domain';
    default:
      return `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`;
  }
}

const partsAt = (run: RunModel, at: number): MachinePart[] =>
  machineModel(run, at)
    .hosts.flatMap(({ processes }) => processes)
    .flatMap(({ parts }) => parts);

/** The hosts at a time: of several QPs the latest. */
function endAt(run: RunModel, endpoint: string | null, at: number): RecordedEnd {
  if (endpoint === null) return UNKNOWN_END;
  const parts = partsAt(run, at).filter((one) => one.endpoint === endpoint);
  const qp = parts.findLast(({ kind }) => kind === 'QP');
  if (!qp) return endWithoutQp(run, endpoint, parts);
  const region = parts.findLast(({ kind }) => kind === 'MR');
  const end = { endpoint, parts, qp };
  const nameOf = (work: { wrId: number }): string => `wr_id ${work.wrId}`;
  const found = recordedEnd({ run, end, at, nameOf, gid: null }, new Set(region ? [region.id] : []));
  return beforePosts(run) ? { ...found, queues: emptied(found.queues) } : found;
}

/** True for a lab that has posted nothing yet: all of its calls are recorded, so its queues are known to be empty. */
const beforePosts = (run: RunModel): boolean =>
  !isProgram(run.record) && loopsOf(run).length === 0 && !bookOf(run).postsRecorded;

const emptied = (queues: RecordedEnd['queues']): RecordedEnd['queues'] =>
  Object.fromEntries(
    Object.entries(queues).map(([name, queue]) => [name, { ...queue, before: 0, holds: [] }]),
  );

function recordingAt(
  run: RunModel,
  ends: Ends,
  at: number,
  from: number,
  events: readonly CallEvent[],
): Recording {
  return {
    ...{ title: '', run: null, startsAt: from, provider: null, transport: null, mtu: null },
    link: run.links.length === 1 ? run.links[0]! : null,
    ends: { client: endAt(run, ends.client, at), server: endAt(run, ends.server, at) },
    ...{ poster: 'client', requests: [], events, withoutPackets: true, withoutStamps: true },
  };
}

/** What a call changed at its endpoint: objects, and the state of a QP. */
function changes(run: RunModel, endpoint: string, before: number, after: number): string {
  const [old, now] = [before, after].map((at) => partsAt(run, at).filter((one) => one.endpoint === endpoint));
  const made = now!.filter(({ id }) => !old!.some((one) => one.id === id)).map(objectText);
  const gone = old!.filter(({ id }) => !now!.some((one) => one.id === id)).map(objectText);
  const moved = now!.flatMap((one) => {
    const was = old!.find(({ id }) => id === one.id);
    return was && was.state !== one.state && one.state ? [`${objectText(one)} is now in ${one.state}`] : [];
  });
  return [
    ...(made.length > 0 ? [`It now has ${listText(made)}.`] : []),
    ...(gone.length > 0 ? [`It no longer has ${listText(gone)}.`] : []),
    ...moved.map((text) => `${capital(text)}.`),
  ].join(' ');
}

/** Calls after which the state of a QP is recorded. */
const TELLS_STATE = /^ibv_(create|modify)_qp/;

const VALUES: Readonly<Record<string, string>> = {
  ...{
    qpn: 'QPN',
    psn: 'first PSN',
    gid: 'GID',
    mtu: 'MTU',
    addr: 'address',
    rkey: 'rkey',
    length: 'length',
  },
};

/** `from` and `to`: times of the run. Null if no call and no exchange is recorded between them. */
export function callsPicture(
  run: RunModel,
  ends: Ends,
  title: string,
  events: readonly (Verb | Exchange)[],
): CallsPicture | null {
  const sideOf = (endpoint: string | undefined): Side | null =>
    endpoint === ends.client ? 'client' : endpoint === ends.server ? 'server' : null;
  const shown = events
    .flatMap((e) => {
      const side = sideOf(e.kind === 'verb' ? e.endpoint : e.from);
      return side === null ? [] : [{ e, side }];
    })
    .sort((a, b) => a.e.t - b.e.t)
    .slice(0, MOST);
  if (shown.length === 0) return null;
  const startsAt = shown[0]!.e.t;
  const calls = shown.flatMap(({ e, side }) => (e.kind === 'verb' ? [{ e, side }] : []));
  const callEvents = calls.map(({ e, side }): CallEvent => {
    const event = callEvent(e, side);
    return { ...event, t: event.t - startsAt, end: event.end === null ? null : event.end - startsAt };
  });
  // The state of a QP is recorded after its call has returned.
  const endOf = (i: number): number => {
    const { e } = shown[i]!;
    const over = e.kind === 'verb' ? (callEnd(e) ?? e.t) : e.t;
    const next = shown[i + 1]?.e.t ?? Infinity;
    const later = run.trace.filter(
      (one) => one.kind === 'qp' && one.endpoint === e.endpoint && one.t >= over && one.t < next,
    );
    return e.kind === 'verb' && TELLS_STATE.test(e.call) ? Math.max(over, later[0]?.t ?? over) : over;
  };
  let last = 0;
  const stages = shown.map(({ e, side }, i): PictureStage => {
    const from = Math.max(last, e.t - startsAt);
    const to = Math.max(from, endOf(i) - startsAt);
    const cut = Math.max(0, from - last);
    last = to;
    const who = `the ${(e.kind === 'verb' ? e.endpoint : e.from) ?? ''}`;
    if (e.kind === 'exchange')
      return {
        name: `To the ${e.to}`,
        caption: `${capital(who)} passes on its ${listText(Object.keys(e.values).map((name) => VALUES[name] ?? name))}, outside of RDMA.`,
        ...{ asks: null, from, to, cut, focus: [`${side}.program`, `${otherSide(side)}.program`] },
      };
    const took = e.durationNs > 0 ? `, which takes ${timeText(e.durationNs)}` : '';
    const effect = e.error ? 'The call is refused.' : changes(run, e.endpoint ?? '', e.t - 1, startsAt + to);
    return {
      name: e.call.replace(/^ibv_/, ''),
      caption: `${capital(who)}’s program calls ${e.call}${took}. ${effect}`.trim(),
      ...{ asks: null, from, to, cut, focus: focusOf(side, e.call) },
    };
  });
  return { title, stages, startsAt, stateAt: statesOf(run, ends, startsAt, stages, callEvents) };
}

/** The hosts at a time of the run, with nothing that happens. */
export function stillPicture(run: RunModel, ends: Ends, title: string, at: number): CallsPicture {
  const stages = [{ name: title, caption: `${title}.`, asks: null, from: 0, to: 0, cut: 0, focus: [] }];
  const state = { ...stateAt(recordingAt(run, ends, at, at, []), [], 0), focus: null };
  return { title, stages, startsAt: at, stateAt: () => state };
}

/** Between two ends of calls, objects stay as they are. */
function statesOf(
  run: RunModel,
  ends: Ends,
  startsAt: number,
  stages: readonly PictureStage[],
  calls: readonly CallEvent[],
): (t: number) => PictureState {
  const kept = new Map<number, Recording>();
  return (t) => {
    // The last stage that is over by then; a stage without a duration is over at once.
    const over = stages.findLastIndex(({ to }) => to <= t);
    const at = over < 0 ? startsAt - 1 : startsAt + stages[over]!.to;
    let recording = kept.get(over);
    if (!recording) kept.set(over, (recording = recordingAt(run, ends, at, startsAt, calls)));
    return stateAt(recording, stages, t);
  };
}
