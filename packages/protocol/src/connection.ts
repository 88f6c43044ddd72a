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
export const PLAIN_MS = 20_000;
/** TCP, TLS and the upgrade of a connection to a paired agent. */
export const HANDSHAKE_MS = 5_000;
/** An agent lists its devices before it says welcome, which a busy machine takes its time for. */
export const HELLO_MS = 20_000;
/** A paired agent is reached, says welcome, and has its clock measured: the deadline of all exchanges, then that of the last. */
export const REACH_PEER_MS = HANDSHAKE_MS + HELLO_MS + 2 * ANSWER_MS;
/** An endpoint process starts and opens its device. */
export const OPEN_MS = 35_000;

// From the table of messages (scripts/messages.mjs writes it): the requests with another patience than PLAIN_MS.
const OTHER_MS: Partial<Record<RequestType, number | null>> = {
  'run.start': 75000,
  ping: 15000,
  'run.join': 120000,
  'peers.list': 95000,
  'peers.add': 75000,
  'peers.check': 265000,
  clock: 15000,
  'endpoint.open': 35000,
  'endpoint.call': null,
  'endpoint.close': null,
  'tool.start': 40000,
  'workbench.start': 60000,
  'set-up.look': 40000,
};

/** How long the agent may take for a request, ms; a client gives up after that. Null: it sets no limit. */
export const patienceOf = (type: RequestType): number | null => {
  const other = OTHER_MS[type];
  return other === undefined ? PLAIN_MS : other;
};
