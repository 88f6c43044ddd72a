import { findingText, lookupWcStatus, type FindingRequest, type Incident } from '@verbslab/protocol';
import { bytes, hex, text } from '../../format/number';
import type { ProblemEvent, ProblemList } from './problem-list';

/** `RDMA_WRITE of 16 KiB (wr_id 19) on QP 0x1c37 failed: REM_ACCESS_ERR`. */
export function incidentTitle({ failed, refused, parts }: Incident<ProblemEvent>): string {
  const request = (failed?.request ?? refused?.request) as FindingRequest;
  const told = parts.find((p) => p.kind === 'completion');
  const status = request.status ?? (told ? lookupWcStatus(told.wc.status).name : null);
  const wrId = request.wrId === undefined ? '' : ` (wr_id ${request.wrId})`;
  const what = `${request.opcode} of ${text(bytes(request.length))}${wrId} on QP ${hex(request.qpn)}`;
  return failed ? `${what} failed${status ? `: ${status}` : ''}` : `${what} was refused`;
}

/** The element of the errors panel that shows it: the target of links. */
export const problemId = ({ seq }: ProblemEvent): string => `problem-${seq}`;

function eventText(p: ProblemEvent): string {
  switch (p.kind) {
    case 'check':
      return p.detail;
    case 'verb':
      return [p.error?.message, p.error?.cure].filter(Boolean).join(' ');
    case 'completion':
      return `A work request on QP ${hex(p.wc.qpn)} completed with ${lookupWcStatus(p.wc.status).name}.`;
    case 'async':
      return `IBV_EVENT_${p.event}${p.qpn === undefined ? '' : ` on QP ${hex(p.qpn)}`}.`;
    case 'finding':
      return findingText(p);
  }
}

/** What went wrong first, leaks aside, in a sentence or two; null when nothing did. */
export function firstProblem({ incidents, events }: ProblemList): { id: string; text: string } | null {
  const [incident] = incidents;
  const [event] = events;
  const began = incident?.parts[0];
  if (incident && began && (!event || began.t <= event.t)) {
    const where = incident.failed?.where;
    const posted = where ? ` It was posted by ${where}.` : '';
    const why = incident.refused ? ` ${findingText(incident.refused)}` : '';
    return { id: problemId(began), text: `${incidentTitle(incident)}.${posted}${why}` };
  }
  return event ? { id: problemId(event), text: eventText(event) } : null;
}
