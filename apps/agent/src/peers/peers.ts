import { EventEmitter } from 'node:events';
import {
  AppError,
  LOCAL_HOST,
  zHostName,
  type AgentInfo,
  type AgentMessage,
  type DeviceInfo,
  type Peer,
} from '@verbslab/protocol';
import { answers, hear, type Subsystem } from '../base/subsystem.js';
import type { Home } from '../config/home.js';
import type { Logger } from '../base/log.js';
import type { SpawnEndpoint } from '../endpoint/hosted-endpoint.js';
import { crashAt, type Crash } from '../vms/crash.js';
import { vmsFolder } from '../vms/paths.js';
import { vmAt, type Vm } from '../vms/state.js';
import { readBook, writeBook, type PeerEntry } from '../config/peer-book.js';
import { decodeInvitation } from '../config/join-string.js';
import { PeerLink } from './link.js';
import { openRemote } from './remote-endpoint.js';

export interface PeersOptions {
  home: Home;
  /** Id of this agent, to recognize a connection to itself. */
  ownId: string;
  /** Name of this machine. */
  ownHost: string;
  logger: Logger;
}

interface PeersEvents {
  changed: [Peer[]];
}

/** The agents paired with this one: remembers them, keeps a link with each, and opens endpoints there. */
export class Peers extends EventEmitter<PeersEvents> implements Subsystem {
  readonly messages = answers({
    'peers.list': async ({ refresh }) => ({ peers: refresh ? await this.refresh() : this.list }),
    'peers.add': async ({ join, name }) => ({ peer: await this.add(join, name) }),
    'peers.remove': ({ name }) => {
      this.remove(name);
      return { name };
    },
  });
  readonly #options: PeersOptions;
  readonly #links: PeerLink[] = [];
  #telling = false;

  constructor(options: PeersOptions) {
    super();
    this.setMaxListeners(0);
    this.#options = options;
    for (const entry of readBook(options.home)) this.#links.push(this.#watched(entry));
  }

  changes(send: (message: AgentMessage) => void): () => void {
    return hear<PeersEvents>(this, { changed: (peers) => send({ type: 'peers.changed', peers }) });
  }

  /** Connects to all remembered peers. */
  start(): void {
    for (const link of this.#links) link.start();
  }

  get list(): Peer[] {
    return this.#links.map(({ peer }) => peer);
  }

  /** Names of hosts that endpoints can be placed on. */
  get hosts(): string[] {
    return [LOCAL_HOST, ...this.#links.map(({ entry }) => entry.name)];
  }

  /** Queries the devices of connected peers again, and retries the others at once. */
  async refresh(): Promise<Peer[]> {
    for (const link of this.#links) if (link.peer.state === 'down') link.start();
    await Promise.all(this.#links.map((link) => link.settled()));
    const up = this.#links.filter(({ peer }) => peer.state === 'up');
    // A peer that disconnects meanwhile is shown as down.
    await Promise.allSettled(up.map((link) => link.refresh()));
    return this.list;
  }

  /**
   * Adds a peer. Throws AppError BAD_JOIN_STRING, HOST_TAKEN, PEER_UNREACHABLE, PEER_UNTRUSTED, PEER_REFUSED,
   * PEER_ITSELF, …
   */
  async add(join: string, wanted?: string): Promise<Peer> {
    const invitation = decodeInvitation(join);
    if (wanted !== undefined) this.#refuseTaken(wanted);
    const known = this.#links.find(
      ({ entry }) => entry.host === invitation.host && entry.port === invitation.port,
    );
    if (known && wanted === undefined)
      throw new AppError('HOST_TAKEN', { host: known.entry.name, address: known.address });
    const link = this.#watched({ ...invitation, name: wanted ?? invitation.host.replace(/:/g, '-') });
    try {
      await link.connect();
      if (wanted === undefined) link.entry.name = this.#freeName(link.peer.agent?.host ?? invitation.host);
      else this.#refuseTaken(wanted);
      const twin = this.#links.find(({ peer }) => peer.agent?.id === link.peer.agent?.id);
      if (twin) throw new AppError('HOST_TAKEN', { host: twin.entry.name, address: twin.address });
      writeBook(this.#options.home, [...this.#links.map(({ entry }) => entry), link.entry]);
    } catch (error) {
      link.stop();
      throw error;
    }
    this.#links.push(link);
    this.#tell();
    return link.peer;
  }

  remove(name: string): void {
    const link = this.#link(name);
    this.#links.splice(this.#links.indexOf(link), 1);
    writeBook(
      this.#options.home,
      this.#links.map(({ entry }) => entry),
    );
    link.stop();
    this.#tell();
  }

  /** Returns the devices that a peer reported. Throws the peer's error if it is down. */
  async devices(name: string): Promise<DeviceInfo[]> {
    const link = this.#link(name);
    await link.settled();
    link.requireUp();
    return link.peer.devices;
  }

  /** The agent of a peer; null if it has not introduced itself. */
  agent(name: string): AgentInfo | null {
    return this.#link(name).peer.agent;
  }

  /** Returns a function that opens endpoints at a peer. Endpoints with the same `run` may be open together. */
  spawner(name: string, run: string): SpawnEndpoint {
    const link = this.#link(name);
    return (options) => openRemote(link, run, options, () => this.#vmOf(link.entry));
  }

  close(): void {
    for (const link of this.#links) link.stop();
  }

  /** The virtual machine of this host that hosts the peer. An unreadable state file keeps no lab from running. */
  #vmOf(entry: PeerEntry): Vm | undefined {
    try {
      return vmAt(vmsFolder(this.#options.home.path), entry);
    } catch (error) {
      this.#options.logger.warn({ err: error }, 'cannot tell whether a peer is in a virtual machine');
      return undefined;
    }
  }

  #link(name: string): PeerLink {
    const link = this.#links.find(({ entry }) => entry.name === name);
    if (!link) throw new AppError('UNKNOWN_HOST', { host: name, known: this.hosts.join(', ') });
    return link;
  }

  #watched(entry: PeerEntry): PeerLink {
    const { ownId, ownHost, logger, home } = this.#options;
    const crash = (at: PeerEntry, patience: number): Promise<Crash | null> =>
      crashAt(vmsFolder(home.path), at, patience).catch((error: unknown) => {
        logger.warn({ err: error }, 'cannot tell whether a virtual machine has crashed');
        return null;
      });
    const link = new PeerLink({ entry, ownId, ownHost, logger, crash });
    link.on('changed', () => {
      if (this.#links.includes(link)) this.#tell();
    });
    return link;
  }

  /** Reports changes, once per turn. */
  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    setImmediate(() => {
      this.#telling = false;
      this.emit('changed', this.list);
    });
  }

  #refuseTaken(name: string): void {
    const taken = this.#links.find(({ entry }) => entry.name === name);
    if (taken) throw new AppError('HOST_TAKEN', { host: name, address: taken.address });
    if (name === LOCAL_HOST) throw new AppError('HOST_TAKEN', { host: name, address: 'this agent itself' });
  }

  #freeName(host: string): string {
    const plain = host.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '');
    const base = zHostName.safeParse(plain).data ?? 'host';
    const taken = new Set(this.hosts);
    for (let number = 1; ; number++) {
      const name = number === 1 ? base : `${base.slice(0, 56)}-${number}`;
      if (!taken.has(name)) return name;
    }
  }
}
