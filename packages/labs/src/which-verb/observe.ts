/** Each verb once: the place of its data, and the completions at the target. */
import { closeAll } from '../endpoints/scope.js';
import type { EndpointArgs, Wc } from '@verbslab/protocol';
import { formatBytes, plural } from '../base/format.js';
import { PATIENT } from '../endpoints/timeouts.js';
import { connectSides, hashOf, openSide, remoteOf, type Side } from '../endpoints/side.js';
import { completions } from '../endpoints/verbs.js';
import { readWord, WORD_BYTES } from '../endpoints/memory.js';
import { titleOf, type VerbId } from './jobs.js';
import { TAG } from './layout.js';
import type { Context } from './stage.js';

type Wr = EndpointArgs<'postSend'>['wr'];

const CLIENT_SEED = 21;
const SERVER_SEED = 22;
const ADD = 5n;

export interface Seen {
  verb: VerbId;
  /** True if the memory of the end changed. */
  clientChanged: boolean;
  serverChanged: boolean;
  /** Completions at the target. */
  told: Wc[];
  /** True if all data is where it should be. */
  arrived: boolean;
}

/** Request of a verb. Each region begins with the data that the end sends; the data that it receives is behind that. */
const wrOf = (verb: VerbId, client: Side, server: Side, size: number): Wr => {
  const from = [{ mr: client.mr.mr, offset: 0, length: size }];
  const to = [{ mr: client.mr.mr, offset: size, length: size }];
  switch (verb) {
    case 'send':
      return { opcode: 'SEND', local: from };
    case 'write':
      return { opcode: 'RDMA_WRITE', local: from, remote: remoteOf(server, size) };
    case 'imm':
      return { opcode: 'RDMA_WRITE_WITH_IMM', local: from, remote: remoteOf(server, size), imm: TAG };
    case 'read':
      return { opcode: 'RDMA_READ', local: to, remote: remoteOf(server) };
    case 'atomic':
      return {
        opcode: 'ATOMIC_FETCH_AND_ADD',
        local: [{ mr: client.mr.mr, offset: size, length: WORD_BYTES }],
        remote: remoteOf(server),
        add: `0x${ADD.toString(16)}`,
      };
  }
};

/** A multiple of 8, since an atomic has its result behind it. */
const sizeOf = (ctx: Context): number => Math.ceil(ctx.params.large / WORD_BYTES) * WORD_BYTES;

async function observe(ctx: Context, verb: VerbId): Promise<Seen> {
  const { link } = ctx.params;
  const size = sizeOf(ctx);
  const all = { length: 2 * size, link };
  const client = await openSide(ctx.endpoint('client'), { ...all, access: ['LOCAL_WRITE'] });
  const server = await openSide(ctx.endpoint('server'), {
    ...all,
    access: [
      'LOCAL_WRITE',
      'REMOTE_WRITE',
      'REMOTE_READ',
      ...(verb === 'atomic' ? (['REMOTE_ATOMIC'] as const) : []),
    ],
  });
  await connectSides(ctx, [client, server], link, PATIENT);
  for (const [{ endpoint, mr }, seed] of [
    [client, CLIENT_SEED],
    [server, SERVER_SEED],
  ] as const)
    await endpoint.call('fillMemory', { mr: mr.mr, offset: 0, length: size, seed });
  const whole = (side: Side): Promise<string> => hashOf(side, 0, 2 * size);
  const before = { client: await whole(client), server: await whole(server) };
  const word = await readWord(server, 0);
  const taken = verb === 'send' || verb === 'imm';
  if (taken)
    await server.endpoint.call('postRecv', {
      qp: server.qp.qp,
      wr: { local: verb === 'send' ? [{ mr: server.mr.mr, offset: size, length: size }] : [] },
    });
  await client.endpoint.call('postSend', { qp: client.qp.qp, wr: wrOf(verb, client, server, size) });
  await completions(client.endpoint, client.cq, 1, titleOf(verb));
  const told = taken
    ? await completions(server.endpoint, server.cq, 1, 'RECV')
    : (await server.endpoint.call('pollCq', { cq: server.cq })).completions;
  const seen: Seen = {
    verb,
    clientChanged: (await whole(client)) !== before.client,
    serverChanged: (await whole(server)) !== before.server,
    told,
    arrived:
      verb === 'atomic'
        ? (await readWord(client, size)) === word &&
          (await readWord(server, 0)) === BigInt.asUintN(64, word + ADD)
        : verb === 'read'
          ? (await hashOf(client, size, size)) === (await hashOf(server, 0, size))
          : (await hashOf(server, size, size)) === (await hashOf(client, 0, size)),
  };
  await closeAll(client, server);
  return seen;
}

