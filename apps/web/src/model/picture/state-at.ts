/** State of the picture at a time of a recording: a pure function of its events. */
import { plural } from '@verbslab/labs';
import { LINK_PATH } from '@verbslab/protocol';
import { activitiesOf, type Activity } from './activities';
import { eventsOf, type Events } from './events';
import type { CallEvent, PacketEvent, PictureStage, Recording } from './recording';
import { ringAt } from './rings';
import { rulerAt } from './rulers';
import {
  otherSide,
  SIDES,
  type FlowState,
  type HostState,
  type Owner,
  type PacketState,
  type PictureState,
  type Side,
} from './state';
import { listText, psnText, sizesText, timeText } from './words';

/** Part of the wire that a lost packet crosses. */
const LOST_AT = 0.62;

interface Moment {
  events: Events;
  t: number;
  /** The stage that is shown; null before the first and after the last one. */
  stage: PictureStage | null;
}

const part = (from: number, to: number, t: number): number =>
  to <= from ? (t >= to ? 1 : 0) : Math.min(1, Math.max(0, (t - from) / (to - from)));

/** What devices do at the time: at work, or just done within this stage, with nothing begun since. */
function currentActivities({ events, t, stage }: Moment, side: Side): Activity[] {
  const begun = activitiesOf(events).filter((one) => one.side === side && one.from <= t);
  const working = begun.filter(({ to, from }) => t < to || from === t || to === t);
  if (working.length > 0) return working.filter(({ lit }) => lit || !working.some((one) => one.lit));
  const latest = begun.reduce((last, { to }) => Math.max(last, to), -Infinity);
  if (!stage || latest < stage.from) return [];
  return begun.filter(({ to, lit }) => to === latest && lit);
}

function libraryWords({ events }: Moment, call: CallEvent): string {
  const during = (e: { t: number; side: Side }): boolean =>
    e.side === call.side && e.t >= call.t && e.t <= (call.end ?? call.t);
  if (call.call === 'ibv_poll_cq') {
    const polled = events.of('polled').filter(during);
    if (polled.length === 0) return 'finds nothing';
    if (polled.length > 1) return `reads ${plural(polled.length, 'CQE')}`;
    const [{ request, status, name }] = polled as [(typeof polled)[number]];
    return `reads CQE: ${events.name(request)}, ${status === 0 ? name : `status ${status} ${name}`}`;
  }
  const posted = [...events.posted.values()].filter(during);
  const [first] = posted;
  if (!first) return `runs ${call.call}`;
  const names = posted.length > 3 ? plural(posted.length, 'WQE') : listText(posted.map(({ name }) => name));
  return first.queue === 'rq' ? `writes ${names}` : `writes ${names}, rings the doorbell`;
}

/** Where the link has sockets, the kernel carries what the device sends and gets. */
function kernelWords({ events }: Moment, current: readonly Activity[]): string | null {
  if (events.recording.link !== 'udp') return null;
  const words = new Set(current.flatMap(({ onWire }) => onWire ?? []));
  if (words.size === 0) return null;
  return `${[...words].map((one) => (one === 'sends' ? 'sendmsg' : 'recvmsg')).join(', ')}: UDP socket`;
}

function codeAt({ events, t }: Moment, side: Side): Pick<HostState, 'code' | 'line'> {
  const call = events.calls.findLast((one) => one.side === side && one.t <= t);
  if (!call) return { code: null, line: null };
  const over = t >= (call.end ?? call.t);
  return { code: over && call.result ? `${call.code}  ${call.result}` : call.code, line: call.line };
}

/** Title of an end. The picture has room for one of several ends that share a receive queue: the title says how many there are. */
function hostTitle({ recording }: Events, side: Side): string {
  const { title } = recording.ends[side];
  const { sharedBy = 1 } = recording.ends[otherSide(side)].queues.rq ?? {};
  return sharedBy > 1 ? `${title}, one of ${sharedBy}` : title;
}

function hostAt(moment: Moment, side: Side): HostState {
  const { events, t } = moment;
  const end = events.recording.ends[side];
  const call = events.active(side, t);
  const current = currentActivities(moment, side);
  const kernel = kernelWords(moment, current);
  const lit: Owner[] = [
    ...(call ? (['program', 'library'] as const) : []),
    ...(current.some((one) => one.lit) ? (['device'] as const) : []),
    ...(kernel === null ? [] : (['kernel'] as const)),
  ];
  const state = events.of('state').findLast((e) => e.side === side && e.t <= t)?.state ?? end.state;
  const async = events
    .of('async')
    .filter((e) => e.side === side && e.t <= t && e.t >= (moment.stage?.from ?? Infinity));
  const lines = current.flatMap((one) => [...one.lines]);
  const rings: HostState['rings'] = Object.fromEntries(
    (['sq', 'rq', 'cq'] as const).flatMap((queue) => {
      const ring = ringAt(events, side, queue, t);
      return ring ? [[queue, ring]] : [];
    }),
  );
  return {
    ...{ title: hostTitle(events, side), address: end.address, lit, ...codeAt(moment, side) },
    library: call ? libraryWords(moment, call) : null,
    ...{ rings, memory: rulerAt(events, side, t), moreRegions: end.moreRegions },
    device: [...new Set([...lines, ...async.map(({ event }) => `event ${event}`)])].slice(-3),
    ...{ deviceName: end.device, kernel },
    qp: end.qpn === null ? null : { number: end.qpn, state },
  };
}

