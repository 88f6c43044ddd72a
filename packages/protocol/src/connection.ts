// Rules of a connection for both ends. No schemas here: the page loads this file first.
import type { RequestType } from './messages.js';

export const PROTOCOL_VERSION = 1;

/** Largest number of CPUs at which a page that draws on the machine changes the measurements there. */
export const FEW_CPUS = 2;

/** Interval of pings, ms, from the agent to its clients and from a page to its agent. */
export const PING_INTERVAL_MS = 30_000;
/**
 * Time without an answer after which a side counts as gone, ms. A virtual machine on a busy host may be silent for five
 * seconds.
 */
export const ANSWER_MS = 15_000;

/** Patience for most requests, ms: they only look something up or start something. */
export const PLAIN_MS = 20_000;
/** Time for TCP, TLS and the upgrade of a connection to a paired agent, ms. */
export const HANDSHAKE_MS = 5_000;
/** Time for the welcome, ms. An agent lists its devices first, which takes time on a busy machine. */
export const HELLO_MS = 20_000;
/**
 * Time to reach a paired agent, get its welcome and measure its clock, ms. Clock: the deadline of all exchanges, then
 * that of the last.
 */
export const REACH_PEER_MS = HANDSHAKE_MS + HELLO_MS + 2 * ANSWER_MS;
/** Time for an endpoint process to start and open its device, ms. */
export const OPEN_MS = 35_000;

// Requests with another patience than PLAIN_MS. scripts/messages.mjs writes them from the table of messages.
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

/** Time that the agent may take for a request, ms. A client gives up after that. Null: no limit. */
export const patienceOf = (type: RequestType): number | null => {
  const other = OTHER_MS[type];
  return other === undefined ? PLAIN_MS : other;
};
