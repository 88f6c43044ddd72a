/** Requests that the server’s device, or the client’s, must refuse. Each ends its connection. */
import { closeAll } from '../endpoints/scope.js';
import type { Access, EndpointArgs } from '@verbslab/protocol';
import { AppError, lookupWcStatus } from '@verbslab/protocol';
import { intendRefusedAccess } from '../endpoints/intend.js';
import { REM_ACCESS_ERR } from '../endpoints/wc-statuses.js';
import { PATIENT } from '../endpoints/timeouts.js';
import { connectSides, openSide, remoteOf, type Side } from '../endpoints/side.js';
import { readWord, WORD_BYTES } from '../endpoints/memory.js';
import { titleOf, type VerbId } from './jobs.js';
import { TAG } from './layout.js';
import { NO_ATOMICS } from './observe.js';
import type { Context } from './stage.js';

type Wr = EndpointArgs<'postSend'>['wr'];
export type OneSided = Exclude<VerbId, 'send'>;

const WAIT_MS = 10_000;
const ALL: Access[] = ['REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'];
const OTHER_BITS = 0xffff_ff00;

const PARTS: Readonly<Record<OneSided, Omit<Wr, 'local' | 'remote'>>> = {
  write: { opcode: 'RDMA_WRITE' },
  imm: { opcode: 'RDMA_WRITE_WITH_IMM', imm: TAG },
  read: { opcode: 'RDMA_READ' },
  atomic: { opcode: 'ATOMIC_FETCH_AND_ADD', add: '0x1' },
};

export interface Outcome {
  /** Null: the call was refused, or no completion came. */
  status: number | null;
  text: string;
  /** The first word of the server’s memory, which a request that was carried out changes. */
  kept: boolean;
}

async function post({ endpoint, qp, cq }: Side, wr: Wr): Promise<Omit<Outcome, 'kept'>> {
  try {
    const { completions } = await endpoint.call('postAndWait', { qp: qp.qp, cq, wr, timeoutMs: WAIT_MS });
    const status = completions[0]?.status ?? null;
    return { status, text: status === null ? 'no completion' : `${status} ${lookupWcStatus(status).name}` };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VERBS') throw error;
    return { status: null, text: error.info.message };
  }
}

/** Tries a request on a connection of its own. */
async function attempt(
  ctx: Context,
  verb: OneSided,
  access: Access[],
  request: { length: number; rkey: (right: number) => number },
): Promise<Outcome> {
  const { link, message } = ctx.params;
  const length = Math.ceil(message / WORD_BYTES) * WORD_BYTES;
  const client = await openSide(ctx.endpoint('client'), { length, access: ['LOCAL_WRITE'], link });
  const server = await openSide(ctx.endpoint('server'), { length, access: ['LOCAL_WRITE', ...access], link });
  await connectSides(ctx, [client, server], link, PATIENT);
  await client.endpoint.call('fillMemory', { mr: client.mr.mr, offset: 0, length, seed: 1 });
  if (verb === 'imm') await server.endpoint.call('postRecv', { qp: server.qp.qp, wr: {} });
  const { addr, rkey } = remoteOf(server);
  const outcome = await post(client, {
    ...PARTS[verb],
    local: [{ mr: client.mr.mr, offset: 0, length: request.length }],
    remote: { addr, rkey: request.rkey(rkey) },
  });
  const kept = (await readWord(server, 0)) === 0n;
  await closeAll(client, server);
  return { ...outcome, kept };
}

const right = (rkey: number): number => rkey;
/** A key that the sender has to guess. */
const guessed = (rkey: number): number => (rkey ^ OTHER_BITS) >>> 0;

type Found = Partial<Record<OneSided, Outcome>>;

async function tryEach(
  ctx: Context,
  verbs: readonly OneSided[],
  access: (verb: OneSided) => Access[],
  rkey: (right: number) => number,
): Promise<Found> {
  const found: Found = {};
  for (const verb of verbs) {
    intendRefusedAccess(ctx);
    found[verb] = await attempt(ctx, verb, access(verb), { length: WORD_BYTES, rkey });
  }
  return found;
}

function check(ctx: Context, id: string, found: Found, where: string): void {
  const all = Object.entries(found) as [OneSided, Outcome][];
  ctx.check(
    id,
    all.every(([, { status, kept }]) => status === REM_ACCESS_ERR && kept),
    `${where}: ${all.map(([verb, { text, kept }]) => `${titleOf(verb)} ended with ${text}${kept ? '' : ' and changed the memory'}`).join(', ')}.`,
  );
}

export interface Refusals {
  /** Outcome with a wrong rkey. */
  guessed: Found;
  /** An atomic of more than 8 bytes; null where the device has none. */
  long: Outcome | null;
}

export async function tryRefused(ctx: Context, atomics: boolean): Promise<Refusals> {
  const verbs: OneSided[] = ['write', 'imm', 'read', ...(atomics ? (['atomic'] as const) : [])];
  const without = await tryEach(ctx, verbs, () => [], right);
  check(ctx, 'rights', without, 'To a region with LOCAL_WRITE only');
  const rights: Access[] = atomics ? ALL : ALL.slice(0, 2);
  const unknown = await tryEach(
    ctx,
    verbs.filter((verb) => verb !== 'read'),
    () => rights,
    guessed,
  );
  check(ctx, 'unknown-address', unknown, 'With an rkey that the sender guessed');
  ctx.figure('no-right', Object.values(without).filter(({ status }) => status === REM_ACCESS_ERR).length);
  ctx.figure('guessed', unknown.write!.status);
  const long = atomics
    ? await attempt(ctx, 'atomic', rights, { length: ctx.params.message, rkey: right })
    : null;
  if (long)
    ctx.check(
      'eight-bytes',
      long.status !== 0 && long.kept,
      `A FETCH_ADD of ${ctx.params.message} B: ${long.text}. The server’s memory ${long.kept ? 'did not change' : 'changed'}.`,
    );
  else ctx.doesNotApply('eight-bytes', NO_ATOMICS);
  return { guessed: unknown, long };
}
