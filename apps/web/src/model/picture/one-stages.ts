/** Stages of one request. */
import { plural } from '@verbslab/labs';
import { burstsOf, type Burst } from './bursts';
import {
  ackCaption,
  beyond,
  capital,
  fetchedCaption,
  landingCaption,
  nakCaption,
  outCaption,
  postedCaption,
  receiveCaption,
  refusedCaption,
  responseCaption,
  who,
  whose,
} from './captions';
import type { Events } from './events';
import { polledStages } from './polled-stages';
import type { PostedEvent } from './recording';
import { otherSide, type Focus } from './state';
import type { Draft } from './tiled';
import { psnText, timeText } from './words';

/** Retries that are shown, first and last ones; those between are counted. */
const RETRIES = 2;
/** Part of the way of a single packet that its first stage shows. */
const ALONE_OUT = 0.6;

interface Story {
  events: Events;
  one: PostedEvent;
  recvs: readonly PostedEvent[];
  bursts: readonly Burst[];
}

/** True if packets of the request were sent again, and none came back: nothing says that one arrived. */
const isSilent = ({ one, bursts }: Story): boolean =>
  bursts.some(({ kind }) => kind === 'again') && bursts.every(({ side }) => side === one.side);

/** Part of the time until the next try for which an unanswered packet is shown. */
const SHOWN = 0.3;

/** End of the stage of unanswered packets, whose arrival is unknown. */
const gone = ({ sent, to }: Burst, next: Burst | undefined): number =>
  next ? Math.min(to, sent + SHOWN * (next.from - sent)) : to;

const receives = ({ opcode }: PostedEvent): boolean => /^SEND|WITH_IMM$/.test(opcode);

/** The call that posted a request, or the time around it. */
function postSpan({ calls }: Events, { side, t, since }: PostedEvent): [from: number, to: number] {
  const call = calls.findLast(
    (one) => one.side === side && one.t <= t && one.call.includes('post') && (one.end ?? one.t) >= t,
  );
  return [since ?? call?.t ?? t, t];
}

function focusOf({ one, recvs }: Story, more: readonly Focus[] = []): Focus[] {
  const other = otherSide(one.side);
  const rq: Focus[] = recvs.length > 0 || receives(one) ? [`${other}.rq`] : [];
  return [...new Set<Focus>([`${one.side}.sq`, `${one.side}.memory`, `${other}.memory`, ...rq, ...more])];
}

function postedStages(story: Story): Draft[] {
  const { events, one, recvs } = story;
  const [from, to] = postSpan(events, one);
  const fetched = events.find('fetched', one.request);
  const receive = recvs.map((recv): Draft => {
    const [begin, end] = postSpan(events, recv);
    return {
      ...{ name: 'RECV posted', from: begin, to: end },
      caption: receiveCaption(events, recv, recv.t <= one.t),
      focus: [`${recv.side}.rq`, `${recv.side}.memory`],
    };
  });
  const name = receives(one) && !one.opcode.startsWith('RDMA') ? 'SEND posted' : 'Posted';
  return [
    ...receive,
    { name, from, to, caption: postedCaption(events, one), focus: [`${one.side}.sq`, `${one.side}.memory`] },
    ...(fetched && fetched.t > one.t
      ? [
          {
            ...{ name: 'WQE fetched', from: one.t, to: fetched.t },
            caption: fetchedCaption(events, one, fetched.t),
            focus: [`${one.side}.sq`, `${one.side}.memory`] satisfies Focus[],
          },
        ]
      : []),
  ];
}

/** On transports without ACKs, the completion says that the packets are out. */
function completedAtOnce({ events, one, bursts }: Story, { sent, to }: Burst): string {
  const cqe = events.find('cqe', one.request);
  if (bursts.some(({ side }) => side !== one.side) || !cqe || cqe.since !== undefined) return '';
  if (cqe.t < sent || cqe.t > to) return '';
  return ` It writes a completion as soon as the last packet is out. No ACK will come, so that says nothing about ${who(events, otherSide(one.side))}.`;
}

