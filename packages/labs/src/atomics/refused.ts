/** Atomics that the server’s device refuses, each on a connection of its own, since it ends there. */
import type { Access, EndpointArgs, LabContext } from '@verbslab/protocol';
import { lookupWcStatus } from '@verbslab/protocol';
import { attempt } from '../endpoints/attempt.js';
import { remoteOf, type Side } from '../endpoints/side.js';
import { REM_ACCESS_ERR, REM_INV_REQ_ERR } from '../endpoints/wc-statuses.js';
import { readWord, WORD_BYTES, writeWord } from '../endpoints/memory.js';
import { join, openServer, type Server } from './endpoints.js';
import type { AtomicsParams } from './params.js';

type Context = LabContext<AtomicsParams>;

const WAIT_MS = 10_000;
const START = 7n;

interface Refused {
  figure: string;
  what: string;
  access: Access[];
  /** Offset from the counter, bytes. */
  offset: number;
  wanted: number;
  /** The client’s device can see the mistake, too, and refuse the post; then the server’s device never gets the request. */
  seenByClient: boolean;
}

const CASES: readonly Refused[] = [
  {
    figure: 'misaligned',
    what: 'FETCH_ADD at an address that is not a multiple of 8',
    access: ['LOCAL_WRITE', 'REMOTE_ATOMIC'],
    offset: 4,
    wanted: REM_INV_REQ_ERR,
    seenByClient: true,
  },
  {
    figure: 'no-right',
    what: 'FETCH_ADD into a region without REMOTE_ATOMIC',
    access: ['LOCAL_WRITE', 'REMOTE_READ', 'REMOTE_WRITE'],
    offset: 0,
    wanted: REM_ACCESS_ERR,
    seenByClient: false,
  },
];

/** The request, as a command of its endpoint. */
const fetchAdd = ({ qp, cq, mr }: Side, server: Server, offset: number): EndpointArgs<'postAndWait'> => ({
  qp: qp.qp,
  cq,
  wr: {
    opcode: 'ATOMIC_FETCH_AND_ADD',
    local: [{ mr: mr.mr, offset: 0, length: WORD_BYTES }],
    remote: remoteOf(server, offset),
    add: '0x1',
  },
  timeoutMs: WAIT_MS,
});

async function tryOne(ctx: Context, one: Refused): Promise<void> {
  const { figure, what, access, offset, wanted, seenByClient } = one;
  const server = await openServer(ctx, access);
  const client = await join(ctx, 'client-1', server, 1);
  await writeWord(server, 0, START);
  const request = fetchAdd(client, server, offset);
  const posted = seenByClient
    ? await attempt(client.endpoint, 'postAndWait', request)
    : { ok: true as const, result: await client.endpoint.call('postAndWait', request) };
  const kept = (await readWord(server, 0)) === START;
  const counter = kept ? 'as before' : 'changed';
  if (posted.ok) {
    const status = posted.result.completions[0]?.status ?? null;
    const name = status === null ? 'no completion' : lookupWcStatus(status).name;
    ctx.figure(figure, status);
    ctx.row('refused', { what, status: status === null ? name : `${status} ${name}`, counter });
    ctx.check(
      figure,
      status === wanted && kept,
      `${what}: ${name}. The server’s memory ${kept ? 'did not change' : 'changed'}.`,
    );
  } else {
    ctx.figure(figure, null);
    ctx.row('refused', { what, status: 'refused by ibv_post_send', counter });
    ctx.doesNotApply(
      figure,
      `The client’s device refused the post, so the server’s device did not see the request. ${posted.refusal}`,
    );
  }
  await client.scope.close();
  await server.scope.close();
}

export async function tryRefused(ctx: Context): Promise<void> {
  for (const one of CASES) await tryOne(ctx, one);
}
