// The problems of a run by cause, by the audit's own rules: items with the same label have one cause.
import { itemsOf, type Item, type RunExport } from './export.js';
import { unannounced, type CounterMove } from './problems.js';

export interface Problem {
  /** Name of the cause that the items and moves share. */
  label: string;
  items: Item[];
  moves: CounterMove[];
}

/** Counters that have a single possible cause. */
const SIGNS: readonly (readonly [label: string, names: RegExp])[] = [
  ['no receive', /rnr|^out_of_buffer$/],
  ['lost', /^(retry_exceeded_err|local_ack_timeout_err|packet_seq_err|rcvd_seq_err|implied_nak_seq_err)$/],
  ['lost', /^(icrc_errors|udp_receive_overruns|udp_send_lost_pkts|link_downed)$/],
  ['local', /^send_err$/],
  ['remote', /_remote_/],
  ['length', /_length_/],
  ['Q_Key', /^qkey_violations$/],
];
/** Counters that move after a loss. Without a loss, RNR NAKs move them too. */
const FOLLOWS = /^(retransmitted_pkts|completer_retry_err|out_of_sequence|out_of_seq_request)$/;

const signOf = (name: string): string | undefined => SIGNS.find(([, names]) => names.test(name))?.[0];

/** Causes by the number of the completion status in the specification of verbs. */
const STATUS_SIGNS: Readonly<Record<number, string>> = {
  ...{ 1: 'length', 4: 'local', 9: 'remote', 10: 'remote', 11: 'remote' },
  ...{ 12: 'lost', 13: 'no receive' },
};
const NAMED: Readonly<Record<string, number>> = {
  ...{ LOC_LEN_ERR: 1, LOC_PROT_ERR: 4, REM_INV_REQ_ERR: 9, REM_ACCESS_ERR: 10, REM_OP_ERR: 11 },
  ...{ RETRY_EXC_ERR: 12, RNR_RETRY_EXC_ERR: 13 },
};

function itemSign(item: Item): string | undefined {
  if (item.kind === 'completion') return STATUS_SIGNS[item.wc.status];
  if (item.kind !== 'finding') return undefined;
  if (/^rnr-storm/.test(item.id)) return 'no receive';
  const status = NAMED[item.request?.status ?? ''];
  return status === undefined ? undefined : STATUS_SIGNS[status];
}

const at = (item: Item): string => ('endpoint' in item ? (item.endpoint ?? '') : '');

/** The endpoint's own QP that an item is about. */
function qpOf(item: Item): number | undefined {
  if (item.kind === 'completion') return item.wc.qpn;
  if (item.kind === 'async') return item.qpn;
  if (item.kind !== 'finding' || !item.request) return undefined;
  return item.id === 'request-refused' ? item.request.peerQpn : item.request.qpn;
}

/** Returns the connection of an endpoint's QP at a time: by the transitions to RTR, or else by its process's report. */
function connectionOf(data: RunExport, endpoint: string, qpn: number, t: number): string {
  const made = itemsOf(data, 'qp').filter(
    (e) => (e.endpoint ?? '') === endpoint && e.qpn === qpn && e.t <= t && 'dest_qp_num' in e.attrs,
  );
  const peers = made.map(({ attrs }) => Number(attrs.dest_qp_num));
  const told = itemsOf(data, 'finding').flatMap(({ endpoint: by = '', request }) => {
    if (by !== endpoint || request?.peerQpn === undefined) return [];
    const ends = [request.qpn, request.peerQpn];
    return ends.includes(qpn) ? ends.filter((one) => one !== qpn) : [];
  });
  const peer = peers.at(-1) ?? told[0];
  if (peer === undefined) return `QP ${qpn} of ${endpoint}`;
  const turn = Math.max(1, peers.filter((one) => one === peer).length);
  return `connection ${turn} of QPs ${[qpn, peer].sort((a, b) => a - b).join(' and ')}`;
}

const plain = (text = ''): string => text.replace(/0x[0-9a-f]+|\d+/gi, '#');

/** Label of a failed call, or of the misuse that a report calls it. The first kind of failure has the first misuse. */
function callLabel(items: readonly Item[], item: Item): string | undefined {
  if (item.kind === 'verb') return `${item.call} at ${at(item)}: ${plain(item.error?.message)}`;
  if (item.kind !== 'finding' || !/^post-(wrong-state|invalid)$/.test(item.id)) return undefined;
  const { call } = item;
  const own = items.filter((one) => at(one) === at(item));
  const failures = new Set(
    own.flatMap((one) => (one.kind === 'verb' && one.call === call ? callLabel(items, one)! : [])),
  );
  const misuses = own.filter(
    (one) => one.kind === 'finding' && one.call === call && /^post-(wrong-state|invalid)$/.test(one.id),
  );
  return [...failures][misuses.indexOf(item)];
}

function label(data: RunExport, items: readonly Item[], item: Item): string {
  const alone = `${item.kind} ${item.seq}`;
  const qpn = qpOf(item);
  if (qpn !== undefined) return connectionOf(data, at(item), qpn, item.t);
  const call = callLabel(items, item);
  if (call !== undefined) return call;
  if (item.kind === 'async') return `${item.event === 'CQ_ERR' ? 'full CQ' : item.event} at ${at(item)}`;
  if (item.kind !== 'finding') return alone;
  if (item.id === 'object-leaked') return `leaks of ${at(item)}`;
  if (item.id === 'cq-overrun') return `full CQ at ${at(item)}`;
  if (/^rnr-storm/.test(item.id)) return 'no receive';
  if (item.id !== 'completion-error-unpolled') return alone;
  const request = items.find(
    (one) => at(one) === at(item) && one.kind === 'finding' && one.request && one.id !== 'request-refused',
  );
  return request ? label(data, items, request) : alone;
}

/** Cause of a counter that several causes move, by the signs of the other counters. */
function followed(name: string, seen: ReadonlySet<string | undefined>): string {
  if (name === 'dropped_messages') return seen.has('lost') ? 'lost' : 'dropped';
  if (FOLLOWS.test(name)) return seen.has('no receive') && !seen.has('lost') ? 'no receive' : 'lost';
  return `counter ${name}`;
}

/** Returns each cause with the items and counters that report it. */
export function problemsOf(data: RunExport): Problem[] {
  const { items, moves } = unannounced(data);
  const problems = new Map<string, Problem>();
  // Several requests may fail for one reason. The first of them gets the counters that the reason moves.
  const first = new Map<string, string>();
  for (const item of items.filter((one) => qpOf(one) !== undefined)) {
    const sign = itemSign(item);
    if (sign !== undefined && !first.has(sign)) first.set(sign, label(data, items, item));
  }
  const add = (name: string): Problem => {
    const key = first.get(name) ?? name;
    const known = problems.get(key) ?? { label: key, items: [], moves: [] };
    problems.set(key, known);
    return known;
  };
  for (const item of items) add(label(data, items, item)).items.push(item);
  const seen = new Set([...moves.map(({ name }) => signOf(name)), ...items.map(itemSign)]);
  for (const move of moves) {
    add(signOf(move.name) ?? followed(move.name, seen)).moves.push(move);
  }
  return [...problems.values()];
}
