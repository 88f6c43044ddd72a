/** Points that several tasks share. */
import type { RunEventOf } from '@verbslab/protocol';
import { firstFault, fault, type Fault, type Point } from './point.js';
import { hex } from './number-text.js';
import type { QpSeen, RegionSeen, RunRecording } from './record.js';
import type { SourceLine } from './task.js';

export const qpName = (qpn: number): string => `QP ${hex(qpn, 6)}`;

/**
 * The two ends of the connection, in the order in which they were created. A program may have other QPs too: those that
 * name each other come first.
 */
export function endsOf({ qps }: RunRecording): [QpSeen, QpSeen] | null {
  const rc = qps.filter(({ type }) => type === 'RC');
  for (const [i, client] of rc.entries()) {
    const server = rc.slice(i + 1).find((one) => isPeer(client, one) && isPeer(one, client));
    if (server) return [client, server];
  }
  const [client, server] = rc;
  return client && server ? [client, server] : null;
}

const isPeer = (of: QpSeen, { qpn }: QpSeen): boolean => of.set['dest_qp_num'] === qpn;

/** Looks at both ends; a fault where there are not two. */
export function atBothEnds(recording: RunRecording, look: (qp: QpSeen) => Fault | null): Fault | null {
  const ends = endsOf(recording);
  if (!ends) return noTwoQps(recording);
  return firstFault(...ends.map(look));
}

export function noTwoQps({ opened, qps }: RunRecording): Fault {
  if (!opened) return fault('The program did not open the device.');
  const rc = qps.filter(({ type }) => type === 'RC').length;
  return fault(`The program created ${rc === 0 ? 'no RC QP' : 'only one RC QP'}.`);
}

const numberOf = (qp: QpSeen, attribute: string): number | null => {
  const value = qp.set[attribute];
  return typeof value === 'number' ? value : null;
};

/** A fault where the attribute is 0, or was not set because the QP never went that far. */
function notZero(attribute: string, before: string, why: (qp: string) => string) {
  return (recording: RunRecording): Fault | null =>
    atBothEnds(recording, (qp) => {
      const value = numberOf(qp, attribute);
      if (value === null)
        return fault(`${qpName(qp.qpn)} never reached ${before}, where it gets its ${attribute}.`);
      return value === 0 ? fault(why(qpName(qp.qpn))) : null;
    });
}

function lookConnected(recording: RunRecording): Fault | null {
  const ends = endsOf(recording);
  if (!ends) return noTwoQps(recording);
  const [client, server] = ends;
  return firstFault(
    ...ends.map((qp) =>
      qp.states.includes('RTS')
        ? null
        : fault(`${qpName(qp.qpn)} did not reach RTS. Its states: ${qp.states.join(', ')}.`),
    ),
    ...(
      [
        [client, server],
        [server, client],
      ] as const
    ).map(([from, to]) => {
      const peer = numberOf(from, 'dest_qp_num');
      if (peer === to.qpn) return null;
      const told = peer === null ? 'no QP' : qpName(peer);
      return fault(`${qpName(from.qpn)} is connected to ${told}, not to ${qpName(to.qpn)}.`);
    }),
  );
}

function lookPsn(recording: RunRecording): Fault | null {
  const ends = endsOf(recording);
  if (!ends) return noTwoQps(recording);
  const [client, server] = ends;
  return firstFault(psnOf(client, server), psnOf(server, client));
}

function psnOf(from: QpSeen, to: QpSeen): Fault | null {
  const [sends, expects] = [numberOf(from, 'sq_psn'), numberOf(to, 'rq_psn')];
  if (sends === null) return fault(`${qpName(from.qpn)} has no sq_psn: it never reached RTS.`);
  if (expects === null) return fault(`${qpName(to.qpn)} has no rq_psn: it never reached RTR.`);
  if (sends === expects) return null;
  return fault(
    `${qpName(from.qpn)} starts at PSN ${sends}, but ${qpName(to.qpn)} expects ${expects}. A packet with another PSN is taken for one behind a gap or for a repetition, and its message is not delivered.`,
  );
}

const isIpv4 = (gid: string): boolean => /^\d+\.\d+\.\d+\.\d+$/.test(gid);

function lookGid(recording: RunRecording): Fault | null {
  const { gids } = recording;
  return atBothEnds(recording, (qp) => {
    const gid = qp.set['dgid'];
    if (typeof gid !== 'string')
      return fault(`${qpName(qp.qpn)} never reached RTR, where it gets its address.`);
    if (isIpv4(gid) || !gids.some(isIpv4)) return null;
    const at = gids.indexOf(gid);
    const place = at < 0 ? '' : `, the GID at index ${at}`;
    return fault(
      `${qpName(qp.qpn)} sends to ${gid}${place}. The IPv4 address ${gids.find(isIpv4)} is at index ${gids.findIndex(isIpv4)}. Search the table for it: index 0 is another address on most devices.`,
    );
  });
}

