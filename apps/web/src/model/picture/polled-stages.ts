/** Stages in which programs poll completions, and read asynchronous events. */
import { plural } from '@verbslab/labs';
import { capital, who, whose } from './captions';
import type { Events } from './events';
import type { RecordedEvent } from './recording';
import { otherSide, type Side } from './state';
import type { Draft } from './tiled';
import { bytesText, timeText } from './words';

type Polled = Extract<RecordedEvent, { kind: 'polled' }>;

/** Waits of a completion that a caption names, ns. */
const LONG_NS = 100_000;
/** Time after a poll within which the state of its QP is recorded, ns. */
const SEEN_NS = 2e6;

/** True if nothing ever happened in the queues of a side. */
function untouched({ recording }: Events, side: Side): boolean {
  const { queues } = recording.ends[side];
  const all = Object.values(queues);
  return (
    all.length > 0 &&
    all.every(({ holds }) => holds?.length === 0) &&
    !recording.events.some((e) => e.side === side && 'request' in e && e.kind !== 'packet')
  );
}

/** Polls of one side that one call returned. */
interface Poll {
  side: Side;
  from: number;
  to: number;
  polled: Polled[];
}

function pollsOf(events: Events): Poll[] {
  const polls: Poll[] = [];
  for (const e of events.of('polled')) {
    const call = events.pollAt(e.side, e.t);
    const from = call?.t ?? e.t;
    const same = polls.find((one) => one.side === e.side && one.from === from);
    if (same) {
      same.polled.push(e);
      same.to = Math.max(same.to, e.t);
    } else polls.push({ side: e.side, from, to: Math.max(e.t, call?.end ?? e.t), polled: [e] });
  }
  return polls;
}

function waitText(events: Events, { request, t }: Polled): string {
  const cqe = events.find('cqe', request);
  if (!cqe || cqe.since !== undefined || t - cqe.t < LONG_NS) return '';
  return ` The completion was there for ${timeText(t - cqe.t)}.`;
}

function errorText(events: Events, side: Side, { status, name, t }: Polled): string {
  const state = events.of('state').find((e) => e.side === side && e.t <= t + SEEN_NS && e.state === 'ERR');
  const flushed = state ? ' Its QP is in ERR: later requests are flushed with status 5.' : '';
  return `${capital(who(events, side))} polls status ${status}, ${name}.${flushed}`;
}

function pollCaption(events: Events, { side, polled }: Poll): string {
  const [first] = polled as [Polled];
  const { poster, requests } = events.recording;
  const failed = polled.find(({ status }) => status !== 0);
  if (failed) return errorText(events, side, failed);
  if (polled.length > 1)
    return `${capital(who(events, side))} polls ${plural(polled.length, 'completion')} with one call.`;
  const posted = events.posted.get(first.request);
  if (posted?.queue === 'rq')
    return `${capital(whose(events, side))} program learns that ${first.bytes === null ? 'a message' : bytesText(first.bytes)} came for ${posted.name}. It must post another RECV before the next message.`;
  const idle =
    side === poster && requests.includes(first.request) && untouched(events, otherSide(side))
      ? ` ${capital(whose(events, otherSide(side)))} three queues were never used.`
      : '';
  return `${capital(whose(events, side))} program polls its completion queue and finds the completion of ${events.name(first.request)}: ${first.name}.${waitText(events, first)} The slot is free again.${idle}`;
}

function pollStage(events: Events, poll: Poll): Draft {
  const { side, from, to, polled } = poll;
  const failed = polled.some(({ status }) => status !== 0);
  // A poll may begin before the completion is there.
  const cqes = polled.flatMap(({ request }) => events.find('cqe', request) ?? []);
  const found = Math.max(0, ...cqes.map(({ t, since }) => (since === undefined ? t : since)));
  const recv = polled.every(({ request }) => events.posted.get(request)?.queue === 'rq');
  const one = failed ? 'Error polled' : recv ? 'RECV polled' : 'CQE polled';
  return {
    name: polled.length > 1 ? `${polled.length} polled` : one,
    ...{ from: Math.max(from, found), to, caption: pollCaption(events, poll) },
    focus: [`${side}.cq`, `${otherSide(events.recording.poster)}.memory`],
  };
}

/** `CQ_ERR` and other events, when programs read them. */
export function asyncStages(events: Events): Draft[] {
  const found = events.of('async');
  if (found.length === 0) return [];
  const first = found[0]!;
  const names = found.filter(({ side }) => side === first.side);
  const { t } = names.at(-1)!;
  return [
    {
      ...{ name: names[0]!.event, from: first.t, to: Math.max(t, first.t) },
      caption: `${capital(whose(events, first.side))} program reads the asynchronous ${names.length > 1 ? 'events' : 'event'} ${names.map(({ event }) => event).join(' and ')}.`,
      focus: [`${first.side}.device`, `${first.side}.cq`],
    },
  ];
}

/** Polls in order; two programs that poll at the same time share a stage. */
export function polledStages(events: Events): Draft[] {
  return [...pollsOf(events).map((poll) => pollStage(events, poll)), ...asyncStages(events)];
}
