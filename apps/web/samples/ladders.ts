// Records the ladders of the explanation of go-back-N on a real agent: `npm run ladder-samples`, or all of them with `-- --renew`.
import { defineLab, type Lab } from '@verbslab/labs';
import type { FaultRule, LabContext, PacketSummary } from '@verbslab/protocol';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startAgent } from '../../agent/src/agent.js';
import { createLogger } from '../../agent/src/base/log.js';
import { AgentClient } from '../../agent/src/client/client.js';
import { spawnEndpoint } from '../../agent/src/endpoint/index.js';
import { connectSides, openSide, type Side } from '../../../packages/labs/src/endpoints/side.js';
import { timeoutMs } from '../../../packages/labs/src/formulas/retry-timers.js';
import { bandwidth } from '../../../packages/labs/src/load/loop.js';
import { arrivals } from '../../../packages/labs/src/loss/copies.js';
import { counting, withFaults } from '../../../packages/labs/src/loss/faulty.js';
import { startTap } from '../../../packages/labs/src/wire/tap.js';
import {
  filedTime,
  type FiledLadder,
  type LadderFile,
} from '../src/explanations/amplification/ladder-file.js';
import { lossesOf, ONCE, PACKETS, TWICE, type Loss } from '../src/explanations/amplification/losses.js';

const FOLDER = new URL('../src/explanations/amplification/samples/', import.meta.url);

/** Records all of them; else only those that no file has. */
const RENEW = process.argv.includes('--renew');

const MTU = 4096;
const DEPTH = 16;
const MESSAGE = MTU * PACKETS;
/** 67 ms, the default of the labs. */
const TIMEOUT = 14;
const WARM_UPS = 64;
/** Tries for each ladder. The fastest one is kept: other programs can only slow one down. */
const TRIES = 7;
/** Messages without a loss before each try: after a timeout the device sends more slowly for a while. */
const CLEAN = 2;
const PSNS = 2 ** 24;
const OPCODES = { ack: 0x11, first: 0x06, last: 0x08 };
/** Syndrome of a NAK: 011 in its upper bits. */
const isNak = ({ syndrome = 0 }: PacketSummary): boolean => (syndrome & 0x60) === 0x60;

interface Ends {
  client: Side;
  server: Side;
  /** PSN of the next message. */
  next: number;
}

function rulesOf(losses: readonly Loss[], first: number): Record<'client' | 'server', FaultRule[]> {
  const packets = losses.flatMap((one) => ('packet' in one ? [one] : []));
  const twice = packets.length === 2 && packets[0]!.packet === packets[1]!.packet;
  return {
    client: (twice ? packets.slice(1) : packets).map(({ packet, copy }) => ({
      ...{ action: 'drop', psn: (first + packet) % PSNS },
      ...(twice ? { times: 2 } : { iter: copy, times: 1 }),
    })),
    server: losses.flatMap((one) =>
      'answer' in one ? [{ action: 'drop' as const, opcode: OPCODES.ack, iter: one.answer, times: 1 }] : [],
    ),
  };
}

const inMessage = (psn: number, first: number): number => (psn - first + PSNS) % PSNS;

/** Packets that one end sent and the other received, in the order of sending, with both times. */
function pairs(
  at: readonly PacketSummary[],
  there: readonly PacketSummary[],
  wanted: (opcode: number) => boolean,
) {
  const sent = at.filter((one) => one.direction === 'sent' && wanted(one.opcode)).sort((a, b) => a.t! - b.t!);
  const received = there.filter((one) => one.direction === 'received' && wanted(one.opcode));
  const here = arrivals(
    sent.map(({ psn }) => psn),
    received.map(({ psn }) => psn),
  );
  let next = 0;
  return sent.map((packet, i) => ({ packet, arrived: here[i] ? received[next++]!.t! : null }));
}

/** A side as the measuring loop takes it. */
const endOfPair = ({ cq, ...side }: Side) => ({ ...side, cq: { cq, depth: 2 * DEPTH } });

async function once(ends: Ends, losses: readonly Loss[]): Promise<{ filed: FiledLadder; wire: number[] }> {
  const { client, server, next: first } = ends;
  ends.next = (first + PACKETS) % PSNS;
  const rules = rulesOf(losses, first);
  const message = { size: MESSAGE, txDepth: 1, cqMod: 1, iterations: 1, wait: 'poll' } as const;
  for (const { endpoint } of [client, server]) await endpoint.call('tap.flush', {});
  const { result, did } = await withFaults(client.endpoint, { rules: rules.client }, () =>
    withFaults(server.endpoint, { rules: rules.server }, () =>
      counting(client.endpoint, () =>
        bandwidth({ client: endOfPair(client), server: endOfPair(server), link: null }, message),
      ),
    ),
  );
  const atClient = (await client.endpoint.call('tap.flush', {})).list;
  const atServer = (await server.endpoint.call('tap.flush', {})).list;
  const data = pairs(atClient, atServer, (opcode) => opcode >= OPCODES.first && opcode <= OPCODES.last);
  const answers = pairs(atServer, atClient, (opcode) => opcode === OPCODES.ack);
  const zero = data[0]!.packet.t!;
  const since = (t: number | null): number => filedTime(t === null ? null : t - zero);
  return {
    wire: data.slice(0, PACKETS).map(({ packet }) => packet.length!),
    filed: {
      packets: data.map(({ packet, arrived }) => [
        inMessage(packet.psn, first),
        since(packet.t!),
        since(arrived),
      ]),
      answers: answers.map(({ packet, arrived }) => [
        ...([isNak(packet) ? 1 : 0, inMessage(packet.psn, first), since(packet.t!), since(arrived)] as const),
      ]),
      counted: [result.result.moved.retransmitted_pkts ?? -1, did.dropped],
    },
  };
}

