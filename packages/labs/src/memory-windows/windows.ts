/** Windows over a region that grants no remote right by itself. */
import type { LabContext } from '@verbslab/protocol';
import { further, postRecv, send, type Bench, type Pair } from '../failures/bench.js';
import { statusText } from '../failures/evidence.js';
import { intendRefusedAccess } from '../endpoints/intend.js';
import { completions } from '../endpoints/verbs.js';
import type { MemoryWindowsParams } from './params.js';
import { REM_ACCESS_ERR } from '../endpoints/wc-statuses.js';
import { BYTES, READ, tryRequest, WRITE, type Seen, type Verb } from './try.js';

type Context = LabContext<MemoryWindowsParams>;

/** Bytes before the window. */
const OFFSET = 4096;

interface Window {
  type: 1 | 2;
  pair: Pair;
  mw: number;
  rkey: number;
}

interface Request {
  /** True if the window allows the request. */
  ok: boolean;
  verb: Verb;
  rkey: number;
  offset: number;
}

/** Binds and waits until the device has done it. */
async function bind(ctx: Context, { type, pair: { server }, mw }: Omit<Window, 'rkey'>): Promise<number> {
  const { endpoint, cq, qp } = server;
  const range = { mw, mr: server.mr.mr, offset: OFFSET, length: ctx.params.length };
  const what = { ...range, access: ['REMOTE_WRITE' as const] };
  if (type === 1) await endpoint.call('bindMw', { qp: qp.qp, ...what });
  else await endpoint.call('postSend', { qp: qp.qp, wr: { opcode: 'BIND_MW', bind: what } });
  await completions(endpoint, cq, 1, 'BIND_MW');
  return (await endpoint.call('queryMw', { mw })).rkey;
}

async function allocate(bench: Bench, { server: { endpoint, pd } }: Pair, type: 1 | 2): Promise<number> {
  const { mw } = await endpoint.call('allocMw', { pd, type });
  bench.made(endpoint, 'mw', mw);
  return mw;
}

async function openWindow(ctx: Context, bench: Bench, type: 1 | 2): Promise<Window> {
  const pair = await bench.pair({}, { rights: ['LOCAL_WRITE', 'MW_BIND'] });
  const mw = await allocate(bench, pair, type);
  return { type, pair, mw, rkey: await bind(ctx, { type, pair, mw }) };
}

async function invalidateHere({ pair: { server }, rkey }: Window): Promise<boolean> {
  const wr = { opcode: 'LOCAL_INV' as const, invalidateRkey: rkey };
  await server.endpoint.call('postSend', { qp: server.qp.qp, wr });
  await completions(server.endpoint, server.cq, 1, 'LOCAL_INV');
  return true;
}

/** The peer gives the key back with its message; the server’s completion must name it. */
async function invalidateByPeer({ pair, rkey }: Window): Promise<boolean> {
  const { client, server } = pair;
  await postRecv(pair);
  const wr = { ...send(pair, BYTES), opcode: 'SEND_WITH_INV' as const, invalidateRkey: rkey };
  await client.endpoint.call('postSend', { qp: client.qp.qp, wr });
  await completions(client.endpoint, client.cq, 1, 'SEND with invalidate');
  const [wc] = await completions(server.endpoint, server.cq, 1, 'RECV');
  return wc?.invalidatedRkey === rkey;
}

/** Tries windows; keeps the outcome of each request. */
export class WindowTrial {
  readonly seen: Seen[] = [];

  constructor(
    readonly ctx: Context,
    readonly bench: Bench,
    readonly tapped: boolean,
  ) {}