function outStages(story: Story, burst: Burst, at: number): Draft[] {
  const { events, one, recvs, bursts } = story;
  const { packets, from, lands, to } = burst;
  const next = bursts[at + 1];
  const focus = focusOf(story);
  const lost = packets.find((packet) => packet.lost);
  const caption = `${outCaption(events, one, burst)}${completedAtOnce(story, burst)}`;
  if (lost) {
    return [{ name: `${lost.label} lost`, from, to, caption, focus }];
  }
  if (next?.kind === 'rnr') {
    const text = `The message arrives, and the receive queue is empty. There is no buffer to put it into.`;
    return [{ name: 'Message out', from, to, caption: text, focus }];
  }
  const name = packets.length > 1 ? 'Packets out' : 'Packet out';
  if (isSilent(story)) return [{ name, from, to: gone(burst, next), caption, focus }];
  // A single packet lands at once: its last part on the wire belongs to its arrival.
  const split = packets.length > 1 ? lands : from + (to - from) * ALONE_OUT;
  if (beyond(events, one) || (next?.kind === 'nak' && packets.every(({ taken }) => !taken)))
    return [
      { name, from, to: split, caption, focus },
      { name: 'Checked', from: split, to, caption: refusedCaption(events, one), focus },
    ];
  const landing = landingCaption(events, one, burst, recvs[0] ?? null);
  if (one.bytes === 0) return [{ name, from, to, caption, focus }];
  return [
    { name, from, to: split, caption, focus },
    { name: packets.length > 1 ? 'Bytes landing' : 'Bytes land', from: split, to, caption: landing, focus },
  ];
}

/** A wait for the ACK timeout, and what is sent again after it. */
function againStages(story: Story, burst: Burst, at: number): Draft[] {
  const { events, one, bursts } = story;
  const { packets, from, to } = burst;
  const before = bursts[at - 1];
  const focus = focusOf(story);
  const client = capital(whose(events, one.side));
  const first = packets[0]!.psn;
  if (before?.kind === 'rnr')
    return [
      {
        ...{ name: 'Retry', from, to, focus },
        caption: `Then ${whose(events, one.side)} device sends the same message again.${retried(story, burst)}`,
      },
    ];
  if (before?.kind === 'nak')
    return [
      {
        ...{ name: 'Go back', from, to, focus },
        asks: `${capital(whose(events, otherSide(one.side)))} device says that ${psnText(first ?? 0)} is missing. Which packets does ${whose(events, one.side)} device send again?`,
        caption: `${client} device goes back to ${psnText(first ?? 0)} and sends it and all that follows again. It reads memory a second time: that is why the buffer must not change before the completion.`,
      },
    ];
  const silent = isSilent(story);
  const duplicate = !silent && packets.every(({ taken }) => !taken);
  const other = whose(events, otherSide(one.side));
  const begin = before ? (silent ? gone(before, burst) : Math.max(before.to, before.sent)) : from;
  const waited = from - (silent && before ? before.sent : begin);
  return [
    {
      ...{ name: 'Timeout', from: begin, to: from, focus },
      caption: `Nothing comes: no ACK, and no gap that a NAK could name. ${client} device waits for its timeout. That takes ${timeText(waited)}.`,
    },
    {
      ...{ name: 'Sent again', from, to: silent ? gone(burst, bursts[at + 1]) : to, focus },
      caption: `${client} device sends ${plural(packets.length, 'packet')} again, from ${psnText(first ?? 0)} on.${duplicate ? ` ${capital(other)} device has them already. It writes nothing and acknowledges once more.` : ''}${silent ? ' Again, no answer comes.' : ''}`,
    },
  ];
}

