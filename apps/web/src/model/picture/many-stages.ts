/** Stages of several requests of one queue: a window, or a completion queue that overruns. */
import { plural } from '@verbslab/labs';
import { capital, who, whose } from './captions';
import type { Events } from './events';
import { polledStages } from './polled-stages';
import { otherSide, type Focus } from './state';
import type { Draft } from './tiled';
import { bytesText, timeText, verbOf } from './words';

/** Part of the wait for the lost completion that still shows the ones before. */
const LINGERS = 0.2;

const ordinal = (n: number): string => {
  const ending = n % 100 > 10 && n % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${ending}`;
};

function overrunStages(events: Events, focus: readonly Focus[]): Draft[] {
  const { poster, ends } = events.recording;
  const all = events.of('cqe').filter(({ side }) => side === poster);
  const lost = all.find(({ full }) => full);
  if (!lost) return [];
  const written = all.filter(({ full, since }) => !full && since === undefined);
  const capacity = ends[poster].queues.cq?.capacity ?? all.filter(({ full }) => !full).length;
  const at = ordinal(capacity + 1);
  const begin = written.at(-1)?.t ?? lost.since ?? lost.t;
  const drafts: Draft[] = [];
  // The ACK that completes them.
  const ack = events.packets.find(
    ({ side, to }) => side !== poster && to <= begin && to >= (written[0]?.t ?? 0),
  );
  if (written.length > 0)
    drafts.push({
      ...{ name: `${written.length} CQEs`, from: ack?.from ?? written[0]!.t, to: begin, focus },
      caption: `${capital(whose(events, poster))} device writes ${plural(written.length, 'completion')}. The program does not poll, so none of the ${capacity} slots becomes free.`,
    });
  drafts.push({
    // The stage before stays on its completions for a moment.
    ...{ name: `The ${at}`, from: begin + (lost.t - begin) * LINGERS, to: lost.t, focus },
    asks: `The completion queue has ${capacity} slots and is full. The program has not polled. What happens to the ${at} completion?`,
    caption: `The ${at} request completes, and there is no slot for its completion. The device does not wait and does not overwrite: the completion is lost.`,
  });
  return drafts;
}

export function manyStages(events: Events): Draft[] {
  const { poster, requests, ends } = events.recording;
  const { subjects } = events;
  const [first] = subjects;
  const last = subjects.at(-1);
  if (!first || !last) return [];
  const mine = new Set(requests);
  const focus: Focus[] = [`${poster}.sq`, `${poster}.cq`];
  const call = events.calls.findLast(({ side, t }) => side === poster && t <= first.t);
  const calls = events.calls.filter(
    ({ side, t, call: name }) => side === poster && name.includes('post') && t <= last.t,
  ).length;
  const packets = events.packets.filter(({ request }) => request !== null && mine.has(request));
  const answers = events.packets.filter(({ side, packet }) => side !== poster && packet === 'ack');
  const cqes = events.of('cqe').filter(({ side, since }) => side === poster && since === undefined);
  const size = subjects.every(({ bytes }) => bytes === first.bytes) ? ` of ${bytesText(first.bytes)}` : '';
  const capacity = ends[poster].queues.cq?.capacity;
  const signaled = subjects.filter((one) => one.signaled).length;
  const drafts: Draft[] = [
    {
      ...{
        name: 'Posted',
        from: call?.t ?? first.t,
        to: Math.min(last.t, packets[0]?.from ?? last.t),
        focus: [`${poster}.sq`, `${poster}.memory`],
      },
      caption: `${capital(who(events, poster))} posts ${subjects.length} ${verbOf(first)}s${size}${calls === 1 ? ' with one call' : ''}. ${signaled === subjects.length ? 'Each asks for a completion.' : `${capital(plural(signaled, 'request'))} of them ask for a completion.`}${capacity === null || capacity === undefined ? '' : ` The completion queue has ${capacity} slots.`}`,
    },
  ];
  if (packets.length > 0) {
    const [out, sent] = [packets[0]!.from, Math.max(...packets.map(({ from }) => from))];
    drafts.push({
      ...{ name: 'Packets out', from: out, to: Math.min(sent, answers[0]?.from ?? sent) },
      focus: [...focus, `${poster}.memory`, `${otherSide(poster)}.memory`],
      caption: `The device sends ${plural(packets.length, 'packet')} within ${timeText(sent - out)}, and does not wait for one message before it sends the next.`,
    });
  }
  const over = overrunStages(events, focus);
  if (over.length > 0) drafts.push(...over);
  else if (answers.length > 0) {
    const to = Math.max(answers.at(-1)!.to, ...cqes.map(({ t }) => t));
    const each =
      answers.length === packets.length
        ? 'One ACK per packet'
        : `${capital(plural(answers.length, 'ACK'))} for ${plural(packets.length, 'packet')}`;
    drafts.push({
      ...{ name: 'ACKs, CQEs', from: answers[0]!.from, to, focus },
      caption: `${each}: an ACK acknowledges its PSN and all before it.${cqes.length > 0 ? ` ${capital(whose(events, poster))} device retires the requests in order and writes ${plural(cqes.length, 'completion')}.` : ''}`,
    });
  }
  return [...drafts, ...polledStages(events)];
}
