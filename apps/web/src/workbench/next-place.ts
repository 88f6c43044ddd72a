/** Panels on the page of a run that help with a failed point of a task. Pure data. */

export interface NextPlace {
  /** Panel on the page of a program's run. */
  panel: 'objects' | 'problems' | 'packets' | 'completions' | 'work';
  title: string;
  /** End of the sentence that begins with the title: what the panel shows about the point. */
  after: string;
}

const objects = (after: string): NextPlace => ({ panel: 'objects', title: 'Objects', after });
const packets = (after: string): NextPlace => ({ panel: 'packets', title: 'Packets', after });
const completions = (after: string): NextPlace => ({ panel: 'completions', title: 'Completions', after });

const ATTRIBUTES = objects('lists each QP with its states and its peer; point at it for all its attributes.');
const MESSAGE = packets('shows each message that left the device, with its opcode and length.');
const BYTES = packets('shows the payload of each message.');
const REGIONS = objects('lists each MR with its length and access rights.');
const DESTROYED = objects('shows which objects were destroyed and which never were.');
const POLLED = completions('shows the status of each completion and the request that it is for.');

/** Panels by the id of a point, which means the same in every task. */
const PLACES: Readonly<Record<string, NextPlace>> = {
  connected: ATTRIBUTES,
  connection: ATTRIBUTES,
  psn: ATTRIBUTES,
  gid: ATTRIBUTES,
  timeout: ATTRIBUTES,
  'rnr-timer': ATTRIBUTES,
  reads: ATTRIBUTES,
  misuse: {
    panel: 'problems',
    title: 'Errors and misuse',
    after: 'explains each failed call and each misuse.',
  },
  leaks: DESTROYED,
  send: MESSAGE,
  write: MESSAGE,
  read: MESSAGE,
  adds: packets('shows each fetch-and-add with its operand and its answer.'),
  swap: packets('shows the compare-and-swap with both operands and its answer.'),
  bytes: BYTES,
  place: packets('shows the address and the rkey in the RETH of the first packet.'),
  value: packets('shows the ImmDt header of the SEND.'),
  receive: packets('shows an RNR NAK where a message came before its receive.'),
  rights: REGIONS,
  memory: REGIONS,
  old: packets('shows the old value in each atomic acknowledge.'),
  counter: packets('shows the address of each atomic.'),
  completion: POLLED,
  completions: POLLED,
  passive: completions('shows which QP each completion is of.'),
  qps: DESTROYED,
  cqs: DESTROYED,
  regions: DESTROYED,
  parents: DESTROYED,
};

/** Panel for a failed point; null if none is known. */
export const nextPlace = (point: string): NextPlace | null => PLACES[point] ?? null;
