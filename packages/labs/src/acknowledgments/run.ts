import { PATIENT } from '../endpoints/timeouts.js';
import { closeAll } from '../endpoints/scope.js';
import type { LabContext, Mtu, PacketSummary } from '@verbslab/protocol';
import { operationName, PSN_MODULUS } from '@verbslab/roce';
import { formatCount, plural } from '../base/format.js';
import { powersOfTwo, statOf, sweep, type Stat } from '../base/sweep.js';
import { connectSides, openSide } from '../endpoints/side.js';
import { watchClient } from '../wire/watch.js';
import { acknowledged, acksIn, wrapAt, writesIn, type Acknowledged } from './acks.js';
import type { AcknowledgmentsParams } from './params.js';
import { LONG_BYTES, readOneByOne, write, writeInTurns, type Ends } from './requests.js';

type Context = LabContext<AcknowledgmentsParams>;

const PATH_MTU = 1024;
/** The client’s first PSN: the 20 packets before the wrap. */
const FIRST_PSN = PSN_MODULUS - 20;
const READS = 8;
/** Packets to show before and behind the wrap. */
const AROUND = 3;

interface Line {
  window: number;
  acks: Stat;
  requested: Stat;
  packets: number;
}

async function open(ctx: Context): Promise<{ ends: Ends; mtu: Mtu }> {
  const { size, largest, link } = ctx.params;
  const length = Math.max(size, LONG_BYTES);
  const access = ['LOCAL_WRITE' as const, 'REMOTE_WRITE' as const, 'REMOTE_READ' as const];
  const made = await openSide(ctx.endpoint('client'), { length, access, link, depth: largest });
  const server = await openSide(ctx.endpoint('server'), { length, access, link });
  // The server expects the PSN that the client announces.
  const client = { ...made, qp: { ...made.qp, info: { ...made.qp.info, psn: FIRST_PSN } } };
  const watch = await watchClient(ctx, client, server);
  const mtu = Math.min(PATH_MTU, client.qp.info.mtu, server.qp.info.mtu) as Mtu;
  const options = { mtu, ...PATIENT };
  await connectSides(ctx, [client, server], link, [{ ...options, psn: FIRST_PSN }, options]);
  return { ends: { client, server, watch }, mtu };
}

/** ACKs at each number in flight. */
async function windows(ctx: Context, ends: Ends, log: PacketSummary[]): Promise<Line[]> {
  const { messages, largest, repeat } = ctx.params;
  const settings = powersOfTwo(largest);
  const found = await sweep(
    ctx,
    settings,
    repeat,
    (window) => `${window} in flight`,
    async (window) => {
      const packets = await writeInTurns(ctx, ends, window);
      log.push(...packets);
      const data = writesIn(packets);
      return {
        acks: acksIn(packets).length,
        requested: data.filter(({ ackReq }) => ackReq).length,
        packets: data.length,
      };
    },
  );
  return settings.map((window, i): Line => {
    const rounds = found[i]!;
    const acks = statOf(rounds.map((one) => one.acks));
    const requested = statOf(rounds.map((one) => one.requested));
    const { packets } = rounds[0]!;
    ctx.row('windows', {
      window,
      writes: messages,
      packets,
      requested: requested.value,
      acks: acks.value,
      min: acks.min,
      max: acks.max,
      perAck: messages / acks.value,
    });
    const { value: y, min, max } = acks;
    ctx.point('acks', { x: window, y: y / messages, min: min / messages, max: max / messages });
    return { window, acks, requested, packets };
  });
}

/** Sends a WRITE of many packets. Shows the packets that ask for an ACK, and the packets that each ACK covers. */
async function longWrite(ctx: Context, ends: Ends, log: PacketSummary[]): Promise<boolean> {
  const packets = await write(ends, 1, LONG_BYTES);
  const before = acknowledged(log).acks.length;
  log.push(...packets);
  const data = writesIn(packets);
  data.forEach(({ ackReq, psn, opcode }, i) => {
    if (ackReq) ctx.row('asking', { packet: i + 1, opcode: operationName(opcode), psn: formatCount(psn) });
  });
  const acks = acknowledged(log).acks.slice(before);
  for (const { psn, packets: covered, msn } of acks)
    ctx.row('answers', { psn: formatCount(psn), packets: covered, msn });
  ctx.figure('long-packets', data.length);
  ctx.figure('long-requested', data.filter(({ ackReq }) => ackReq).length);
  ctx.figure('long-acks', acks.length);
  return data.at(-1)?.ackReq === true;
}

