// Counters of the devices, and the errors panel that is derived from them.
import type { Claim, Roads } from '../claim.js';
import { problemsOf, type Problem } from '../causes.js';
import type { Evidence } from '../evidence.js';
import { itemsOf, type RunExport } from '../export.js';
import { sum } from '../figures.js';
import { countersOf, faultyMoves, growth, intendedIn, isFlushed } from '../problems.js';
import { phaseHolds } from '../phases.js';
import { isNak, OPCODE, type WirePacket } from '../wire.js';

/** Packets that a counter counts, for a program with a complete capture. */
const ON_THE_WIRE: Readonly<Record<string, (packet: WirePacket) => boolean>> = {
  sent_pkts: ({ sent }) => sent,
  rcvd_pkts: ({ sent }) => !sent,
  acks_sent: (packet) => packet.sent && packet.opcode === OPCODE.ack && !isNak(packet),
  naks_sent: (packet) => packet.sent && isNak(packet),
  rdma_sends: (packet) => packet.sent && endsSend(packet),
  rdma_recvs: (packet) => !packet.sent && endsSend(packet),
};

const endsSend = ({ opcode }: WirePacket): boolean =>
  opcode === OPCODE.sendLast || opcode === OPCODE.sendOnly;

/** True for a capture of the whole run. A program's capture is; that of the bulk lab has a transfer after the run. */
const captureIsWhole = ({ data, wire }: Evidence): boolean =>
  data.run.lab === 'program' && wire !== null && data.run.capture!.dropped === 0;

/** First words of the sentence about moved counters, and the label of its cause. */
const CAUSE_WORDS: readonly (readonly [words: string, label: string])[] = [
  ['Packets or their acknowledgments were lost', 'lost'],
  ['Messages arrived while no receive was posted', 'no receive'],
  ['Work requests were refused before', 'local'],
  ['The responder refused', 'remote'],
  ['A message was longer', 'length'],
  ['UC or UD messages were dropped', 'dropped'],
  ['Datagrams with a wrong Q_Key', 'Q_Key'],
];
/** Labels of causes by their names on the page. */
const CAUSE_LABELS: Readonly<Record<string, string>> = {
  ...{ loss: 'lost', receive: 'no receive', local: 'local', remote: 'remote', length: 'length' },
  ...{ message: 'dropped', qkey: 'Q_Key' },
};

/** Number of list items that the page draws. */
const [DRAWN_PROBLEMS, DRAWN_REPORTS] = [300, 100];

function problemAt(claim: Claim, data: RunExport): Problem {
  const { lead, cause = '' } = claim.shown.data;
  const found = problemsOf(data).find(({ items, label }) =>
    lead === undefined
      ? items.length === 0 && label === CAUSE_LABELS[cause]
      : items.some(({ seq }) => seq === Number(lead)),
  );
  return found ?? claim.fail('the causes of the failures', `none of item ${lead ?? cause}`);
}

/**
 * Number of reports of a problem besides those in its heading, which are one per side of a request, or a single item.
 */
function reportsOf(claim: Claim, data: RunExport): number {
  const { items, moves } = problemAt(claim, data);
  const sides = items.flatMap((e) => (e.kind === 'finding' && e.request ? [e.id === 'request-refused'] : []));
  const apart = claim.shown.data.lead === undefined || claim.data('problem') === 'leaks';
  return items.length + moves.length - (apart ? 0 : Math.max(1, new Set(sides).size));
}

