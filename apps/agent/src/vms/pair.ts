import { AppError, toErrorInfo } from '@verbslab/protocol';
import { AgentClient } from '../client/client.js';
import { addressOf } from '../client/find.js';
import { homeAt, homePath } from '../config/home.js';
import { findRunning } from '../config/instance.js';
import { readBook, writeBook, type PeerEntry } from '../config/peer-book.js';
import { encodeInvitation, type Invitation } from '../config/join-string.js';
import { isAgentOf, type Vm } from './state.js';

/** The list of paired agents of this user: through the agent that has it open, or in its file. */
interface Book {
  list(): Promise<Pick<PeerEntry, 'name' | 'host' | 'port'>[]>;
  add(entry: Invitation & { name: string }): Promise<void>;
  remove(name: string): Promise<void>;
}

async function withBook<T>(work: (book: Book) => Promise<T>): Promise<T> {
  const home = homeAt(homePath());
  const state = await findRunning(home);
  if (!state) {
    return work({
      list: () => Promise.resolve(readBook(home)),
      add: (entry) => Promise.resolve(writeBook(home, [...readBook(home), entry])),
      remove: (name) =>
        Promise.resolve(
          writeBook(
            home,
            readBook(home).filter((entry) => entry.name !== name),
          ),
        ),
    });
  }
  const { client } = await AgentClient.connect(addressOf(state, home));
  try {
    return await work({
      async list() {
        // The refresh connects at once to peers that were away: `vms up` has just started them again.
        const { peers } = await client.request('peers.list', { refresh: true });
        return peers.map(({ name, address }) => {
          const colon = address.lastIndexOf(':');
          return { name, host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
        });
      },
      async add({ name, ...invitation }) {
        await client.request('peers.add', { join: encodeInvitation(invitation), name });
      },
      async remove(name) {
        await client.request('peers.remove', { name });
      },
    });
  } finally {
    await client.close();
  }
}

const TRIES = 3;

/** Adds a peer with several tries: an emulated machine on a busy host may answer too late the first time. */
async function addPatiently(book: Book, entry: Invitation & { name: string }): Promise<void> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await book.add(entry);
    } catch (error) {
      if (left === 0 || toErrorInfo(error).code !== 'PEER_UNREACHABLE') throw error;
    }
  }
}

/** Makes the agents of the machines known to this user's agent, each under its machine's name. Returns the names. */
export function pair(vms: readonly Vm[]): Promise<string[]> {
  return withBook(async (book) => {
    const names: string[] = [];
    for (const vm of vms) {
      const known = await book.list();
      const already = known.find((peer) => isAgentOf(vm, peer));
      if (already) {
        names.push(already.name);
        continue;
      }
      // Another host of the user may have that name.
      const name = [vm.name, `vm-${vm.name}`].find((one) => known.every((peer) => peer.name !== one));
      if (name === undefined)
        throw new AppError('HOST_TAKEN', { host: `vm-${vm.name}`, address: 'another host' });
      const { address: host, port, token, fingerprint } = vm.agent;
      await addPatiently(book, { name, host, port, token, fingerprint });
      names.push(name);
    }
    return names;
  });
}

/** Forgets the agents of machines that no longer exist. */
export function unpair(vms: readonly Vm[]): Promise<void> {
  return withBook(async (book) => {
    for (const vm of vms) {
      const known = (await book.list()).find((peer) => isAgentOf(vm, peer));
      if (!known) continue;
      await book.remove(known.name).catch((error: unknown) => {
        // Another command removed it first.
        if (toErrorInfo(error).code !== 'UNKNOWN_HOST') throw error;
      });
    }
  });
}
