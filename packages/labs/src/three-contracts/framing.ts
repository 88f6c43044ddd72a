/** Each message takes one RECV: long enough, missing, and one byte too short. */
import { WC_FLUSH } from '@verbslab/protocol';
import { plural } from '../base/format.js';
import type { Bench } from '../failures/bench.js';
import { statusText } from '../failures/evidence.js';
import { seeded } from '../base/random.js';
import { checkFigures } from '../endpoints/too-busy.js';
import { SHORTEST } from './limits.js';
import { LOC_LEN_ERR, REM_INV_REQ_ERR, RNR_RETRY_EXC_ERR } from '../endpoints/wc-statuses.js';
import {
  allGood,
  arrivals,
  connect,
  next,
  postAll,
  postRecvs,
  report,
  toldTo,
  trial,
  type Context,
  type Seen,
} from './trial.js';

function drawLengths({ messages, size, seed }: Context['params']): number[] {
  const random = seeded(seed);
  return Array.from({ length: messages }, () => SHORTEST + Math.floor(random() * (size - SHORTEST + 1)));
}

async function withRecvs(ctx: Context, bench: Bench): Promise<Seen & { lengths: number[] }> {
  const { messages: count, size } = ctx.params;
  const lengths = drawLengths(ctx.params);
  const pair = await connect(ctx, bench);
  await postRecvs(pair, Array<number>(count).fill(size));
  const messages = await postAll(pair, lengths);
  const client = await next(pair.client, count);
  return { lengths, client, ...(await arrivals(pair, messages, count)) };
}

interface Refused extends Seen {
  /** Number of times that the client sent the first message; null: packets cannot be seen. */
  tries: number | null;
}

async function withoutRecvs(ctx: Context, bench: Bench, tapped: boolean): Promise<Refused> {
  const { messages: count, size, retries } = ctx.params;
  const pair = await connect(ctx, bench, { rnrRetry: retries });
  if (tapped) await bench.client.call('tap.flush', {});
  const messages = await postAll(pair, Array<number>(count).fill(size));
  const client = await next(pair.client, count);
  const first = pair.client.qp.info.psn;
  const tries = tapped
    ? (await bench.client.call('tap.flush', {})).list.filter(
        ({ direction, psn }) => direction === 'sent' && psn === first,
      ).length
    : null;
  return { tries, client, ...(await arrivals(pair, messages, 0)) };
}

async function withShortRecvs(ctx: Context, bench: Bench): Promise<Seen> {
  const { messages: count, size } = ctx.params;
  const pair = await connect(ctx, bench);
  await postRecvs(pair, Array<number>(count).fill(size - 1));
  const messages = await postAll(pair, Array<number>(count).fill(size));
  const client = await next(pair.client, count);
  // The first RECV fails, and the others are flushed.
  return { client, ...(await arrivals(pair, messages, count)) };
}

export async function tryFraming(ctx: Context, bench: Bench, tapped: boolean): Promise<void> {
  const { messages: count, retries } = ctx.params;
  const kept = await trial(bench, () => withRecvs(ctx, bench));
  report(ctx, 'Messages', 'Posts RECVs that are long enough, then sends', kept);
  kept.lengths.forEach((sent, i) =>
    ctx.row('lengths', { message: i + 1, sent, received: kept.server[i]?.byteLen ?? null }),
  );
  ctx.check(
    'messages-kept',
    kept.right === count && allGood(kept.client, count),
    `${kept.right} of ${plural(count, 'message')} arrived whole and in order, each in a RECV of its own with byte_len as sent.`,
  );

  const missing = await trial(bench, () => withoutRecvs(ctx, bench, tapped));
  report(ctx, 'Messages', 'Posts no RECV', missing);
  const [failed] = missing.client;
  ctx.figure('missing-tries', missing.tries);
  const told = failed?.status === RNR_RETRY_EXC_ERR && missing.server.length === 0;
  const { tries } = missing;
  const most = retries + 1;
  // On a busy machine an RNR NAK may come so late that the ACK timeout repeats a try.
  checkFigures(
    ctx,
    'messages-missing',
    {
      holds: told && (tries === null || tries === most),
      refuted: !told || (tries !== null && (tries < most || tries > 2 * most)),
    },
    `The first SEND ended with ${statusText(failed?.status ?? null)}${
      tries === null ? '' : ` after ${plural(tries, 'try', 'tries')}`
    }. The server got ${plural(missing.server.length, 'completion')}.`,
  );

  const short = await trial(bench, () => withShortRecvs(ctx, bench));
  report(ctx, 'Messages', 'Posts RECVs that are 1 B too short', short);
  const [atClient, atServer] = [short.client[0]?.status ?? null, short.server[0]?.status ?? null];
  ctx.outcome('short', toldTo(short));
  const rest = [...short.client.slice(1), ...short.server.slice(1)];
  ctx.check(
    'messages-short',
    atClient === REM_INV_REQ_ERR &&
      atServer === LOC_LEN_ERR &&
      rest.every(({ status }) => status === WC_FLUSH) &&
      short.right === 0,
    `The first SEND ended with ${statusText(atClient)}, its RECV with ${statusText(atServer)}. ${plural(rest.length, 'more completion')} followed at both ends together.`,
  );
}