export const COUNTERS: Roads<Evidence> = {
  counter: (claim, evidence) => {
    const { data, wire } = evidence;
    const [endpoint, name] = [claim.data('endpoint'), claim.data('row')];
    const { last } = countersOf(data).get(endpoint)!;
    if (last[name] === undefined) return claim.equal('–', 'the snapshots, which lack it');
    claim.count(growth(data, endpoint, name), 'the last snapshot less the first');
    const counts = ON_THE_WIRE[name];
    if (!counts || !captureIsWhole(evidence)) return;
    // The capture holds a retransmitted packet as often as the counter counts it.
    const repeats = /^rdma_/.test(name) && growth(data, endpoint, 'retransmitted_pkts') > 0;
    // The tap sees packets to a QP that no longer accepts any. The counter of received packets does not count them.
    const late = name === 'rcvd_pkts' ? growth(data, endpoint, 'wrong_state_pkts') : 0;
    if (!repeats) claim.count(wire!.packets.filter(counts).length - late, 'tshark');
  },
  'counted-since': (claim, { data }) => {
    const without = [...countersOf(data)].filter(([, { before }]) => before === null).map(([name]) => name);
    const rest = without.length === 0 ? '' : `; for ${without.join(', ')}, since the device was opened`;
    claim.equal(`Counted during the run${rest}`, 'the snapshots');
  },
  'nothing-wrong': (claim, { data }) => {
    const { error, state } = data.run;
    claim.equal(
      error === null || state === 'cancelled'
        ? intendedIn(data) > 0
          ? 'Nothing went wrong except what this lab causes on purpose.'
          : 'Nothing went wrong.'
        : `No call, work request or counter reported an error. The run failed: ${error.message}`,
      'what the audit knows of it',
    );
    claim.equal(
      '',
      'failures in the stream, and counters that moved',
      problemsOf(data)
        .map(({ label }) => label)
        .join(', '),
    );
  },
  fault: (claim, { data }) => {
    const { n, name } = claim.match(/^(?<n>[\d,]+) .*?(?<name>[a-z]+(?:_[a-z]+)+)$/);
    const moves = faultyMoves(data).filter((move) => move.name === name);
    const found = moves.find(({ by }) => by === Number(n!.replaceAll(',', '')));
    if (!found) claim.fail('the counters that moved', JSON.stringify(moves));
    // Nothing was lost without a timeout or a sequence NAK, so the RNR NAKs are the only reason.
    const count = (counter: string) =>
      sum(faultyMoves(data).flatMap((m) => (m.name === counter ? m.by : [])));
    const refused =
      count('rnr_nak_retry_err') > 0 && count('local_ack_timeout_err') + count('packet_seq_err') === 0;
    if (refused && /^(retransmitted_pkts|out_of_sequence)$/.test(name!))
      claim.holds(
        /no receive was posted/.test(claim.text),
        'RNR NAKs, and no timeout',
        'no receive was posted',
      );
  },
  problem: (claim, { data }) => {
    const kind = claim.data('kind');
    const { t, phase } = claim.match(/(?<t>\d+\.\d{3}) s(?:, (?<phase>.+))?$/);
    const known = data.events.filter((item) => item.kind === kind).map((item) => (item.t / 1e9).toFixed(3));
    claim.holds(known.includes(t!), `the times of the ${kind} events`, known.join(', '));
    phaseHolds(claim, data, Number(t) * 1e9, phase);
  },
  cause: (claim, { data }) => {
    const label = CAUSE_WORDS.find(([words]) => claim.text.startsWith(words))?.[1];
    const counted = problemsOf(data).filter(({ items }) => items.length === 0);
    claim.holds(
      counted.some((one) => one.label === label),
      'the counters that moved',
      counted.map((one) => one.label).join(', '),
    );
  },
  leaks: (claim, { data }) => {
    const { who, n } = claim.match(/^(?<who>.+) left (?<n>[\d,]+) objects behind\.$/);
    const leaks = itemsOf(data, 'finding').filter((e) => e.id === 'object-leaked' && e.endpoint === who);
    claim.count(sum(leaks.map(({ count }) => count)), 'what its report says of leaks', n);
  },
  'evidence-count': (claim, { data }) => {
    const { n } = claim.match(/^(?<n>[\d,]+)(?: more)? reports? of it$/);
    claim.count(reportsOf(claim, data), 'what has this cause in the stream', n);
  },
  'more-evidence': (claim, { data }) => {
    const { n } = claim.match(/^(?<n>[\d,]+) more are not shown\.$/);
    const { moves } = problemAt(claim, data);
    claim.count(
      reportsOf(claim, data) - moves.length - DRAWN_REPORTS,
      'what has this cause in the stream',
      n,
    );
  },
  'more-problems': (claim, { data }) => {
    const { n } = claim.match(/^(?<n>[\d,]+) more are not shown\.$/);
    claim.count(problemsOf(data).length - DRAWN_PROBLEMS, 'causes of the failures in the stream', n);
  },
  intended: (claim, { data }) => {
    const { n } = claim.match(/^(?<n>[\d,]+) errors? (?:is|are) not listed: /);
    claim.count(intendedIn(data), 'the failures that the lab announced', n);
  },
  flushes: (claim, { data }) => {
    const { n } = claim.match(/^On (?<n>[\d,]+) QPs?, work requests that were still queued /);
    claim.count(data.events.filter(isFlushed).length, 'the first flushed completion of each QP', n);
  },
  remark: (claim, { data }) => {
    const said = [...itemsOf(data, 'note'), ...itemsOf(data, 'log')].map(({ text }) => text);
    claim.holds(said.includes(claim.text), 'the notes of the stream', said.join(' | '));
  },
};
