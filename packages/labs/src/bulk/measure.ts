/** Runs a pair of loops, reports phases and progress, and gives what both measured. */
import {
  AppError,
  type EndpointArgs,
  type EndpointHandle,
  type EndpointLoopResult,
  type LabContext,
} from '@verbslab/protocol';
import { formatNumber } from '../format.js';
import type { Measured } from './figures.js';
import { roundSeconds, type BulkParams } from './params.js';

type LoopOptions = EndpointArgs<'loop.start'>;

export interface Pair {
  transport: 'rdma' | 'tcp';
  /** From 1. */
  round: number;
  /** What the target needs; started first. */
  server: LoopOptions;
  /** What the initiator needs, once the target told its port. */
  client: (port: number) => LoopOptions;
  /** Asked again and again while the pair runs, at most every SAMPLE_MS. */
  sample?: () => Promise<unknown>;
}

/** Where this pair's time lies in the whole run. */
export interface Span {
  from: number;
  to: number;
  /** Seconds of what comes after it. */
  after: number;
  /** Only one of two that run at once tells progress. */
  shown: boolean;
}

const STATUS_MS = 200;
const SAMPLE_MS = 500;
const NAMES = { rdma: 'RDMA', tcp: 'TCP' } as const;

/** Throws AppError with what ended a loop early. */
export async function measure(ctx: LabContext<BulkParams>, pair: Pair, span: Span): Promise<Measured> {
  const ends = { client: ctx.endpoint('client'), server: ctx.endpoint('server') };
  const target = await ends.server.call('loop.start', pair.server);
  try {
    const initiator = await ends.client.call('loop.start', pair.client(target.port));
    await watch(ctx, pair, ends.client, initiator.loop, span);
    const client = await ends.client.call('loop.wait', { loop: initiator.loop });
    await ends.server.call('loop.stop', { loop: target.loop });
    const server = await ends.server.call('loop.wait', { loop: target.loop });
    throwIfFailed(client);
    throwIfFailed(server);
    return { client, server };
  } catch (error) {
    // Whatever ended the client's loop, the server's must not go on.
    await ends.server.call('loop.stop', { loop: target.loop }).catch(() => undefined);
    throw error;
  }
}

function throwIfFailed({ error }: EndpointLoopResult): void {
  if (error) throw AppError.from(error);
}

/** Reports until the loop has ended. */
async function watch(
  ctx: LabContext<BulkParams>,
  { transport, round, sample }: Pair,
  endpoint: EndpointHandle,
  loop: number,
  span: Span,
): Promise<void> {
  const { omit, repeat } = ctx.params;
  const name = repeat > 1 ? `${NAMES[transport]}, round ${round} of ${repeat}` : NAMES[transport];
  const whole = roundSeconds(ctx.params) + omit;
  let phase: 'warm-up' | 'measured' = omit > 0 ? 'warm-up' : 'measured';
  const tell = (edge: 'begin' | 'end'): void =>
    ctx.emit({
      kind: 'phase',
      phase: edge,
      id: `${transport}-${round}-${phase}`,
      transport,
      omit: phase === 'warm-up',
      text: phase === 'warm-up' ? `${name} warms up; the figures leave this out` : `${name} is measured`,
    });
  tell('begin');
  let sampled = 0;
  for (let running = true; running;) {
    const left = phase === 'warm-up' ? omit * 1000 : STATUS_MS;
    const status = await endpoint.call('loop.status', { loop, waitMs: Math.min(left, STATUS_MS) });
    running = status.running;
    const elapsed = Math.min(whole, status.elapsedNs / 1e9);
    if (sample && running && (elapsed - sampled) * 1000 >= SAMPLE_MS) {
      sampled = elapsed;
      await sample();
    }
    if (phase === 'warm-up' && (elapsed >= omit || !running)) {
      tell('end');
      phase = 'measured';
      tell('begin');
    }
    if (span.shown) {
      const share = span.from + (span.to - span.from) * (elapsed / whole);
      ctx.progress(
        share,
        `${name}: ${formatNumber(elapsed)} of ${formatNumber(whole)} s`,
        whole - elapsed + span.after,
      );
    }
  }
  tell('end');
}