  async #try(window: Window, what: string, { ok, verb, rkey, offset }: Request): Promise<number | null> {
    const { pair, type } = window;
    if (!ok) intendRefusedAccess(this.ctx);
    const remote = { addr: further(pair.server.mr.addr, offset), rkey };
    const seen = await tryRequest(this.bench, pair, verb, remote, this.tapped);
    this.seen.push(seen);
    this.ctx.row('windows', { type: String(type), request: what, status: statusText(seen.status) });
    return seen.status;
  }

  /** Tries requests inside, past the end, with another verb, and with the key of the region. */
  async limits(type: 1 | 2): Promise<void> {
    const end = OFFSET + this.ctx.params.length;
    const tries: [string, Verb, number, boolean][] = [
      ['WRITE to the last 8 bytes of the window', WRITE, end - BYTES, false],
      ['WRITE that ends 1 byte after the window', WRITE, end - BYTES + 1, false],
      ['READ through a window for WRITE only', READ, OFFSET, false],
      ['WRITE with the rkey of the region', WRITE, OFFSET, true],
    ];
    const found: (number | null)[] = [];
    let fresh = true;
    for (const [what, verb, offset, ofRegion] of tries) {
      const window = await openWindow(this.ctx, this.bench, type);
      const { rkey } = window.pair.server.mr;
      fresh &&= window.rkey !== rkey;
      const request = { ok: found.length === 0, verb, rkey: ofRegion ? rkey : window.rkey, offset };
      found.push(await this.#try(window, what, request));
      await this.bench.clear();
    }
    const [inside, ...others] = found;
    this.ctx.check(
      `type-${type}`,
      fresh && inside === 0 && others.every((status) => status === REM_ACCESS_ERR),
      `Inside: ${statusText(inside ?? null)}. Past the end, by READ, and with the region’s rkey: ${others.map(statusText).join(', ')}.`,
    );
  }

  /** Invalidates, binds again, and tries the new key before the old one. */
  async takeBack(id: 'local-inv' | 'send-inv'): Promise<void> {
    const [name, invalidate] =
      id === 'local-inv'
        ? (['LOCAL_INV', invalidateHere] as const)
        : (['SEND with invalidate', invalidateByPeer] as const);
    const window = await openWindow(this.ctx, this.bench, 2);
    const named = await invalidate(window);
    const rkey = await bind(this.ctx, window);
    const write = { verb: WRITE, offset: OFFSET };
    const again = await this.#try(window, `WRITE with a new bind after ${name}`, {
      ...write,
      ok: true,
      rkey,
    });
    const before = { ...write, ok: false, rkey: window.rkey };
    const old = await this.#try(window, `WRITE with the rkey from before ${name}`, before);
    await this.bench.clear();

    const closed = await openWindow(this.ctx, this.bench, 2);
    await invalidate(closed);
    const after = { ...write, ok: false, rkey: closed.rkey };
    const gone = await this.#try(closed, `WRITE right after ${name}`, after);
    await this.bench.clear();
    this.ctx.figure(id, gone);
    this.ctx.check(
      id,
      named && again === 0 && old === REM_ACCESS_ERR && gone === REM_ACCESS_ERR,
      `Right after ${name}: ${statusText(gone)}. With a new bind of the region: ${statusText(again)}; with the old rkey: ${statusText(old)}.` +
        (named ? '' : ' The server’s completion did not name the rkey.'),
    );
  }

  /** Tries a bind on a region without MW_BIND. Resolves to its status. */
  async bindWithoutRight(): Promise<number | null> {
    const pair = await this.bench.pair({}, { rights: ['LOCAL_WRITE'] });
    const { endpoint, mr, qp, cq } = pair.server;
    const mw = await allocate(this.bench, pair, 2);
    const range = { mw, mr: mr.mr, offset: OFFSET, length: this.ctx.params.length };
    const { completions: done } = await endpoint.call('postAndWait', {
      qp: qp.qp,
      cq,
      wr: { opcode: 'BIND_MW', bind: { ...range, access: ['REMOTE_WRITE'] } },
      timeoutMs: 5000,
    });
    await this.bench.clear();
    return done[0]?.status ?? null;
  }
}
