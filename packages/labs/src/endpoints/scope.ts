/** Verbs objects of one endpoint in one protection domain. Closing the scope destroys them, the newest first. */
import type { Access, EndpointArgs, EndpointHandle, EndpointResult } from '@verbslab/protocol';
import { linkOption, type LinkParam } from './link.js';

type Kind = EndpointArgs<'destroy'>['what'];
export type Region = EndpointResult<'regMr'>;
export type Qp = EndpointResult<'createQp'>;
type QpOptions = Omit<EndpointArgs<'createQp'>, 'pd' | 'link'>;

/** A QP with a CQ per queue; the CQ of RECVs has a completion channel, so that a program can sleep on it. */
export interface Queues {
  sendCq: number;
  recvCq: number;
  qp: Qp;
}

/** Default number of entries of each queue. */
export const DEPTH = 64;

export class Scope {
  readonly #made: { what: Kind; handle: number }[] = [];
  /** An id of the connection manager: the objects are of its device. */
  readonly #of: { cm?: number };

  private constructor(
    readonly endpoint: EndpointHandle,
    readonly pd: number,
    of: { cm?: number } = {},
  ) {
    this.#of = of;
  }

  /** Allocates the protection domain. The scope also destroys the id `cm`, after it. */
  static async open(endpoint: EndpointHandle, of: { cm?: number } = {}): Promise<Scope> {
    const { pd } = await endpoint.call('allocPd', of);
    const scope = new Scope(endpoint, pd, of);
    if (of.cm !== undefined) scope.keep('cm', of.cm);
    scope.keep('pd', pd);
    return scope;
  }

  /** Further objects in the same protection domain. Close this scope before the one that it is beside. */
  beside(): Scope {
    return new Scope(this.endpoint, this.pd, this.#of);
  }

  /** Registers an object that was made without the scope, for `close` to destroy. */
  keep(what: Kind, handle: number): void {
    this.#made.push({ what, handle });
  }

  /** Destroys one object before the others. */
  async destroy(what: Kind, handle: number): Promise<void> {
    await this.endpoint.call('destroy', { what, handle });
    const index = this.#made.findIndex((one) => one.what === what && one.handle === handle);
    if (index >= 0) this.#made.splice(index, 1);
  }

  async region(length: number, access: Access[]): Promise<Region> {
    const mr = await this.endpoint.call('regMr', { pd: this.pd, length, access });
    this.keep('mr', mr.mr);
    return mr;
  }

  async cq(depth: number, events = false): Promise<EndpointResult<'createCq'>> {
    const cq = await this.endpoint.call('createCq', { depth, ...(events ? { events } : {}), ...this.#of });
    this.keep('cq', cq.cq);
    return cq;
  }

  async srq(maxWr: number): Promise<number> {
    const { srq } = await this.endpoint.call('createSrq', { pd: this.pd, maxWr });
    this.keep('srq', srq);
    return srq;
  }

  /** A QP in RESET. */
  async qp(link: LinkParam, options: QpOptions): Promise<Qp> {
    const { endpoint, pd } = this;
    const qp = await endpoint.call('createQp', { pd, ...options, ...linkOption(endpoint, link) });
    this.keep('qp', qp.qp);
    return qp;
  }

  /** @param maxSendSge pieces of memory that one request may gather */
  async queues(link: LinkParam, depth = DEPTH, maxSendSge = 1): Promise<Queues> {
    const { cq: sendCq } = await this.cq(depth);
    const { cq: recvCq } = await this.cq(depth, true);
    const qp = await this.qp(link, { sendCq, recvCq, maxSendWr: depth, maxRecvWr: depth, maxSendSge });
    return { sendCq, recvCq, qp };
  }

  async close(): Promise<void> {
    for (const one of this.#made.splice(0).reverse()) await this.endpoint.call('destroy', one);
  }
}

/** An endpoint with a region of memory. */
export interface Owner {
  scope: Scope;
  endpoint: EndpointHandle;
  mr: Region;
}

export async function openOwner(endpoint: EndpointHandle, length: number, access: Access[]): Promise<Owner> {
  const scope = await Scope.open(endpoint);
  return { scope, endpoint, mr: await scope.region(length, access) };
}

/** Closes their scopes one after the other. */
export async function closeAll(...owners: readonly { scope: Scope }[]): Promise<void> {
  for (const { scope } of owners) await scope.close();
}
