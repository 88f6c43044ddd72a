/** Atomics that the server’s device refuses, each on a connection of its own, since it ends there. */
import type { Access, LabContext } from '@verbslab/protocol';
import { lookupWcStatus } from '@verbslab/protocol';
import { closeSide, remoteOf, type Side } from '../side.js';
import { REM_ACCESS_ERR, REM_INV_REQ_ERR } from '../statuses.js';
import { readWord, WORD_BYTES, writeWord } from '../words.js';
import { closeServer, join, openServer, type Server } from './ends.js';
import type { AtomicsParams } from './params.js';

type Context = LabContext<AtomicsParams>;

const WAIT_MS = 10_000;
const START = 7n;

interface Refused {
  figure: string;
  what: string;
  access: Access[];
  /** From the counter, in bytes. */
  offset: number;
  wanted: number;
}

const CASES: readonly Refused[] = [
  {
    figure: 'misaligned',
    what: 'FETCH_ADD at an address that is not a multiple of 8',
    access: ['LOCAL_WRITE', 'REMOTE_ATOMIC'],
    offset: 4,
    wanted: REM_INV_REQ_ERR,
  },
  {
    figure: 'no-right',
    what: 'FETCH_ADD into a region without REMOTE_ATOMIC',
    access: ['LOCAL_WRITE', 'REMOTE_READ', 'REMOTE_WRITE'],
    offset: 0,
    wanted: REM_ACCESS_ERR,
  },
];

async function fetchAdd({ endpoint, qp, cq, mr }: Side, server: Server, offset: number) {
  const { completions } = await endpoint.call('postAndWait', {
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
  return completions[0]?.status ?? null;
}

async function tryOne(ctx: Context, { figure, what, access, offset, wanted }: Refused): Promise<void> {
  const server = await openServer(ctx, access);
  const client = await join(ctx, 'client-1', server, 1);
  await writeWord(server, 0, START);
  const status = await fetchAdd(client, server, offset);
  const kept = (await readWord(server, 0)) === START;
  const name = status === null ? 'no completion' : lookupWcStatus(status).name;
  ctx.figure(figure, status);
  ctx.row('refused', {
    what,
    status: status === null ? name : `${status} ${name}`,
    counter: kept ? 'as before' : 'changed',
  });
  ctx.check(
    figure,
    status === wanted && kept,
    `${what}: ${name}. The server’s memory ${kept ? 'did not change' : 'changed'}.`,
  );
  await closeSide(client);
  await closeServer(server);
}

export async function tryRefused(ctx: Context): Promise<void> {
  for (const one of CASES) await tryOne(ctx, one);
}
