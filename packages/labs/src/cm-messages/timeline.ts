/** When each step of a connection happened, in µs after the client's program began. Medians over the connections. */
import type { CmMade, HandMade } from '@verbslab/protocol';
import { CM_ORDER, messageOf, type Conversation } from '../cm/conversation.js';
import { statOf, type Stat } from '../base/sweep.js';
import type { Context } from './connect.js';

export const inMicroseconds = (ns: readonly (number | null)[]): Stat | null => {
  const known = ns.filter((one) => one !== null);
  return known.length === 0 ? null : statOf(known.map((one) => one / 1000));
};

/** Times from one moment to another, of each connection that has both, µs. */
export const between = <T>(
  all: readonly T[],
  from: (one: T) => number | null | undefined,
  to: (one: T) => number | null | undefined,
): Stat | null =>
  inMicroseconds(
    all.map((one) => {
      const [a, b] = [from(one), to(one)];
      return a == null || b == null ? null : b - a;
    }),
  );

function show(ctx: Context, way: string, step: string, seen: string, at: Stat | null): void {
  ctx.row('timeline', {
    way,
    step,
    seen,
    at: at?.value ?? null,
    min: at?.min ?? null,
    max: at?.max ?? null,
  });
}

export interface CmPair {
  made: CmMade;
  conversation: Conversation;
}

/** Connections with what was captured of them: both are in the order of time. */
export const pairsOf = (made: readonly CmMade[], found: readonly Conversation[]): CmPair[] =>
  made.flatMap((one, i) => {
    const conversation = found[i];
    return conversation ? [{ made: one, conversation }] : [];
  });

const timeOf =
  (name: string) =>
  ({ conversation }: CmPair): number | undefined =>
    messageOf(conversation, name)?.t;

export function showCm(ctx: Context, made: readonly CmMade[], pairs: readonly CmPair[]): void {
  const program = (step: string, at: (one: CmMade) => number | null): void =>
    show(
      ctx,
      'rdma_cm',
      step,
      'program',
      between(made, (one) => one.beganAt, at),
    );
  const wire = (step: string, name: string): void =>
    show(
      ctx,
      'rdma_cm',
      step,
      'capture',
      between(pairs, (one) => one.made.beganAt, timeOf(name)),
    );
  program('Address and route resolved', (one) => one.resolvedAt);
  program('QP created (INIT)', (one) => one.createdAt);
  wire('ConnectRequest sent', 'ConnectRequest');
  wire('ConnectReply received', 'ConnectReply');
  wire('ReadyToUse sent, QP in RTS', 'ReadyToUse');
  program('ESTABLISHED', (one) => one.answeredAt);
}

export function showHand(ctx: Context, made: readonly HandMade[]): void {
  const program = (step: string, at: (one: HandMade) => number): void =>
    show(
      ctx,
      'by hand',
      step,
      'program',
      between(made, (one) => one.beganAt, at),
    );
  program('TCP connection open', (one) => one.openedAt);
  program('QP created (RESET), own line written', (one) => one.sentAt);
  program('Server’s line read', (one) => one.receivedAt);
  program('QP in RTS', (one) => one.readyAt);
  program('“ready” written', (one) => one.doneAt);
}

const CARRIES: Readonly<Record<string, string>> = {
  ConnectRequest: 'service ID, client’s QPN and PSN, timeouts, private data',
  ConnectReply: 'server’s QPN and PSN, private data',
  ReadyToUse: 'communication IDs',
  DisconnectRequest: 'communication IDs, QPN to disconnect',
  DisconnectReply: 'communication IDs',
};

/** Each message by the median time after the request, and after the message before it. */
export function showMessages(ctx: Context, pairs: readonly CmPair[]): void {
  let before = '';
  for (const name of CM_ORDER) {
    const first = pairs.map(({ conversation }) => messageOf(conversation, name)).find(Boolean);
    const gap = before === '' ? null : between(pairs, timeOf(before), timeOf(name));
    ctx.row('cm-message-times', {
      message: name,
      direction: first?.direction ?? null,
      since: between(pairs, timeOf('ConnectRequest'), timeOf(name))?.value ?? null,
      gap: gap?.value ?? null,
      min: gap?.min ?? null,
      max: gap?.max ?? null,
      length: first?.length ?? null,
      carries: CARRIES[name] ?? null,
    });
    before = name;
  }
}
