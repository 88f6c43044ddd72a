// What both ends of a connection go by. Without schemas: the page has it in its first load.
import type { RequestType } from './messages.js';

export const PROTOCOL_VERSION = 1;

/** A page that draws on a machine of so few CPUs changes what is measured there. */
export const FEW_CPUS = 2;

/** How often the agent looks whether a client is still there, and a page whether its agent is. */
export const PING_INTERVAL_MS = 30_000;
/**
 * A side that says nothing for so long after it was asked is taken for gone. A virtual machine on a busy host may well
 * be silent for five seconds.
 */
export const ANSWER_MS = 15_000;

/** Most requests only look something up or start something. */
const PLAIN_MS = 20_000;
/** TCP, TLS and the upgrade of a connection to a paired agent. */
export const HANDSHAKE_MS = 5_000;
/** An agent lists its devices before it says welcome, which a busy machine takes its time for. */
const HELLO_MS = 20_000;
/** A paired agent is reached, says welcome, and has its clock measured: the deadline of all exchanges, then that of the last. */
const REACH_PEER_MS = HANDSHAKE_MS + HELLO_MS + 2 * ANSWER_MS;
/** An endpoint process starts and opens its device. */
const OPEN_MS = 35_000;

/**
 * How long the agent may take for each request, ms; a client gives up after that. Null: the request itself says how long
 * it takes, or its command is bounded elsewhere.
 */
export const REQUEST_MS: Readonly<Record<RequestType, number | null>> = {
  hello: HELLO_MS,
  'sign-in.code': PLAIN_MS,
  'devices.list': PLAIN_MS,
  'labs.list': PLAIN_MS,
  // A peer that is being connected to is waited for.
  'run.start': REACH_PEER_MS + PLAIN_MS,
  'run.step': PLAIN_MS,
  'run.cancel': PLAIN_MS,
  'run.faults': PLAIN_MS,
  'run.get': PLAIN_MS,
  'run.list': PLAIN_MS,
  'run.rows': PLAIN_MS,
  'run.delete': PLAIN_MS,
  // All that they recorded is copied.
  'run.join': 120_000,
  'run.separate': PLAIN_MS,
  'run.subscribe': PLAIN_MS,
  'run.unsubscribe': PLAIN_MS,
  'program.start': PLAIN_MS,
  'program.join': PLAIN_MS,
  'program.end': PLAIN_MS,
  ping: ANSWER_MS,
  'set-up.look': 2 * PLAIN_MS,
  'machines.start': PLAIN_MS,
  'machines.stop': PLAIN_MS,
  'machines.cancel': PLAIN_MS,
  'tools.list': PLAIN_MS,
  // The devices of the host are listed first.
  'tool.start': 2 * PLAIN_MS,
  'workbench.list': PLAIN_MS,
  // The program is compiled first.
  'workbench.start': 3 * PLAIN_MS,
  'progress.get': PLAIN_MS,
  'progress.answer': PLAIN_MS,
  'progress.reset': PLAIN_MS,
  'traffic.watch': PLAIN_MS,
  // With `refresh` peers are connected to, then list their devices.
  'peers.list': REACH_PEER_MS + 2 * PLAIN_MS,
  'peers.add': REACH_PEER_MS + PLAIN_MS,
  'peers.remove': PLAIN_MS,
  // Two endpoints on two peers, their clocks, and five steps on the path.
  'peers.check': 2 * REACH_PEER_MS + OPEN_MS + 120_000,
  clock: ANSWER_MS,
  'endpoint.open': OPEN_MS,
  'endpoint.call': null,
  'endpoint.close': null,
  'sweep.start': PLAIN_MS,
  'sweep.pause': PLAIN_MS,
  'sweep.resume': PLAIN_MS,
  'sweep.cancel': PLAIN_MS,
  'sweep.get': PLAIN_MS,
  'sweep.list': PLAIN_MS,
  'notebook.get': PLAIN_MS,
  'notebook.list': PLAIN_MS,
  'notebook.find': PLAIN_MS,
  'note.write': PLAIN_MS,
  'note.delete': PLAIN_MS,
  'run.tag': PLAIN_MS,
};
