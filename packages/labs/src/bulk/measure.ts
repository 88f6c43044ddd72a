/** Runs a pair of loops, reports phases and progress, and returns the measurements of both. */
import {
  AppError,
  type EndpointArgs,
  type EndpointHandle,
  type EndpointLoopResult,
  type LabContext,
} from '@verbslab/protocol';
import { formatNumber } from '../base/format.js';
import type { Measured } from '../load/both-ends.js';
import type { BulkParams } from './params.js';
import { roundSeconds, type BulkTransport } from './plan.js';

type LoopOptions = EndpointArgs<'loop.start'>;

export interface Pair {
  transport: BulkTransport;
  /** Name of the transport, as used in sentences. */
  name: string;
  /** Round number from 1. */
  round: number;
  /** Options of the target's loop, which starts first. */
  server: LoopOptions;
  /** Options of the initiator's loop, once the target's port is known. */
  client: (port: number) => LoopOptions;
  /** Called repeatedly while the pair runs, at most every SAMPLE_MS. */
  sample?: () => Promise<unknown>;
}

/** Place of this pair's time in the whole run. */
export interface Span {
  from: number;
  to: number;
  /** Seconds of what comes after the pair. */
  after: number;
  /** Only one of two that run at once reports progress. */
  shown: boolean;
}

const STATUS_MS = 200;
const SAMPLE_MS = 500;
/** Time for a server to read what was still under way; a socket's buffer is read in milliseconds. */
const LAST_BYTES_MS = 2000;

/** Throws AppError with what ended a loop early. */
export async function measure(ctx: LabContext<BulkParams>, pair: Pair, span: Span): Promise<Measured> {
  const ends = { client: ctx.endpoint('client'), server: ctx.endpoint('server') };
  const target = await ends.server.call('loop.start', pair.server);
  try {
    const initiator = await ends.client.call('loop.start', pair.client(target.port));
    await watch(ctx, pair, ends.client, initiator.loop, span);
    const client = await ends.client.call('loop.wait', { loop: initiator.loop });
    // The server ends by itself once it has read all that the client wrote. Stopping it earlier would leave bytes
    // unread.
    if (pair.transport === 'tcp')
      await ends.server.call('loop.status', { loop: target.loop, waitMs: LAST_BYTES_MS });
    await ends.server.call('loop.stop', { loop: target.loop });
    const server = await ends.server.call('loop.wait', { loop: target.loop });
    throwIfFailed(client);
    throwIfFailed(server);
    return { client, server };
  } catch (error) {
    // The server's loop must not go on, whatever ended the client's.
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
  { transport, name: own, round, sample }: Pair,
  endpoint: EndpointHandle,
  loop: number,
  span: Span,
): Promise<void> {
  const { omit, repeat } = ctx.params;
  const name = repeat > 1 ? `${own}, round ${round} of ${repeat}` : own;
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