const lookTimeout = notZero(
  'timeout',
  'RTS',
  (qp) => `${qp} never times out: its timeout is 0. If a packet is lost, it may wait for the ACK forever.`,
);
const lookRnrTimer = notZero(
  'min_rnr_timer',
  'RTR',
  (qp) =>
    `${qp} has min_rnr_timer 0, which is the longest time: 655.36 ms. A sender that comes too early waits that long.`,
);
const lookReads = (recording: RunRecording): Fault | null =>
  firstFault(
    notZero(
      'max_rd_atomic',
      'RTS',
      (qp) => `${qp} can start no READ and no atomic: its max_rd_atomic is 0.`,
    )(recording),
    notZero(
      'max_dest_rd_atomic',
      'RTR',
      (qp) => `${qp} can answer no READ and no atomic: its max_dest_rd_atomic is 0.`,
    )(recording),
  );

export const SET_UP_POINTS: readonly Point[] = [
  { id: 'connected', text: 'Two RC QPs are in RTS, each connected to the other', look: lookConnected },
  { id: 'psn', text: 'Each QP expects the PSN at which its peer starts', look: lookPsn },
  { id: 'gid', text: 'Both QPs send to the IPv4 GID', look: lookGid },
  { id: 'timeout', text: 'Both QPs have a timeout', look: lookTimeout },
  { id: 'rnr-timer', text: 'Neither QP asks for the longest wait after an RNR NAK', look: lookRnrTimer },
  { id: 'reads', text: 'Both QPs allow READs and atomics', look: lookReads },
];

/** Point of the tasks after set-up: the points of set-up as one. */
export const connectionPoint: Point = {
  id: 'connection',
  text: 'Two RC QPs are connected as in “Set up a connection”',
  look: (recording) => firstFault(...SET_UP_POINTS.map(({ look }) => look(recording))),
};

/** Source line of the program, if the run has one. Lines of libraries and of bindings do not count. */
export function lineOf({ place }: RunEventOf<'finding'>): SourceLine | undefined {
  if (!place || place.file === null || place.line === null) return undefined;
  const file = place.file.slice(place.file.lastIndexOf('/') + 1);
  return /^main\.(c|ts)$/.test(file) ? { file, line: place.line } : undefined;
}

const LEAK = 'object-leaked';

function lookMisuse({ opened, findings, failedCalls }: RunRecording): Fault | null {
  if (!opened) return NOT_OPENED;
  const [first, ...others] = findings.filter(({ id }) => id !== LEAK);
  if (first) {
    const more = others.length === 0 ? '' : ` ${others.length} more: see the misuse report.`;
    const { object, call, detail, cure } = first;
    return fault(`${call} on ${object}: ${detail}. ${cure}${more}`, lineOf(first));
  }
  // Programs search tables until a query fails.
  const failed = failedCalls.find(({ call }) => !call.startsWith('ibv_query_'))?.error;
  return failed ? fault(`${failed.message} ${failed.cure}`.trim()) : null;
}

function lookLeaks({ opened, findings, regions, objects }: RunRecording): Fault | null {
  if (!opened) return NOT_OPENED;
  // Newest objects first: as long as they are there, their parents cannot go.
  const leaks = findings.filter(({ id }) => id === LEAK).reverse();
  const [first] = leaks;
  if (!first) return stoppedFault(objects);
  const one = leaks.length === 1 && first.count === 1;
  const line = lineOf(first);
  return fault(
    `${leaks.map((leak) => leakText(leak, regions)).join(', ')} ${one ? 'was' : 'were'} never destroyed. ${cureOf(first, line)}`,
    line,
  );
}

/** A program that is stopped leaves no report of leaks. */
function stoppedFault(objects: RunRecording['objects']): Fault | null {
  const count = (phase: 'made' | 'gone', kind: string): number =>
    objects.filter((one) => one.phase === phase && one.object === kind).length;
  const left = ['QP', 'MR', 'CQ', 'PD'].flatMap((kind) => {
    const more = count('made', kind) - count('gone', kind);
    return more > 0 ? [more === 1 ? `1 ${kind}` : `${more} ${kind}s`] : [];
  });
  return left.length === 0
    ? null
    : fault(`When the program ended, these were not yet destroyed: ${left.join(', ')}.`);
}

/** Cure in the words of the language: a program in TypeScript calls no `ibv_dereg_mr`. */
const cureOf = ({ cure }: RunEventOf<'finding'>, line: SourceLine | undefined): string =>
  line?.file.endsWith('.ts') ? 'Call close() on each, or create it with `await using`.' : cure;

const NOT_OPENED = fault('The program did not open the device.');

/** `MR 0x00000005 of 64 bytes (main.c:25)`; objects that one line created are one leak. */
function leakText(leak: RunEventOf<'finding'>, regions: readonly RegionSeen[]): string {
  const { object, count } = leak;
  const region = regions.find(({ key }) => object === `MR ${hex(key, 8)}`);
  const size = region ? ` of ${region.length} bytes` : '';
  const more = count > 1 ? ` and ${count - 1} more` : '';
  const line = lineOf(leak);
  return `${object}${size}${more}${line ? ` (${line.file}:${line.line})` : ''}`;
}

/** Points at the end of every task. */
export const TIDY_POINTS: readonly Point[] = [
  {
    id: 'misuse',
    text: 'The device refused no call and found no misuse',
    look: lookMisuse,
  },
  { id: 'leaks', text: 'Every object was destroyed', look: lookLeaks },
];