function packetAt({ events, t }: Moment, one: PacketEvent): PacketState | null {
  const { id, from, to, lost, arrived, sent, psn } = one;
  if (t < from) return null;
  if (lost) {
    const again = events.packets.some(
      (other) => other.from > from && other.from <= t && sameAgain(other, one),
    );
    if (again) return null;
  } else if (t >= to) return null;
  const crossed = part(from, to, t);
  return {
    ...{ id, from: one.side, kind: one.packet, again: one.again, lost, label: one.label },
    lane: one.packet === 'ack' || one.packet === 'nak' ? 'answers' : 'data',
    psn: psn === null ? null : psnText(psn),
    crossed: lost ? Math.min(LOST_AT, crossed * LOST_AT) : crossed,
    between: !lost && (arrived === null || sent === null),
  };
}

/** True if the packet repeats a lost one. */
const sameAgain = (other: PacketEvent, lost: PacketEvent): boolean =>
  other.side === lost.side && other.packet === lost.packet && other.psn === lost.psn;

function callFlows(moment: Moment, side: Side): FlowState[] {
  const { events, t } = moment;
  const call = events.active(side, t);
  if (!call) return [];
  const end = call.end ?? call.t;
  const of = (e: { t: number; side: Side }): boolean => e.side === side && e.t >= call.t && e.t <= end;
  if (call.call === 'ibv_poll_cq') {
    const polled = events.of('polled').filter(of);
    if (polled.length === 0) return [];
    const item = polled.length === 1 ? 'CQE' : plural(polled.length, 'CQE');
    return [{ side, flow: 'cq>library', item, moved: part(call.t, end, t) }];
  }
  const next = [...events.posted.values()].find((e) => of(e) && t < e.t);
  if (next)
    return [
      { side, flow: `library>${next.queue}`, item: next.name, moved: part(next.since ?? call.t, next.t, t) },
    ];
  const last = [...events.posted.values()].findLast(of);
  if (last?.queue !== 'sq' || !moment.stage || last.t < moment.stage.from) return [];
  const until = events.find('fetched', last.request)?.t ?? end;
  return t < until ? [{ side, flow: 'doorbell', item: null, moved: part(last.t, until, t) }] : [];
}

function deviceFlows(moment: Moment, side: Side): FlowState[] {
  const { t, stage } = moment;
  return currentActivities(moment, side).flatMap(({ flows, from, to, lines }) =>
    flows.map((flow): FlowState => {
      const until = to > from ? to : (stage?.to ?? to);
      const item =
        flow === 'sq>device' || flow === 'rq>device' ? (lines[0] ?? '').split(' ').slice(1).join(' ') : null;
      return { side, flow, item: flow === 'device>cq' ? 'CQE' : item || null, moved: part(from, until, t) };
    }),
  );
}

/** Words about the packets of the stage. */
function laneTexts({ events, t, stage }: Moment): Pick<PictureState, 'dataText' | 'answerText'> {
  if (!stage) return { dataText: null, answerText: null };
  const begun = events.packets.filter(({ from, to }) => from <= t && to >= stage.from && from <= stage.to);
  const data = begun.filter(({ packet }) => packet === 'data');
  const answer = begun.findLast(({ packet }) => packet === 'ack' || packet === 'nak');
  return { dataText: sizesText(data), answerText: answer ? answerText(events, answer) : null };
}

function answerText({ packets }: Events, answer: PacketEvent): string | null {
  if (answer.packet === 'nak') return answer.wait === null ? answer.refusal : `wait ${timeText(answer.wait)}`;
  if (answer.psn === null) return null;
  const before = packets.filter(
    (one) => one.side === answer.side && one.packet === 'ack' && one.from < answer.from && !one.lost,
  );
  const first = Math.max(-1, ...before.map(({ psn }) => psn ?? -1)) + 1;
  return first < answer.psn
    ? `acknowledges ${psnText(first)} to ${psnText(answer.psn)}`
    : `acknowledges ${psnText(answer.psn)}`;
}

function wireText({ link }: Recording): string {
  if (link === 'shm') return `shared memory, ${LINK_PATH.shm}`;
  return link === 'udp' ? 'RoCEv2, UDP 4791' : 'RoCEv2';
}

/** `t`: nanoseconds from the start of the recording. */
export function stateAt(recording: Recording, stages: readonly PictureStage[], t: number): PictureState {
  const events = eventsOf(recording);
  // Two stages may share a moment: it belongs to the later one.
  const stage = stages.findLast(({ from, to }) => from <= t && t <= to) ?? null;
  const moment: Moment = { events, t, stage };
  return {
    hosts: { client: hostAt(moment, 'client'), server: hostAt(moment, 'server') },
    flows: SIDES.flatMap((side) => [...callFlows(moment, side), ...deviceFlows(moment, side)]),
    packets: events.packets.flatMap((one) => packetAt(moment, one) ?? []),
    wire: wireText(recording),
    ...laneTexts(moment),
    focus: stage?.focus ?? null,
  };
}
