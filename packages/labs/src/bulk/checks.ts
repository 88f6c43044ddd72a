/** Checks of a bulk run, decided from what was measured. Pure functions. */
import {
  TAP_LIST,
  type Check,
  type EndpointLoopResult,
  type ErrorInfo,
  type TapReport,
} from '@verbslab/protocol';
import { isNak, operationName, RC } from '@verbslab/roce';
import { formatBytes, formatCount, plural } from '../base/format.js';
import {
  checkSegments,
  READ_RESPONSE,
  SEND,
  WRITE,
  withoutRepeats,
  type MessageOpcodes,
} from '../wire/messages.js';
import { icrcRight as icrcOf } from '../wire/tap.js';
import { olderAgent } from '../load/cpu-seconds.js';
import type { Measured } from '../load/both-ends.js';

export const BULK_CHECKS = [
  { id: 'bytes-equal', text: 'Client and server hold the same bytes.' },
  { id: 'completions', text: 'One completion per signaled work request, and no others.' },
  { id: 'outstanding', text: 'No more requests were outstanding than Depth allows.' },
  { id: 'recovery', text: 'No errors, and at most 1 % of the packets retransmitted.' },
  { id: 'packets', text: 'Captured messages are split at the path MTU, with PSNs in order and no NAK.' },
  { id: 'icrc', text: 'The ICRC of every captured packet is correct.' },
  { id: 'cpu', text: 'The measured CPU time is no more than the kernel charged.' },
  {
    id: 'tcp-bytes',
    text: 'The server read all that the client wrote to TCP; for READ, TCP delivered data.',
  },
] as const;

type CheckId = (typeof BULK_CHECKS)[number]['id'];
const check = (id: CheckId, ok: boolean, detail: string): Check => ({ id, ok, detail });

/** `bytes`: compared at each end, on all `links` together. */
export function bytesEqual(equal: boolean, bytes: number, links: number): Check {
  const each = `The ${formatBytes(bytes / links)} at the client`;
  const where = `those at the server${links > 1 ? ' on each link' : ''} (SHA-256 of both).`;
  return check('bytes-equal', equal, `${each} ${equal ? 'match' : 'differ from'} ${where}`);
}

