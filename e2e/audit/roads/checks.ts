// Checks at the end of a run, and the figures in their texts.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { loopsOf, mostOutstanding, ofAll, ofMeasured } from '../loops.js';
import { growth } from '../problems.js';
import { carriesData, endsMessage, isNak, OPCODE } from '../wire.js';
import { LIVELOCK_CHECKS } from './fabric.js';
import { FLOW_CHECKS } from './flow-checks.js';
import { icrc, N, once, psnsInOrder } from './on-the-wire.js';

/** Returns true if the lab's check should pass. Returning nothing means true. */
type Check = (claim: Claim, evidence: Evidence) => boolean | void;

const both = (evidence: Evidence, name: string): number =>
  growth(evidence.data, 'client', name) + growth(evidence.data, 'server', name);

/** Loops of one end over verbs, on either link, or over TCP. */
const measured = ({ data }: Evidence, over: 'rdma' | 'tcp', role: 'client' | 'server') =>
  loopsOf(data).filter((loop) => (loop.transport === 'tcp') === (over === 'tcp') && loop.role === role);

/** Checks the packets sent. Work requests in flight at the end of a loop reach the wire but count in no interval. */
function requestsOnWire(claim: Claim, evidence: Evidence): void {
  const clients = measured(evidence, 'rdma', 'client');
  const counted = sum(clients.map((loop) => ofAll(loop, 'messages')));
  const outstanding = evidence.param('depth') * clients.length;
  const perMessage = Math.ceil(evidence.param('size') / mtuOf(evidence));
  const from = evidence.data.run.parameters.operation === 'read' ? 'server' : 'client';
  const sent = growth(evidence.data, from, 'sent_pkts') - growth(evidence.data, from, 'retransmitted_pkts');
  claim.holds(
    sent >= counted * perMessage && sent <= (counted + outstanding) * perMessage,
    `${counted} messages of ${perMessage} packets in the intervals, and up to ${outstanding} more under way`,
    `${counted * perMessage} packets or little more, not ${sent}`,
  );
}

/** Path MTU by the longest packet, or without a capture by the values that the sides exchanged. */
const mtuOf = ({ data, wire }: Evidence): number =>
  wire
    ? Math.max(...wire.packets.map(({ payload }) => payload))
    : Math.min(...itemsOf(data, 'exchange').map(({ values }) => Number(values.mtu)));

