// What must hold at the end of a run, and the figures with which its checks say that it does.
import type { Claim, Roads } from '../claim.js';
import type { Evidence } from '../evidence.js';
import { itemsOf } from '../export.js';
import { sum } from '../figures.js';
import { loopsOf, ofAll, ofMeasured } from '../loops.js';
import { growth } from '../problems.js';
import { carriesData, endsMessage, isNak, OPCODE } from '../wire.js';
import { FLOW_CHECKS } from './flow-checks.js';
import { icrc, N, once, psnsInOrder } from './on-the-wire.js';

type Check = (claim: Claim, evidence: Evidence) => void;

const both = (evidence: Evidence, name: string): number =>
  growth(evidence.data, 'client', name) + growth(evidence.data, 'server', name);

const measured = ({ data }: Evidence, transport: 'rdma' | 'tcp', role: 'client' | 'server') =>
  loopsOf(data).filter((loop) => loop.transport === transport && loop.role === role);

/** Work requests may be under way when a loop's time is over; they reach the wire and count in no interval. */
function requestsOnWire(claim: Claim, evidence: Evidence): void {
  const clients = measured(evidence, 'rdma', 'client');
  const counted = sum(clients.map((loop) => ofAll(loop, 'messages')));
  const outstanding = evidence.param('depth') * clients.length;
  const perMessage = Math.ceil(evidence.param('size') / mtuOf(evidence));
  const sent =
    growth(evidence.data, 'client', 'sent_pkts') - growth(evidence.data, 'client', 'retransmitted_pkts');
  claim.holds(
    sent >= counted * perMessage && sent <= (counted + outstanding) * perMessage,
    `${counted} messages of ${perMessage} packets in the intervals, and up to ${outstanding} more under way`,
    `${counted * perMessage} packets or little more, not ${sent}`,
  );
}

const mtuOf = ({ packets }: Evidence): number => Math.max(...packets.map(({ payload }) => payload));

const BULK_CHECKS: Readonly<Record<string, Check>> = {
  'bytes-equal': (claim, evidence) => {
    const { size } = claim.match(/^The (?<size>.+) at the target match the source \(SHA-256 of both\)\.$/);
    claim.quantity(evidence.param('memory'), 'the memory that ibv_reg_mr was given', size);
    claim.equal('equal', 'SHA-256 over /proc/PID/mem of both ends', evidence.memory ?? 'not read');
  },
  completions: (claim, evidence) => {
    const { messages, every, completions } = claim.match(
      new RegExp(
        `^(?<messages>${N}) work requests in the measured time, one in (?<every>${N}) signaled, made (?<completions>${N}) completions\\.$`,
      ),
    );
    const counted = sum(evidence.rounds('rdma').map((round) => round.messages));
    const { sorted, road } = evidence.latencies('rdma');
    claim.count(counted, 'the intervals that count', messages);
    claim.count(sorted.length, road, completions);
    claim.count(Math.round(counted / sorted.length), 'the two of them', every);
  },
  recovery: (claim, evidence) => {
    const parts = claim.match(
      new RegExp(
        `^(?<again>${N}) of (?<packets>${N}) packets retransmitted, (?<timeouts>${N}) timeouts?, (?<order>${N}) duplicate or out of order, (?<failed>${N}) requests? failed\\.$`,
      ),
    );
    const road = 'the counters before and after';
    claim.count(both(evidence, 'sent_pkts'), road, parts.packets);
    const again = Math.max(both(evidence, 'retransmitted_pkts'), both(evidence, 'completer_retry_err'));
    claim.count(again, road, parts.again);
    claim.count(both(evidence, 'local_ack_timeout_err'), road, parts.timeouts);
    const order = ['out_of_seq_request', 'rcvd_seq_err', 'duplicate_request'];
    claim.count(sum(order.map((name) => both(evidence, name))), road, parts.order);
    const failed = ['retry_exceeded_err', 'retry_rnr_exceeded_err', 'send_err'];
    claim.count(sum(failed.map((name) => both(evidence, name))), road, parts.failed);
    requestsOnWire(claim, evidence);
  },
  packets: (claim, evidence) => {
    const parts = claim.match(
      new RegExp(
        `^(?<packets>${N}) packets captured, (?<acks>${N}) ACKs?; the first (?<messages>${N}) messages of (?<size>.+) are cut at the path MTU of (?<mtu>${N}) B with PSNs in order\\.$`,
      ),
    );
    const { packets } = evidence;
    const data = once(packets.filter(carriesData));
    claim.count(packets.length, 'tshark', parts.packets);
    claim.count(packets.filter(({ opcode }) => opcode === OPCODE.ack).length, 'tshark', parts.acks);
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
      /^Application, NIC work and kernel took (?<split>[\d.,]+) s in the measured time\. The kernel charged (?<charged>[\d.,]+) s to both endpoints over the whole run; the difference is start-up, warm-up and the measuring itself\.$/,
    );
    const loops = loopsOf(evidence.data);
    const fields = ['appNs', 'nicNs', 'kernelNs'] as const;
    const ns = sum(loops.flatMap((loop) => fields.map((field) => ofMeasured(loop, field))));
    claim.figure(ns / 1e9, 'the intervals that count', split);
    kernelCharged(claim, evidence, charged!);
  },
  'tcp-bytes': (claim, evidence) => {
    const { client, server } = claim.match(
      /^The client counted (?<client>.+) in the measured time, the server (?<server>.+)\.$/,
    );
    const bytes = (role: 'client' | 'server') =>
      sum(measured(evidence, 'tcp', role).map((loop) => ofMeasured(loop, 'bytes')));
    claim.quantity(bytes('client'), 'the intervals that count', client);
    claim.quantity(bytes('server'), 'the intervals that count', server);
  },
};

/** The run's clock is the monotonic one, /proc is read by the wall clock, and the endpoints are asked over a pipe. */
const TWO_CLOCKS_MS = 30;

function kernelCharged(claim: Claim, { data, proc }: Evidence, shown: string): void {
  const asked = itemsOf(data, 'cpu').map(({ t }) => data.run.createdAt + t / 1e6);
  const [from, to] = [Math.min(...asked), Math.max(...asked)];
  const seconds = Number(shown.replaceAll(',', ''));
  const inside = proc!.between(from + TWO_CLOCKS_MS, to - TWO_CLOCKS_MS);
  const outside = proc!.between(from - TWO_CLOCKS_MS, to + TWO_CLOCKS_MS);
  claim.holds(
    seconds >= inside.least - 0.005 && seconds <= outside.most + 0.005,
    '/proc/PID/stat of both endpoints, looked at every 20 ms',
    `${inside.least.toFixed(3)} to ${outside.most.toFixed(3)} s`,
  );
}

export const CHECKS: Roads<Evidence> = {
  check: (claim, evidence) => {
    const id = claim.data('check');
    const known = evidence.data.run.lab === 'bulk' ? BULK_CHECKS : FLOW_CHECKS;
    const check = known[id];
    if (!check) return claim.fail('the checks that the audit knows', Object.keys(known).join(', '), id);
    claim.equal('true', 'the check, which the audit finds to hold', claim.data('ok'));
    check(claim, evidence);
  },
};
