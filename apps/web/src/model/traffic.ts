import type { RunEventOf } from '@verbslab/protocol';
import type { ObjectStore } from './object-store';

export interface Traffic {
  /** Requests posted. */
  messages: number;
  /** Payload, bytes: sent, or requested by READs. */
  bytes: number;
}

export interface TrafficMatrix {
  /** Processes of the run, in the order in which they opened the device: the rows and the first columns. */
  processes: readonly string[];
  /**
   * Traffic by row and column; undefined without requests. The last column is all traffic to QPs outside of the run.
   */
  cells: readonly (readonly (Traffic | undefined)[])[];
  /** True if requests were posted to QPs outside of the run. */
  elsewhere: boolean;
}

type Peer = RunEventOf<'traffic'>['peers'][number];

/** Traffic of a program's processes to each QP, folded from the stream. */
export class TrafficStore {
  readonly #peers = new Map<string, Map<string, Peer>>();
  readonly #others = new Map<string, Traffic>();

  add({ endpoint = '', peers, otherMessages, otherBytes }: RunEventOf<'traffic'>): void {
    let known = this.#peers.get(endpoint);
    if (!known) this.#peers.set(endpoint, (known = new Map<string, Peer>()));
    for (const peer of peers) known.set(`${peer.qpn} ${peer.gid} ${peer.peerQpn}`, peer);
    this.#others.set(endpoint, { messages: otherMessages, bytes: otherBytes });
  }

  /**
   * Matrix of the traffic between processes. `endpoints`: by process. A peer QP is found by its number and an address
   * of its process's device.
   */
  matrix(
    endpoints: ReadonlyMap<string, Pick<RunEventOf<'endpoint'>, 'gids'>>,
    objects: ObjectStore,
  ): TrafficMatrix {
    const processes = [...new Set([...endpoints.keys(), ...this.#peers.keys()])];
    const owners = new Map<string, number>();
    for (const { kind, number, endpoint } of objects.all) {
      if (kind !== 'QP') continue;
      for (const gid of endpoints.get(endpoint)?.gids ?? [])
        owners.set(`${gid} ${number}`, processes.indexOf(endpoint));
    }
    const last = processes.length;
    const cells = processes.map((process) => {
      const row: (Traffic | undefined)[] = new Array<undefined>(last + 1).fill(undefined);
      const add = (column: number, { messages, bytes }: Traffic): void => {
        if (messages === 0) return;
        const old = row[column] ?? { messages: 0, bytes: 0 };
        row[column] = { messages: old.messages + messages, bytes: old.bytes + bytes };
      };
      for (const peer of this.#peers.get(process)?.values() ?? [])
        add(owners.get(`${peer.gid} ${peer.peerQpn}`) ?? last, peer);
      add(last, this.#others.get(process) ?? { messages: 0, bytes: 0 });
      return row;
    });
    return { processes, cells, elsewhere: cells.some((row) => row[last] !== undefined) };
  }
}