const BULK_CHECKS: Readonly<Record<string, Check>> = {
  'bytes-equal': (claim, evidence) => {
    const { size, each } = claim.match(
      /^The (?<size>.+) at the client match those at the server(?<each> on each link)? \(SHA-256 of both\)\.$/,
    );
    // Every SEND arrives in the same buffer.
    const all = evidence.data.run.parameters.operation === 'send' ? 'size' : 'memory';
    const links = (['rdma', 'shm'] as const).filter((each) => evidence.rounds(each).length > 0).length;
    claim.equal(each ?? '', 'the links with rounds in the stream', links > 1 ? ' on each link' : '');
    claim.quantity(evidence.param(all), 'the memory that the messages fill, on each link', size);
    claim.equal('equal', 'SHA-256 over /proc/PID/mem of both ends', evidence.memory ?? 'not read');
  },
  completions: (claim, evidence) => {
    const {
      signaled,
      completions,
      measured: within,
      besides,
    } = claim.match(
      new RegExp(
        `^(?<signaled>${N}) signaled work requests made (?<completions>${N}) completions: (?<measured>${N}) in the measured time, (?<besides>${N}) in the warm-up or after the time was over\\.$`,
      ),
    );
    const latencies = (['rdma', 'shm'] as const).map((each) => evidence.latencies(each));
    const timed = sum(latencies.map(({ sorted }) => sorted.length));
    claim.count(timed, latencies.map(({ road }) => road).join('; '), within);
    const frames = itemsOf(evidence.data, 'completions');
    const all = sum(frames.map(({ count, dropped }) => count + dropped));
    claim.count(all, 'the completion records of the stream', completions);
    claim.count(all, 'the completion records of the stream', signaled);
    claim.count(all - timed, 'those that are in no figure', besides);
    // Every completion stands for a whole group of requests. Requests in flight at a round's end count in no interval.
    const clients = measured(evidence, 'rdma', 'client');
    const every = evidence.param('signalEvery');
    const counted = sum(clients.map((loop) => ofAll(loop, 'messages')));
    const most = counted + (evidence.param('depth') + every) * clients.length;
    claim.holds(
      all * every >= counted && all * every <= most,
      'the messages of all intervals',
      `${counted} to ${most}, one in ${every} signaled`,
    );
  },
  outstanding: (claim, evidence) => {
    const { most, depth } = claim.match(
      new RegExp(
        `^At most (?<most>${N}) work requests? (?:was|were) outstanding at a time: posted, and (?:its|their) completion not yet polled\\. Depth is (?<depth>${N})\\.$`,
      ),
    );
    claim.count(evidence.param('depth'), 'the parameter', depth);
    const clients = measured(evidence, 'rdma', 'client');
    const seen = clients.map(({ source }) => mostOutstanding(evidence.data, source));
    const least = Math.max(...seen);
    // The record lacks the time of the post for requests without a completion of their own.
    const beyond = seen.includes(0) ? evidence.param('depth') : least + evidence.param('signalEvery') - 1;
    const count = Number(most!.replaceAll(',', ''));
    claim.holds(
      count >= least && count <= beyond,
      'wr_id and times of the completion records',
      `${least} to ${beyond}`,
    );
    return count <= evidence.param('depth');
  },
  recovery: (claim, evidence) => {
    const parts = claim.match(
      new RegExp(
        `^(?<again>${N}) of (?<packets>${N}) packets retransmitted, (?<timeouts>${N}) timeouts?, (?:(?<rnr>${N}) RNR NAKs?, )?(?<order>${N}) duplicate or out-of-order, (?<failed>${N}) requests? failed\\.$`,
      ),
    );
    const road = 'the counters before and after';
    const packets = both(evidence, 'sent_pkts');
    const again = Math.max(both(evidence, 'retransmitted_pkts'), both(evidence, 'completer_retry_err'));
    claim.count(again, road, parts.again);
    claim.count(both(evidence, 'local_ack_timeout_err'), road, parts.timeouts);
    // A packet out of order was ahead of the expected one or a duplicate. The embedded device counts both.
    const order = ['out_of_sequence', 'duplicate_request'];
    claim.count(sum(order.map((name) => both(evidence, name))), road, parts.order);
    claim.count(both(evidence, 'send_rnr_err'), 'the RNR NAKs that were sent', parts.rnr ?? '0');
    const failed = ['retry_exceeded_err', 'retry_rnr_exceeded_err', 'send_err'];
    const lost = sum(failed.map((name) => both(evidence, name)));
    claim.count(lost, road, parts.failed);
    claim.count(packets, road, parts.packets);
    requestsOnWire(claim, evidence);
    return lost === 0 && again <= packets / 100;
  },
  packets: (claim, evidence) => {
    const parts = claim.match(
      new RegExp(
        `^(?<packets>${N}) packets checked(?:, (?<acks>${N}) ACKs? among them)?: (?<messages>${N}) messages of (?<size>.+), split at the path MTU of (?<mtu>${N}) B\\.$`,
      ),
    );
    const { packets } = evidence;
    const data = once(packets.filter(carriesData));
    claim.count(packets.length, 'tshark', parts.packets);
    // A response acknowledges its READ request by itself.
    const acks = packets.filter(({ opcode }) => opcode === OPCODE.ack).length;
    claim.count(acks, 'tshark', parts.acks ?? '0');
    claim.count(
      data.filter(endsMessage).length,
      'the Last and Only packets that tshark reads',
      parts.messages,
    );
    claim.quantity(evidence.param('size'), 'the parameter, and bytes over messages', parts.size);
    claim.count(mtuOf(evidence), 'the largest payload that tshark reads', parts.mtu);
    claim.equal(0, 'the NAKs that tshark reads', String(packets.filter(isNak).length));
    psnsInOrder(claim, data);
    for (const packet of data.filter((one) => !endsMessage(one)))
      claim.equal(mtuOf(evidence), 'the payload of a First or Middle', String(packet.payload));
  },
  icrc,
  cpu: (claim, evidence) => {
    const { split, charged } = claim.match(
      /^Application, NIC work and kernel took (?<split>[\d.,]+) s\. Over the same time the kernel charged (?<charged>[\d.,]+) s to both endpoints, the measuring itself included\. The parts may exceed that by 2 % and 10 ms for each loop at most\.$/,
    );
    const loops = loopsOf(evidence.data);
    const fields = ['appNs', 'nicNs', 'kernelNs'] as const;
    const ns = sum(loops.flatMap((loop) => fields.map((field) => ofMeasured(loop, field))));
    claim.figure(ns / 1e9, 'the intervals that count', split);
    kernelCharged(claim, evidence, charged!);
  },
  'tcp-bytes': (claim, evidence) => {
    const { sent } = claim.match(
      /^The client wrote (?<sent>[\d,]+) bytes, warm-up included, and the server read all of them\.$/,
    );
    const bytes = (role: 'client' | 'server') =>
      sum(measured(evidence, 'tcp', role).map((loop) => ofAll(loop, 'bytes')));
    claim.count(bytes('server'), 'all intervals of the server', sent);
    // Data that the peer had not acknowledged at the end is in no interval of the client.
    claim.holds(bytes('client') <= bytes('server'), 'all intervals of the client', bytes('client'));
  },
};