interface Rule {
  verb: VerbId;
  check: string;
  use: string;
  data: string;
  names: string;
  wanted: { clientChanged: boolean; serverChanged: boolean; told: number; tag?: number };
}

/** The guide: the use of each verb, and the evidence that must be seen of it. */
export const RULES: readonly Rule[] = [
  {
    verb: 'send',
    check: 'send-message',
    use: 'Messages to a program',
    data: 'to the target, into the buffer of its RECV',
    names: 'the target, by its RECV',
    wanted: { clientChanged: false, serverChanged: true, told: 1 },
  },
  {
    verb: 'write',
    check: 'write-push',
    use: 'Pushing data',
    data: 'to the target',
    names: 'the initiator',
    wanted: { clientChanged: false, serverChanged: true, told: 0 },
  },
  {
    verb: 'imm',
    check: 'imm-tag',
    use: 'Pushing data with a tag of 32 bits',
    data: 'to the target',
    names: 'the initiator',
    wanted: { clientChanged: false, serverChanged: true, told: 1, tag: TAG },
  },
  {
    verb: 'read',
    check: 'read-pull',
    use: 'Pulling data',
    data: 'to the initiator',
    names: 'the initiator',
    wanted: { clientChanged: true, serverChanged: false, told: 0 },
  },
  {
    verb: 'atomic',
    check: 'atomic-word',
    use: 'Changing 8 bytes that others change, too',
    data: 'both ways: the sum stays, the old value comes back',
    names: 'the initiator',
    wanted: { clientChanged: true, serverChanged: true, told: 0 },
  },
];

const yes = (is: boolean): string => (is ? 'changed' : 'did not change');

/** A sentence about the observations. */
export function sentenceOf(
  ctx: Context,
  { verb, clientChanged, serverChanged, told, arrived }: Seen,
): string {
  const size = formatBytes(verb === 'atomic' ? WORD_BYTES : sizeOf(ctx));
  const tag = told[0]?.imm === undefined ? '' : `, with the tag ${told[0].imm}`;
  return (
    `${titleOf(verb)} of ${size}: the initiator’s memory ${yes(clientChanged)}, the target’s ${yes(serverChanged)}, ` +
    `and the target got ${plural(told.length, 'completion')}${tag}.${arrived ? '' : ' The data is not where it should be.'}`
  );
}

/** Checks and rows of the guide. Without atomics at the server, FETCH_ADD is left out. */
export async function observeAll(ctx: Context, atomics: boolean): Promise<Partial<Record<VerbId, Seen>>> {
  const found: Partial<Record<VerbId, Seen>> = {};
  for (const { verb, check, use, data, names, wanted } of RULES) {
    if (verb === 'atomic' && !atomics) {
      ctx.doesNotApply(check, NO_ATOMICS);
      continue;
    }
    const seen = await observe(ctx, verb);
    found[verb] = seen;
    ctx.row('guide', {
      verb: titleOf(verb),
      use,
      data,
      names,
      told: seen.told.length,
      tag: seen.told[0]?.imm ?? null,
    });
    ctx.check(
      check,
      seen.arrived &&
        seen.clientChanged === wanted.clientChanged &&
        seen.serverChanged === wanted.serverChanged &&
        seen.told.length === wanted.told &&
        seen.told[0]?.imm === wanted.tag,
      sentenceOf(ctx, seen),
    );
  }
  ctx.figure('write-told', found.write!.told.length);
  ctx.figure('tag', found.imm!.told[0]?.imm ?? null);
  return found;
}

export const NO_ATOMICS = 'The server’s device has no atomics (atomic_cap is none).';