/** Time of the last thing that was recorded, in the units of the file. */
const endOf = ({ packets, answers }: FiledLadder): number =>
  Math.max(
    ...packets.map(([, sent, arrived]) => Math.max(sent, arrived)),
    ...answers.map((one) => Math.max(one[2], one[3])),
  );

/** True if what was lost is what was to be lost, and the client sent the packets of one message. */
function isWhole({ packets, answers }: FiledLadder, losses: readonly Loss[]): boolean {
  const lost = [...packets, ...answers].filter((one) => one.at(-1) === -1).length;
  return lost === losses.length && new Set(packets.map(([psn]) => psn)).size === PACKETS;
}

async function fastest(ends: Ends, name: string): Promise<{ filed: FiledLadder; wire: number[] }> {
  const losses = lossesOf(name);
  const tries = [];
  for (let i = 0; i < TRIES; i++) {
    for (let clean = 0; clean < CLEAN; clean++) await once(ends, []);
    tries.push(await once(ends, losses));
  }
  const whole = tries.filter(({ filed }) => isWhole(filed, losses));
  const best = whole.sort((a, b) => endOf(a.filed) - endOf(b.filed))[0];
  if (!best) throw new Error(`${name}: ${JSON.stringify(tries[0])}`);
  return best;
}

/** Lets the server’s program poll, so that its device answers at once and does not have to be woken. */
async function keepAwake({ endpoint, mr, qp }: Side): Promise<() => Promise<unknown>> {
  const { loop } = await endpoint.call('loop.start', {
    ...{ transport: 'rdma', measure: 'bandwidth', source: 0, report: false, records: 'none', role: 'target' },
    ...{ op: 'send', size: MTU, rxDepth: 1, wait: 'poll', idleTimeoutMs: 0, qps: [qp.qp], mr: mr.mr },
  });
  return async () => {
    await endpoint.call('loop.stop', { loop });
    await endpoint.call('loop.wait', { loop });
  };
}

async function record(ctx: LabContext<unknown>): Promise<void> {
  const options = { length: MESSAGE, link: 'auto', depth: DEPTH } as const;
  const client = await openSide(ctx.endpoint('client'), { ...options, access: ['LOCAL_WRITE'] });
  const server = await openSide(ctx.endpoint('server'), {
    ...options,
    access: ['LOCAL_WRITE', 'REMOTE_WRITE'],
  });
  const link = await connectSides(ctx, [client, server], 'auto', { timeout: TIMEOUT, mtu: MTU });
  for (const name of ['client', 'server'])
    if (!(await startTap(ctx, name, false, { maxPackets: 4096, mode: 'keep' })))
      throw new Error(`no packets of the ${name}`);
  const ends: Ends = { client, server, next: client.qp.info.psn };
  const stop = await keepAwake(server);
  for (let i = 0; i < WARM_UPS; i++) await once(ends, []);
  for (const [file, names] of [
    ['once', ONCE],
    ['twice', TWICE],
  ] as const) {
    const path = new URL(`${file}.json`, FOLDER);
    const before = RENEW || !existsSync(path) ? null : (JSON.parse(readFileSync(path, 'utf8')) as LadderFile);
    const ladders: LadderFile['ladders'] = { ...before?.ladders };
    let wire = before?.wire ?? [];
    for (const name of names) {
      if (ladders[name]) continue;
      const found = await fastest(ends, name);
      ladders[name] = found.filed;
      wire = found.wire;
      console.log(file, name, found.filed.packets.length, 'packets', endOf(found.filed) / 10, 'µs');
      const written: LadderFile = {
        ...{
          at: new Date().toISOString().slice(0, 10),
          provider: client.endpoint.device.providerClass,
          link,
        },
        ...{ timeoutMs: timeoutMs(TIMEOUT), mtu: MTU, message: MESSAGE, wire, ladders },
      };
      writeFileSync(path, `${JSON.stringify(written)}\n`);
    }
  }
  await stop();
}

const lab = defineLab({
  ...{ id: 'ladder-samples', title: 'Ladders', question: 'What does one lost packet cost?' },
  ...{ summary: 'Records ladders.', track: 'foundations', minutes: 1, watch: [], checks: [] },
  ...{
    short: 'Ladders',
    why: 'For an explanation.',
    buildsOn: [],
    picture: { sample: 'write', focus: ['wire'] },
  },
  params: z.object({}),
  roles: [
    { name: 'client', title: 'Client' },
    { name: 'server', title: 'Server' },
  ],
  run: record,
}) as Lab;

const home = mkdtempSync(join(tmpdir(), 'verbslab-ladders-'));
const agent = await startAgent({
  ...{ home, port: 0, labs: [lab], spawn: spawnEndpoint, logger: createLogger('warn') },
});
let ended: () => void = () => undefined;
const end = new Promise<void>((done) => (ended = done));
const { client } = await AgentClient.connect(agent.address, {
  onMessage: (message) => {
    if (message.type === 'run.complete') ended();
  },
});
try {
  const { run } = await client.request('run.start', { lab: 'ladder-samples', mode: 'all', params: {} });
  await client.request('run.subscribe', { runId: run.id, fromSeq: 1 });
  await end;
  const { state, error } = (await client.request('run.get', { runId: run.id })).run;
  if (state !== 'done') throw new Error(`${state}, ${JSON.stringify(error)}`);
} finally {
  await client.close();
  await agent.close();
  rmSync(home, { recursive: true, force: true });
}