/** Checks that do not apply, and the reason. */
const NOT_APPLICABLE: readonly { shape: RegExp; of: RegExp; so: (evidence: Evidence) => boolean }[] = [
  {
    shape: /^TCP was not run\.$/,
    of: /^tcp-bytes$/,
    so: (evidence) => evidence.rounds('tcp').length === 0,
  },
  {
    shape: /^No packets were to be captured\.$/,
    of: /^(packets|icrc)$/,
    so: ({ data, wire, asked }) => asked.capturePackets === '0' && !wire && !data.run.capture,
  },
];

function notApplicable(claim: Claim, evidence: Evidence, id: string): void {
  const known = NOT_APPLICABLE.find(({ shape, of }) => shape.test(claim.text) && of.test(id));
  if (!known) return claim.fail('the reasons that the audit knows', NOT_APPLICABLE.map(String).join(', '));
  claim.holds(known.so(evidence), 'what the run did, and what the test asked for', 'not so');
}

/**
 * Tolerance: the run's clock is monotonic, /proc is read by the wall clock, and the endpoints are asked over a pipe.
 */
const TWO_CLOCKS_MS = 30;

/** Compares with the CPU time of each loop's process during its measured time. */
function kernelCharged(claim: Claim, evidence: Evidence, shown: string): void {
  const { data, proc } = evidence;
  const pids = new Map(itemsOf(data, 'endpoint').map(({ role, pid }) => [role, pid!]));
  let [least, most] = [0, 0];
  // Loops that ran at once were in the same two processes. One reading covers both, from the first start to the last
  // end.
  const all = loopsOf(data);
  const looks = evidence.together
    ? evidence
        .rounds('rdma')
        .flatMap((r) => [r.client, r.server])
        .map((one) => all.filter(({ role, round }) => role === one.role && round === one.round))
    : all.map((loop) => [loop]);
  for (const loops of looks) {
    const intervals = loops.flatMap(({ measured }) => measured);
    const ms = (ns: number) => data.run.createdAt + ns / 1e6;
    const from = ms(Math.min(...intervals.map(({ t, intervalNs }) => t - intervalNs)));
    const to = ms(Math.max(...intervals.map(({ t }) => t)));
    const pid = pids.get(loops[0]!.role)!;
    least += proc!.between(from + TWO_CLOCKS_MS, to - TWO_CLOCKS_MS, pid).least;
    most += proc!.between(from - TWO_CLOCKS_MS, to + TWO_CLOCKS_MS, pid).most;
  }
  const seconds = Number(shown.replaceAll(',', ''));
  claim.holds(
    seconds >= least - 0.005 && seconds <= most + 0.005,
    '/proc/PID/stat of both endpoints, looked at every 20 ms',
    `${least.toFixed(3)} to ${most.toFixed(3)} s`,
  );
}

/** Checks of a lab. */
const CHECKS_OF: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  bulk: BULK_CHECKS,
  'go-back-0-livelock': LIVELOCK_CHECKS,
};

export const CHECKS: Roads<Evidence> = {
  note: (claim, { data }) =>
    claim.holds(
      itemsOf(data, 'note').some(({ text }) => text === claim.text),
      'the note events',
      claim.text,
    ),
  'checks-passed': (claim, { data }) => {
    const all = itemsOf(data, 'check');
    const decided = all.filter(({ applies }) => applies !== false);
    const failed = decided.filter(({ ok }) => !ok).length;
    const others = all.length - decided.length;
    const verdict = failed > 0 ? `${failed} of ${decided.length} failed.` : `All ${decided.length} passed.`;
    const rest = others === 0 ? '' : others === 1 ? ' 1 does not apply.' : ` ${others} do not apply.`;
    claim.equal(verdict + rest, 'the check events');
  },
  check: (claim, evidence) => {
    const id = claim.data('check');
    const known = CHECKS_OF[evidence.data.run.lab] ?? FLOW_CHECKS;
    const check = known[id];
    if (!check) return claim.fail('the checks that the audit knows', Object.keys(known).join(', '), id);
    if (claim.shown.data.ok === undefined) return notApplicable(claim, evidence, id);
    const ok = check(claim, evidence) ?? true;
    claim.equal(String(ok), 'whether the audit finds the check to hold', claim.data('ok'));
  },
};
