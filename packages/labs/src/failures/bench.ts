/** The bench of a case: two endpoints with memory, queues, and a connection that the case can bend. */
import {
  AppError,
  type Access,
  type ConnectOptions,
  type EndpointArgs,
  type EndpointHandle,
  type EndpointResult,
  type LabContext,
} from '@verbslab/protocol';
import { PATIENT } from '../endpoints/timeouts.js';
import { linkOption, settleLink, type LinkParam } from '../endpoints/link.js';
import type { Attempt } from './case.js';

/** Bytes of every region of a case. */
export const REGION = 16 * 1024;
/** Wait of a case for a completion that should come, ms. */
export const PATIENCE_MS = 5000;
/** Wait for an asynchronous event that must come, ms. */
const EVENT_MS = 2000;
/** Wait for an event that the device has failed to report before, ms. */
const MISSING_EVENT_MS = 100;

type Settings = ConnectOptions & {
  /** Rights of the region; default: everything that a peer may do. */
  rights?: Access[];
  depth?: number;
  cqDepth?: number;
  /** The PSN that this side expects, where it is not the one that the peer sends. */
  expectPsn?: number;
};

export interface Side {
  endpoint: EndpointHandle;
  pd: number;
  mr: EndpointResult<'regMr'>;
  cq: number;
  qp: EndpointResult<'createQp'>;
  settings: Settings;
}

export interface Pair {
  client: Side;
  server: Side;
}

const ALL: Access[] = ['LOCAL_WRITE', 'REMOTE_WRITE', 'REMOTE_READ', 'REMOTE_ATOMIC'];

type Destroyed = EndpointArgs<'destroy'>['what'];

export class Bench {
  #made: { endpoint: EndpointHandle; what: Destroyed; handle: number }[] = [];
  /** Events that a device did not report in time, each with the name of the endpoint. */
  readonly #unreported = new Set<string>();

  constructor(
    readonly ctx: LabContext<unknown>,
    readonly client: EndpointHandle,
    readonly server: EndpointHandle,
    readonly link: LinkParam,
  ) {}

  /** A process beside the server, for cases that kill their peer. */
  get victim(): EndpointHandle {
    return this.ctx.endpoint('victim');
  }

  /** Kills the process of a side, with everything that it made. */
  async kill({ endpoint }: Side): Promise<void> {
    await this.ctx.kill(endpoint.name);
    this.#made = this.#made.filter((one) => one.endpoint.name !== endpoint.name);
  }

  /** Registers an object for `clear`, which destroys the newest first. */
  made(endpoint: EndpointHandle, what: Destroyed, handle: number): void {
    this.#made.push({ endpoint, what, handle });
  }

  async region(endpoint: EndpointHandle, pd: number, rights = ALL, length = REGION) {
    const mr = await endpoint.call('regMr', { pd, length, access: rights });
    this.made(endpoint, 'mr', mr.mr);
    return mr;
  }