/** READs one by one: nothing but responses may come back, and each counts as a message. */
async function reads(ctx: Context, ends: Ends, base: number): Promise<void> {
  const packets = await readOneByOne(ctx, ends, READS);
  const acks = acksIn(packets).length;
  ctx.figure('read-acks', acks);
  ctx.outcome('read', acks === 0 ? 'response' : 'ack');
  const msns = packets.flatMap(({ direction, msn }) => (direction === 'received' ? [msn ?? null] : []));
  const right = msns.length === READS && msns.every((msn, i) => msn === (base + i + 1) % PSN_MODULUS);
  ctx.check(
    'reads',
    acks === 0 && right,
    `${READS} READs brought ${plural(acks, 'ACK')}. The MSN in their responses goes on counting: ${msns.map((msn) => msn ?? 'none').join(', ')}.`,
  );
}

function judge(ctx: Context, { data, acks, gaps, stray }: Acknowledged): void {
  const wrong = acks.filter(({ msn, expected }) => msn !== expected % PSN_MODULUS).length;
  ctx.check(
    'msn',
    wrong === 0 && stray === 0 && acks.length > 0,
    wrong + stray === 0
      ? `The MSN of each of ${plural(acks.length, 'ACK')} is the number of WRITEs whose last packet it covers, also where one ACK covers several.`
      : `${plural(wrong, 'ACK')} of ${acks.length} with another MSN than the WRITEs before it, and ${stray} that fit no packet.`,
  );
  const at = wrapAt(data);
  data.slice(Math.max(0, at - AROUND), at < 0 ? 0 : at + AROUND).forEach(({ psn }, i) => {
    const packet = Math.max(0, at - AROUND) + i + 1;
    ctx.row('wrap', { packet, psn: formatCount(psn), hex: `0x${psn.toString(16).padStart(6, '0')}` });
  });
  ctx.check(
    'wrap',
    at >= 0 && gaps === 0,
    at >= 0 && gaps === 0
      ? `PSN 0 followed ${formatCount(PSN_MODULUS - 1)} in packet ${at + 1} of ${formatCount(data.length)}, and no PSN was skipped.`
      : `${at < 0 ? 'The PSN did not wrap' : 'The PSN wrapped'}, and ${plural(gaps, 'PSN')} did not follow the one before.`,
  );
  ctx.figure('before-wrap', at < 0 ? null : at);
  ctx.figure('last-psn', data.at(-1)?.psn ?? null);
  if (at >= 0) ctx.outcome('wrap', 'zero');
}

export async function runAcknowledgments(ctx: Context): Promise<void> {
  const { messages } = ctx.params;
  const { ends } = await open(ctx);
  const log: PacketSummary[] = [];
  const lines = await windows(ctx, ends, log);
  const lastAsks = await longWrite(ctx, ends, log);
  const all = acknowledged(log);
  await reads(ctx, ends, all.acks.at(-1)?.expected ?? 0);
  ctx.draining();
  await ends.watch.stop();
  await closeAll(ends.client, ends.server);
  const [alone, deep] = [lines[0]!, lines.at(-1)!];
  ctx.figure('alone-acks', alone.acks.value, alone.acks);
  ctx.figure('deep-acks', deep.acks.value, deep.acks);
  ctx.figure('deep-requested', deep.requested.value, deep.requested);
  ctx.figure('messages-per-ack', messages / deep.acks.value);
  ctx.check(
    'one-each',
    alone.acks.min === messages && alone.acks.max === messages,
    `${messages} WRITEs, one in flight at a time, brought ${alone.acks.min === alone.acks.max ? '' : `${formatCount(alone.acks.min)} to `}${plural(alone.acks.max, 'ACK')}.`,
  );
  const asked = lines.every(({ requested, window }) => requested.min >= Math.ceil(messages / window));
  ctx.check(
    'asked',
    lastAsks && asked,
    `${asked ? 'At least one packet per wait' : 'Less than one packet per wait'} has AckReq set, and the last packet of the long WRITE ${lastAsks ? 'has' : 'does not have'} it.`,
  );
  judge(ctx, all);
  ctx.answer(
    `${messages} WRITEs got ${plural(alone.acks.value, 'ACK')} with one in flight, and ${plural(deep.acks.value, 'ACK')} with ${deep.window} in flight. An ACK covers everything up to its PSN. PSN 0 follows ${formatCount(PSN_MODULUS - 1)}.`,
  );
}
