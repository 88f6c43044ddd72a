/** What must hold after a bulk run, decided from what was measured. Pure functions. */
import type { Check, EndpointLoopResult, ErrorInfo, TapReport } from '@verbslab/protocol';
import { formatBytes, formatCount, formatNumber, plural } from '../format.js';
import {
  checkSegments,
  READ_RESPONSE,
  SEND,
  WRITE,
  withoutRepeats,
  type MessageOpcodes,
} from '../messages.js';
import { isNak, RC, rcOpcodeName } from '../opcodes.js';
import { icrcRight as icrcOf } from '../tap.js';
import { cpuSeconds, totalCpu, type Measured } from './figures.js';

export const BULK_CHECKS = [
  { id: 'bytes-equal', text: 'The target holds exactly the bytes that were sent.' },
  { id: 'completions', text: 'One completion for every signaled work request, and no other.' },
  { id: 'recovery', text: 'No errors, and less than 1 % of the packets retransmitted.' },
  { id: 'packets', text: 'The captured packets follow the RoCEv2 protocol.' },
  { id: 'icrc', text: 'The ICRC of every captured packet is correct.' },
  { id: 'cpu', text: 'The measured CPU time is no more than the kernel charged.' },
  { id: 'tcp-bytes', text: 'TCP delivered what was sent.' },
] as const;

type CheckId = (typeof BULK_CHECKS)[number]['id'];
const check = (id: CheckId, ok: boolean, detail: string): Check => ({ id, ok, detail });

/** `ranges`: bytes compared, in pieces that were written at all. */
export function bytesEqual(equal: boolean, bytes: number): Check {
  return check(
    'bytes-equal',
    equal,
    equal
      ? `The ${formatBytes(bytes)} at the target match the source (SHA-256 of both).`
      : `The ${formatBytes(bytes)} at the target differ from the source.`,
  );
}

/** The measured stretch begins and ends between completions, so whole groups of `every` requests complete in it. */
export function completionsMatch(rounds: readonly Measured[], every: number): Check {
  const total = (of: (client: EndpointLoopResult) => number): number =>
    rounds.reduce((sum, { client }) => sum + of(client), 0);
  const cqes = total(({ latency }) => latency.count);
  const messages = total((client) => client.messages);
  const expected = total((client) => Math.floor(client.messages / every));
  const ok =
    cqes > 0 &&
    rounds.every(({ client }) => Math.abs(client.latency.count - Math.floor(client.messages / every)) <= 1);
  return check(
    'completions',
    ok,
    `${plural(messages, 'work request')} in the measured time, one in ${every} signaled, made ${plural(cqes, 'completion')}` +
      (ok ? '.' : `; ${formatCount(expected)} were expected.`),
  );
}

/** Counters of the requester and of the completer, and of what could not be repaired. */
const FAILED = ['retry_exceeded_err', 'retry_rnr_exceeded_err', 'send_err'];
/** More than one packet in a hundred sent twice means that a figure is about recovery, not about transfer. */
const TOLERATED = 0.01;

export type Counters = Readonly<Record<string, number>>;

const errorOf = (rounds: readonly Measured[]): ErrorInfo | undefined =>
  rounds.flatMap(({ client, server }) => client.error ?? server.error ?? [])[0];

/** What grew between two snapshots. */
export function growth(before: Counters, after: Counters): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, value]) => [name, value - (before[name] ?? 0)] as const)
      .filter(([, value]) => value !== 0),
  );
}

export function recovered(
  rounds: readonly Measured[],
  client: Counters | null,
  server: Counters | null,
): Check {
  const error = errorOf(rounds);
  if (error) return check('recovery', false, error.message);
  if (!client || !server)
    return check(
      'recovery',
      true,
      'No work request failed. This device has no counters, so retransmissions are unknown.',
    );
  const sum = (names: readonly string[]): number =>
    names.reduce((total, name) => total + (client[name] ?? 0) + (server[name] ?? 0), 0);
  const packets = (client.sent_pkts ?? 0) + (server.sent_pkts ?? 0);
  const failed = sum(FAILED);
  // Devices count retransmitted packets, or at least how often they had to retransmit.
  const again = Math.max(sum(['retransmitted_pkts']), sum(['completer_retry_err']));
  const timeouts = sum(['local_ack_timeout_err']);
  const outOfOrder = sum(['out_of_seq_request', 'rcvd_seq_err', 'duplicate_request']);
  return check(
    'recovery',
    failed === 0 && again <= packets * TOLERATED,
    `${formatCount(again)} of ${plural(packets, 'packet')} retransmitted, ${plural(timeouts, 'timeout')}, ${formatCount(outOfOrder)} duplicate or out of order, ` +
      `${plural(failed, 'request')} failed.`,
  );
}

