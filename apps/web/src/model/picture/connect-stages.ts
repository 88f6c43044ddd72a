/** Stages of a connection of the connection manager: one per message. */
import { capital, who } from './captions';
import type { Events } from './events';
import { otherSide, type Side } from './state';
import type { Draft } from './tiled';

const TEXTS: Readonly<Record<string, (from: string, to: string) => string>> = {
  REQ: (from, to) =>
    `${from} asks for a connection: REQ carries its QPN, its first PSN and private data, as a datagram to QP 1 of ${to}.`,
  REP: (from, to) =>
    `${from} accepts: REP carries its own QPN and first PSN. Now ${to} knows all that its QP needs.`,
  RTU: (from, to) => `${from} is ready to use the connection: RTU. With it, ${to} may send, too.`,
  REJ: (from) => `${from} rejects the request: REJ carries the reason.`,
  MRA: (from) => `${from} asks for more time: MRA.`,
  DREQ: (from) => `${from} ends the connection: DREQ.`,
  DREP: (from) => `${from} agrees to the end: DREP.`,
};

export function connectStages(events: Events): Draft[] {
  const drafts: Draft[] = [];
  for (const { label, side, from, to, again, lost } of events.packets) {
    const other: Side = otherSide(side);
    const text = TEXTS[label]?.(capital(who(events, side)), who(events, other)) ?? `${label} is sent.`;
    const states = events.of('state').filter(({ t }) => t >= from && t <= to);
    const moved = states.map((e) => ` ${capital(who(events, e.side))}’s QP is now in ${e.state}.`).join('');
    drafts.push({
      ...{ name: again ? `${label} again` : label, from, to },
      caption: `${lost ? `${label} is lost.` : text}${moved}`,
      focus: ['wire', `${side}.device`, `${other}.device`],
    });
  }
  return drafts;
}