/** A count of a loop over warm-up, measured time and the work under way at the end; null from an older agent. */
function whole(
  loops: readonly EndpointLoopResult[],
  of: 'signaled' | 'completions' | 'sentBytes' | 'receivedBytes',
): number | null {
  const counts = loops.map((loop) => loop.whole?.[of] ?? null);
  return counts.includes(null) ? null : counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/**
 * Checks each loop as a whole, from the first request posted to the last completion polled: the measured time alone
 * begins and ends between completions.
 */
export function completionsMatch(rounds: readonly Measured[]): Check {
  const clients = rounds.map(({ client }) => client);
  const signaled = whole(clients, 'signaled');
  const completions = whole(clients, 'completions');
  if (signaled === null || completions === null)
    return check('completions', false, olderAgent('did not count signaled requests'));
  const measured = clients.reduce((sum, { latency }) => sum + latency.count, 0);
  const ok =
    completions > 0 && clients.every((client) => client.whole?.signaled === client.whole?.completions);
  return check(
    'completions',
    ok,
    `${plural(signaled, 'signaled work request')} made ${plural(completions, 'completion')}` +
      (ok
        ? `: ${formatCount(measured)} in the measured time, ${formatCount(completions - measured)} in the warm-up or after the time was over.`
        : '.'),
  );
}

/**
 * The most work requests that the clients had outstanding at a time: posted, and their completion not yet polled.
 *
 * @param depth - the limit that the parameter sets
 */
export function withinDepth(rounds: readonly Measured[], depth: number): Check {
  const counts = rounds.map(({ client }) => client.whole?.mostOutstanding ?? null);
  if (counts.includes(null))
    return check('outstanding', false, olderAgent('did not count outstanding requests'));
  const most = Math.max(...counts.map((count) => count ?? 0));
  return check(
    'outstanding',
    most > 0 && most <= depth,
    `At most ${plural(most, 'work request')} ${most === 1 ? 'was' : 'were'} outstanding at a time: posted, and ${most === 1 ? 'its' : 'their'} completion not yet polled. ` +
      `Depth is ${formatCount(depth)}.`,
  );
}

/** Counters of the requester and of the completer, and of what could not be repaired. */
const FAILED = ['retry_exceeded_err', 'retry_rnr_exceeded_err'];
/** Share of packets sent twice above which a figure is about recovery, not about transfer. */
const TOLERATED = 0.01;

export type Counters = Readonly<Record<string, number>>;

const errorOf = (rounds: readonly Measured[]): ErrorInfo | undefined =>
  rounds.flatMap(({ client, server }) => client.error ?? server.error ?? [])[0];

/** Growth of each counter between two snapshots. A device counts what is in the second one. */
export function growth(before: Counters, after: Counters): Record<string, number> {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)] as const),
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
  // Names under which devices count the same thing: the largest is the count.
  const most = (counters: Counters, names: readonly string[]): number =>
    Math.max(...names.map((name) => counters[name] ?? 0));
  const both = (...names: string[]): number => most(client, names) + most(server, names);
  const sum = (names: readonly string[]): number => names.reduce((total, name) => total + both(name), 0);
  const counts = (name: string): boolean => name in client || name in server;
  const packets = both('sent_pkts');
  const failed = sum(FAILED);
  const timeouts = both('local_ack_timeout_err');
  const rnrNaks = both('rnr_nak_retry_err', 'rcvd_rnr_err');
  // Packets out of order, or the gaps before them, are counted at one end, the NAKs that ask for the missing ones at
  // the other.
  const outOfOrder =
    both('duplicate_request') +
    Math.max(both('out_of_sequence', 'out_of_seq_request'), both('packet_seq_err', 'rcvd_seq_err'));
  const rest =
    (counts('local_ack_timeout_err') ? `${plural(timeouts, 'timeout')}, ` : '') +
    (rnrNaks > 0 ? `${plural(rnrNaks, 'RNR NAK')}, ` : '') +
    `${formatCount(outOfOrder)} duplicate or out-of-order, ` +
    `${plural(failed, 'request')} failed.`;
  if (counts('retransmitted_pkts')) {
    const again = both('retransmitted_pkts');
    return check(
      'recovery',
      failed === 0 && again <= packets * TOLERATED,
      `${formatCount(again)} of ${plural(packets, 'packet')} retransmitted, ${rest}`,
    );
  }
  // A go-back follows a timeout or a NAK of a sequence error. The kernel's rxe counts both as one.
  const goBacks = Math.max(
    both('completer_retry_err'),
    timeouts + both('packet_seq_err', 'rcvd_seq_err') + both('implied_nak_seq_err'),
  );
  const among = counts('sent_pkts') ? ` in ${plural(packets, 'packet')}` : '';
  const detail = `${plural(goBacks, 'go-back')}${among} (this device does not count the packets that they retransmit), ${rest}`;
  // Each go-back retransmits at least one packet, and perhaps a whole window.
  const tooMany = counts('sent_pkts') && goBacks > packets * TOLERATED;
  const decided = failed > 0 || tooMany || goBacks === 0;
  return { ...check('recovery', failed === 0 && !tooMany, detail), ...(decided ? {} : { applies: false }) };
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
    return fail(`A ${operationName(Number(foreign))} does not belong to this transfer.`);
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
  const acks = report.list.filter(({ opcode }) => opcode === RC.acknowledge).length;
  const answers = operation === 'read' ? '' : `, ${plural(acks, 'ACK')} among them`;
  const looked = report.list.length;
  const left = report.packets - report.malformed - looked;
  if (segments.messages === 0 && messages > 0 && report.dropped > 0)
    return {
      ...check(
        'packets',
        true,
        `No message was captured whole: one of ${formatBytes(messageBytes)} has ${plural(Math.ceil(messageBytes / mtu), 'packet')} ` +
          `at the path MTU of ${mtu} B, and ${formatCount(looked)} were captured. Capture more packets, or choose a smaller message.`,
      ),
      applies: false,
    };
  return check(
    'packets',
    segments.messages > 0 || messages === 0,
    `${plural(looked, 'packet')} checked${answers}: ${plural(segments.messages, 'message')} of ${formatBytes(messageBytes)}, ` +
      `split at the path MTU of ${mtu} B` +
      (left > 0
        ? `. ${plural(left, 'more captured packet')} were not checked: the check looks at ${formatCount(TAP_LIST)} at most`
        : '') +
      (report.dropped > 0 ? `. ${plural(report.dropped, 'more packet')} were not captured.` : '.'),
  );
}

export function icrcRight({ report }: Captured): Check {
  const { ok, detail } = icrcOf(report);
  return check('icrc', ok, detail);
}

/** Compares the bytes that one end wrote to the stream with those that the other read. */
export function tcpDelivered(rounds: readonly Measured[], operation: string): Check {
  const error = errorOf(rounds);
  if (error) return check('tcp-bytes', false, error.message);
  // The client of a READ hangs up on a server that still sends: what was under way then is lost, as it should be.
  if (operation === 'read') {
    const received = rounds.reduce((sum, { client }) => sum + client.bytes, 0);
    return check(
      'tcp-bytes',
      received > 0,
      `The client received ${formatBytes(received)} in the measured time.`,
    );
  }
  const sent = whole(
    rounds.map(({ client }) => client),
    'sentBytes',
  );
  const received = whole(
    rounds.map(({ server }) => server),
    'receivedBytes',
  );
  if (sent === null || received === null)
    return check('tcp-bytes', false, olderAgent('did not count the bytes of the stream'));
  return check(
    'tcp-bytes',
    received > 0 && sent === received,
    `The client wrote ${formatCount(sent)} bytes, warm-up included, and the server read ${sent === received ? 'all of them' : formatCount(received)}.`,
  );
}