export interface Captured {
  report: TapReport;
  operation: 'write' | 'read' | 'send';
  mtu: number;
  messages: number;
  messageBytes: number;
}

const DATA: Readonly<Record<Captured['operation'], MessageOpcodes>> = {
  write: WRITE,
  read: READ_RESPONSE,
  send: SEND,
};

/** Rules on the packets that the tap listed, from the client’s side, which sees both directions. */
export function packetsConform({ report, operation, mtu, messages, messageBytes }: Captured): Check {
  const opcodes = DATA[operation];
  const dataDirection = operation === 'read' ? 'received' : 'sent';
  const allowed = new Set<number>([
    opcodes.first,
    opcodes.middle,
    opcodes.last,
    opcodes.only,
    RC.acknowledge,
  ]);
  if (operation === 'read') allowed.add(RC.readRequest);
  const fail = (detail: string): Check => check('packets', false, detail);

  const foreign = Object.keys(report.opcodes).find((opcode) => !allowed.has(Number(opcode)));
  if (foreign !== undefined)
    return fail(`A ${rcOpcodeName(Number(foreign))} does not belong into this transfer.`);
  const nak = report.list.find(({ syndrome, opcode }) => opcode === RC.acknowledge && isNak(syndrome));
  if (nak) return fail(`There is a NAK (syndrome 0x${(nak.syndrome ?? 0).toString(16)}) for PSN ${nak.psn}.`);
  const data = withoutRepeats(
    report.list.filter(
      ({ direction, opcode }) =>
        direction === dataDirection && opcode !== RC.readRequest && opcode !== RC.acknowledge,
    ),
  );
  const segments = checkSegments(data.once, opcodes, mtu);
  if (!segments.ok) return fail(`${segments.detail}.`);
  const acks = report.opcodes[String(RC.acknowledge)] ?? 0;
  const answers = operation === 'read' ? '' : `, ${plural(acks, 'ACK')}`;
  return check(
    'packets',
    segments.messages > 0 || messages === 0,
    `${plural(report.packets, 'packet')} captured${answers}; the first ${plural(segments.messages, 'message')} of ${formatBytes(messageBytes)} ` +
      `${segments.messages === 1 ? 'is' : 'are'} cut at the path MTU of ${mtu} B with PSNs in order` +
      (report.dropped > 0 ? `. ${plural(report.dropped, 'more packet')} were not captured.` : '.'),
  );
}

export function icrcRight({ report }: Captured): Check {
  const { ok, detail } = icrcOf(report);
  return check('icrc', ok, detail);
}

/** Slack for clocks that are read at slightly different moments. */
const CPU_SLACK = 0.05;
const CPU_SLACK_SECONDS = 0.1;

/**
 * The loops' split cannot be more than what the kernel charged to the two processes over the same time and more; the
 * rest is start-up, the omitted time and the instrument itself.
 */
export function cpuAddsUp(loops: readonly EndpointLoopResult[], processSeconds: number): Check {
  const parts = loops.map(cpuSeconds);
  const split = parts.reduce((sum, cpu) => sum + totalCpu(cpu), 0);
  const negative = parts.some(({ app, nic, kernel }) => app < 0 || (nic ?? 0) < 0 || kernel < 0);
  const ok = !negative && split > 0 && split <= processSeconds * (1 + CPU_SLACK) + CPU_SLACK_SECONDS;
  return check(
    'cpu',
    ok,
    `Application, NIC work and kernel took ${formatNumber(split)} s in the measured time. The kernel charged ${formatNumber(processSeconds)} s to both ` +
      'endpoints over the whole run; the difference is start-up, warm-up and the measuring itself.',
  );
}

/** Bytes in socket buffers when the time is over were sent and not yet received. */
export function tcpDelivered(rounds: readonly Measured[], operation: string, inFlight: number): Check {
  const sent = rounds.reduce((sum, { client }) => sum + client.bytes, 0);
  const received = rounds.reduce((sum, { server }) => sum + server.bytes, 0);
  const error = errorOf(rounds);
  if (error) return check('tcp-bytes', false, error.message);
  // The server's TCP does not count what it only sends: what the client received is what there is.
  if (operation === 'read')
    return check('tcp-bytes', sent > 0, `The client received ${formatBytes(sent)} in the measured time.`);
  const ok = received > 0 && Math.abs(sent - received) <= Math.max(rounds.length * inFlight, sent * 0.02);
  return check(
    'tcp-bytes',
    ok,
    `The client counted ${formatBytes(sent)} in the measured time, the server ${formatBytes(received)}.`,
  );
}
