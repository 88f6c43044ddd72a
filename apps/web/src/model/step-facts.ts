/** Figures of a step, from what the run recorded in it. */
import type { LabDescription } from '@verbslab/protocol';
import { arrowLabel } from '@verbslab/roce';
import { count, text, time } from '../format/number';
import { knownConnections } from './known-connections';
import { runPackets } from './packet-rows';
import { requestTimes } from './request-times';
import type { RunModel } from './run-model';
import { callsOf, type StepLog } from './step-log';

export interface StepFact {
  name: 'calls' | 'longest' | 'mtu' | 'gid' | 'keys' | 'states' | 'request' | 'packets' | 'completions';
  label: string;
  value: string;
}

type Verb = ReturnType<typeof callsOf>[number];

/** Packets in a line, more are counted. */
const LISTED = 6;

const bySide = (lab: LabDescription, of: (role: string) => number): string =>
  lab.roles.map(({ name, title }) => `${count(of(name))} by the ${title.toLowerCase()}`).join(', ');

/** `10 by the client, 5 by the server`. */
export function callsLine(lab: LabDescription, step: StepLog): string {
  const calls = callsOf(step);
  return bySide(lab, (role) => calls.filter(({ endpoint }) => endpoint === role).length);
}

/** `WRITE First +0, WRITE Middle +1, WRITE Last +2, ACK +2`: PSNs from the first request of the connection. */
export function packetsLine(model: RunModel, step: StepLog): string | null {
  if (step.packets.length === 0) return null;
  const rows = runPackets(model.packets);
  const analysis = rows.analysis(() => knownConnections(model));
  const once = step.packets.filter((i) => !analysis || analysis.departureOf[i]! < 0);
  const names = once.slice(0, LISTED).map((i) => {
    const psn = analysis?.psnOf[i] ?? NaN;
    const label = arrowLabel(rows.at(i)!).replace(/ \d+$/, '');
    return Number.isNaN(psn) ? label : `${label} ${psn < 0 ? '−' : '+'}${Math.abs(psn)}`;
  });
  return once.length > LISTED
    ? `${names.join(', ')} and ${count(once.length - LISTED)} more`
    : names.join(', ');
}

function resultOf(calls: readonly Verb[], call: string, name: string): string[] {
  return calls.flatMap((e) => {
    const { result } = e;
    const value =
      e.call === call && typeof result === 'object' && result !== null && !Array.isArray(result)
        ? result[name]
        : undefined;
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
}

const unique = (values: readonly string[]): string => [...new Set(values)].join(', ');

/** In the order in which they are shown; a step has few of them. */
export function stepFacts(model: RunModel, lab: LabDescription, step: StepLog): StepFact[] {
  const calls = callsOf(step);
  const facts: StepFact[] = [];
  const add = (name: StepFact['name'], label: string, value: string): void => {
    if (value !== '') facts.push({ name, label, value });
  };
  for (const e of step.events) {
    if (e.kind !== 'wr') continue;
    const { device } = requestTimes(e);
    if (device !== null)
      add(
        'request',
        `${e.opcode.replace('RDMA_', '')} of ${count(e.byteLen)} B`,
        `CQE ${text(time(device))} after the post`,
      );
  }
  add('packets', 'Packets', packetsLine(model, step) ?? '');
  if (calls.some(({ call }) => call === 'ibv_poll_cq'))
    add(
      'completions',
      'Completions polled',
      bySide(lab, (role) => step.events.filter((e) => e.kind === 'completion' && e.endpoint === role).length),
    );
  add('gid', 'GID', unique(resultOf(calls, 'ibv_query_gid', 'gid')));
  add('mtu', 'Active MTU, B', unique(resultOf(calls, 'ibv_query_port', 'active_mtu')));
  const keys = lab.roles.flatMap(({ name, title }) =>
    resultOf(
      calls.filter(({ endpoint }) => endpoint === name),
      'ibv_reg_mr',
      'rkey',
    ).map((key) => `${key} of the ${title.toLowerCase()}`),
  );
  add('keys', 'rkeys', keys.slice(0, 4).join(', '));
  add(
    'states',
    'QP states',
    lab.roles
      .flatMap(({ name, title }) => {
        const moves = (step.moves[name] ?? []).filter(([from, to]) => from !== to);
        return moves.length === 0 ? [] : [`${title} ${moves[0]![0]} → ${moves.at(-1)![1]}`];
      })
      .join(', '),
  );
  const longest = calls.reduce<Verb | null>(
    (most, one) => (one.durationNs > (most?.durationNs ?? 0) ? one : most),
    null,
  );
  // Beside the times of a request, those of calls would say little.
  if (longest && !facts.some(({ name }) => name === 'request'))
    add('longest', 'Longest call', `${longest.call}, ${text(time(longest.durationNs))}`);
  return facts;
}
