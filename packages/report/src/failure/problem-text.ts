import { formatBytes } from '@verbslab/labs';
import {
  findingText,
  lookupWcStatus,
  qpnText,
  type CallPlace,
  type FindingRequest,
} from '@verbslab/protocol';
import { isLeft, leadOf, type ProblemEvent, type ProblemList, type ProblemOf } from './problem-list.js';

/** `RDMA_WRITE of 16 KiB (wr_id 19) on QP 0x1c37 failed: REM_ACCESS_ERR`. */
export function incidentTitle({ failed, refused, parts }: ProblemOf): string {
  const request = (failed?.request ?? refused?.request) as FindingRequest;
  const told = parts.find((p) => p.kind === 'completion');
  const status = request.status ?? (told ? lookupWcStatus(told.wc.status).name : null);
  const wrId = request.wrId === undefined ? '' : ` (wr_id ${request.wrId})`;
  const what = `${request.opcode} of ${formatBytes(request.length)}${wrId} on QP ${qpnText(request.qpn)}`;
  return failed ? `${what} failed${status ? `: ${status}` : ''}` : `${what} was refused`;
}

/** Id of an event's element in the errors panel, the target of links. */
export const problemId = ({ seq }: ProblemEvent): string => `problem-${seq}`;

export function eventText(p: ProblemEvent): string {
  switch (p.kind) {
    case 'check':
      return p.detail;
    case 'verb':
      return [p.error?.message, p.error?.cure].filter(Boolean).join(' ');
    case 'completion':
      return `A work request on QP ${qpnText(p.wc.qpn)} completed with ${lookupWcStatus(p.wc.status).name}.`;
    case 'async':
      return `IBV_EVENT_${p.event}${p.qpn === undefined ? '' : ` on QP ${qpnText(p.qpn)}`}.`;
    case 'finding':
      return findingText(p);
  }
}

export interface FirstProblem {
  /** Id of its element in the errors panel. */
  id: string;
  /** What failed, a sentence. */
  text: string;
  /** Why, as far as the refusing side told, and where it was posted: a sentence each. */
  more: string[];
  cure: string | undefined;
  /** Calls in the program that it is about, as far as their places are known. */
  places: { what: string; place: CallPlace }[];
  /** True if a work request failed. */
  ofRequest: boolean;
}

/** The first problem, except leaks and counters; null if there is none. */
export function firstProblem({ groups }: ProblemList): FirstProblem | null {
  const [group] = groups;
  const lead = group && !isLeft(group) ? leadOf(group) : null;
  if (!group || !lead) return null;
  const id = problemId(lead);
  const { failed, refused } = group;
  if (!failed && !refused) {
    const place = lead.kind === 'finding' ? (lead.place ?? null) : null;
    return {
      ...{ id, text: eventText(lead), more: [], cure: cureOf(lead), ofRequest: false },
      places: place === null ? [] : [{ what: 'The call was made by', place }],
    };
  }
  return {
    id,
    text: `${incidentTitle(group)}.`,
    more: [
      ...(refused ? [findingText(refused)] : failed ? [`${failed.detail}.`] : []),
      ...(failed?.where ? [`The request was posted by ${failed.where}.`] : []),
    ],
    // The side that refused knows the fix.
    cure: refused?.cure ?? failed?.cure,
    places: [
      ...(failed?.place ? [{ what: 'The request was posted by', place: failed.place }] : []),
      ...(refused?.place && refused.object.startsWith('MR ')
        ? [{ what: `${refused.object} was registered by`, place: refused.place }]
        : []),
    ],
    ofRequest: true,
  };
}

/** The cure of a problem, if its text does not include it. */
export function cureOf(e: ProblemEvent): string | undefined {
  if (e.kind === 'finding') return e.cure;
  return e.kind === 'completion' ? lookupWcStatus(e.wc.status).cure : undefined;
}