function retried({ recvs }: Story, { packets }: Burst): string {
  return packets.every(({ taken }) => taken) && recvs[0]
    ? ` Now ${recvs[0].name} is there, and the bytes land in its buffer.`
    : '';
}

function rnrStages(story: Story, burst: Burst, at: number): Draft[] {
  const { events, one, bursts, recvs } = story;
  const { packets, from, to } = burst;
  const next = bursts[at + 1];
  const wait = packets[0]!.wait ?? 0;
  const focus = focusOf(story);
  const drafts: Draft[] = [
    {
      ...{ name: 'RNR NAK', from, to, focus },
      caption: `${capital(whose(events, otherSide(one.side)))} device answers “receiver not ready, try again in ${timeText(wait)}”.`,
    },
  ];
  if (!next || next.from <= to) return drafts;
  const posted = recvs.find(({ t }) => t > to && t < next.from);
  const until = posted ? postSpan(events, posted)[0] : next.from;
  drafts.push({
    ...{ name: 'Wait', from: to, to: Math.max(until, to + 1), focus },
    caption: `${capital(whose(events, one.side))} device waits: ${timeText(next.from - to)} until it tries again. The program is told nothing.`,
  });
  return drafts;
}

function burstStages(story: Story, burst: Burst, at: number): Draft[] {
  const { events, one, bursts } = story;
  const { kind, from, to, packets } = burst;
  const focus = focusOf(story, kind === 'ack' ? [`${one.side}.cq`] : []);
  const count = packets.length;
  switch (kind) {
    case 'out':
      return outStages(story, burst, at);
    case 'again':
      return againStages(story, burst, at);
    case 'rnr':
      return rnrStages(story, burst, at);
    case 'ask':
      return [
        {
          ...{ name: 'Request out', from, to, focus },
          caption: `One small packet goes out. It carries address, rkey and ${one.opcode.startsWith('ATOMIC') ? 'the operands' : 'length, and no data'}.`,
        },
      ];
    case 'response':
      return [
        {
          ...{ name: count > 1 ? 'Responses' : 'Response', from, to, focus },
          caption: responseCaption(events, one, burst),
        },
      ];
    case 'ack':
      return [
        {
          name: packets.at(-1)!.lost ? 'ACK lost' : 'ACK',
          from,
          to,
          focus,
          caption: ackCaption(events, one, burst),
        },
      ];
    case 'nak': {
      const gap = packets[0]!.refusal === 'psn sequence error';
      const before = bursts.slice(0, at).findLast(({ side }) => side === one.side);
      return [
        { name: gap ? 'A gap' : 'NAK', from, to, focus, caption: nakCaption(events, one, burst, before) },
      ];
    }
    case 'manager':
      return [];
  }
}

/** Leaves out the middle ones of many retries. */
function shortened(drafts: readonly Draft[]): Draft[] {
  const retries = drafts.filter(({ name }) => name === 'Retry');
  if (retries.length <= RETRIES) return [...drafts];
  const [first, last] = [retries[0]!, retries.at(-1)!];
  return drafts
    .filter(({ from }) => from <= first.to || from >= last.from)
    .map((draft) =>
      draft === last
        ? {
            ...draft,
            name: `Retry ${retries.length}`,
            caption: `${draft.caption} This is retry ${retries.length}.`,
          }
        : draft,
    );
}

export function oneStages(events: Events): Draft[] {
  const posted = events.subjects[0];
  const one = posted ?? events.recording.unposted;
  if (!one) return [];
  const recvs = [...events.posted.values()].filter(
    ({ queue, side, request }) =>
      queue === 'rq' && side !== one.side && receives(one) && events.find('fetched', request) !== undefined,
  );
  const bursts = burstsOf(events);
  const story: Story = { events, one, recvs, bursts };
  return [
    ...(posted ? postedStages(story) : []),
    ...shortened(bursts.flatMap((burst, at) => burstStages(story, burst, at))),
    ...polledStages(events),
  ];
}