  async #side(endpoint: EndpointHandle, settings: Settings, more: object): Promise<Side> {
    const { rights, depth = 16, cqDepth = 64 } = settings;
    const { pd } = await endpoint.call('allocPd', {});
    this.made(endpoint, 'pd', pd);
    const mr = await this.region(endpoint, pd, rights);
    const { cq } = await endpoint.call('createCq', { depth: cqDepth });
    this.made(endpoint, 'cq', cq);
    const qp = await endpoint.call('createQp', {
      pd,
      sendCq: cq,
      maxSendWr: depth,
      maxRecvWr: 16,
      ...linkOption(endpoint, this.link),
      ...more,
    });
    this.made(endpoint, 'qp', qp.qp);
    return { endpoint, pd, mr, cq, qp, settings };
  }

  /** Both sides with their QPs in RESET. */
  async sides(
    client: Settings = {},
    server: Settings = {},
    more: object = {},
    peer = this.server,
  ): Promise<Pair> {
    return {
      client: await this.#side(this.client, client, more),
      server: await this.#side(peer, server, more),
    };
  }

  /** Takes one side to RTS. */
  async connectSide(side: Side, peer: Side): Promise<void> {
    const { rights: _r, depth: _d, cqDepth: _c, expectPsn, ...options } = side.settings;
    const { qpn, psn, gid, lid, mtu } = peer.qp.info;
    const remote = { qpn, psn: expectPsn ?? psn, gid, lid, mtu };
    await side.endpoint.call('connectQp', {
      qp: side.qp.qp,
      remote,
      options: { ...PATIENT, ...options },
    });
  }

  /** Both sides in RTS; the link has been settled. */
  async pair(
    client: Settings = {},
    server: Settings = {},
    more: object = {},
    peer = this.server,
  ): Promise<Pair> {
    const pair = await this.sides(client, server, more, peer);
    await this.connectSide(pair.server, pair.client);
    await this.connectSide(pair.client, pair.server);
    await this.settle(pair.client, pair.server);
    return pair;
  }

  /** A QP from RESET to INIT. */
  async toInit({ endpoint, qp }: Side): Promise<void> {
    const { port } = await endpoint.call('query', {});
    await endpoint.call('modifyQp', {
      qp: qp.qp,
      attrs: { state: 'INIT', pkeyIndex: 0, access: ['LOCAL_WRITE'], port },
    });
  }

  /** Waits until the link of these sides is known. */
  async settle(...sides: Side[]): Promise<void> {
    await settleLink(this.ctx, this.link, sides);
  }

  /** Events since the last call; waits for the one that must come. */
  async events(endpoint: EndpointHandle, awaited?: string): Promise<string[]> {
    const kind = `${endpoint.name} ${awaited}`;
    const patienceMs = this.#unreported.has(kind) ? MISSING_EVENT_MS : EVENT_MS;
    const seen: string[] = [];
    for (;;) {
      const timeoutMs = awaited === undefined || seen.includes(awaited) ? 0 : patienceMs;
      const { events: found } = await endpoint.call('waitAsync', { timeoutMs });
      seen.push(...found.map(({ event }) => event));
      if (timeoutMs === 0) return seen;
      if (found.length > 0) continue;
      this.#unreported.add(kind);
      return seen;
    }
  }

  /** Destroys what the case has made, the newest first. */
  async clear(): Promise<void> {
    for (const { endpoint, what, handle } of this.#made.splice(0).reverse())
      await endpoint.call('destroy', { what, handle }).catch((error: unknown) => {
        // A case may have destroyed it itself.
        if (!(error instanceof AppError) || error.code !== 'BAD_HANDLE') throw error;
      });
  }
}

/** The errno with which a verbs call was refused; null if it succeeded. Rethrows errors without an errno. */
export async function refusal(call: Promise<unknown>): Promise<string | null> {
  try {
    await call;
    return null;
  } catch (error) {
    const name = error instanceof AppError && /\b(E[A-Z]{3,})\b/.exec(error.info.message)?.[1];
    if (!name) throw error;
    return name;
  }
}

type Wr = EndpointArgs<'postSend'>['wr'];

/** Posts one request and waits for its completion. `worked` follows the status; `seen` says the QP's state. */
export async function attempt(side: Side, wr: Wr, timeoutMs = PATIENCE_MS): Promise<Attempt> {
  const { endpoint, qp, cq } = side;
  let timed: EndpointResult<'postAndWait'> = { completions: [], elapsedNs: 0 };
  const errno = await refusal(
    endpoint.call('postAndWait', { qp: qp.qp, cq, wr, timeoutMs }).then((result) => (timed = result)),
  );
  const [completion] = timed.completions;
  const status = completion?.status ?? null;
  const { state } = await endpoint.call('queryQp', { qp: qp.qp });
  return {
    status,
    errno,
    elapsedNs: completion ? timed.elapsedNs : null,
    worked: status === 0,
    seen: `The client’s QP is in ${state}.`,
  };
}

/** How a request ended, as the end of a sentence. */
export const outcomeText = (status: number | null): string =>
  status === null ? 'did not complete' : `completed with status ${status}`;

/** `length` bytes of the client's region into the start of the server's. */
export function write({ client, server }: Pair, length = 64): Wr {
  const { addr, rkey } = server.mr;
  return {
    opcode: 'RDMA_WRITE',
    local: [{ mr: client.mr.mr, offset: 0, length }],
    remote: { addr, rkey },
  };
}

/** A SEND of the start of the client's region. */
export const send = ({ client }: Pair, length = 64): Wr => ({
  opcode: 'SEND',
  local: [{ mr: client.mr.mr, offset: 0, length }],
});

export async function postRecv({ server }: Pair): Promise<void> {
  await server.endpoint.call('postRecv', {
    qp: server.qp.qp,
    wr: { local: [{ mr: server.mr.mr, offset: 0, length: REGION }] },
  });
}

/** The address `bytes` further. */
export const further = (addr: string, bytes: number): string =>
  `0x${(BigInt(addr) + BigInt(bytes)).toString(16)}`;
