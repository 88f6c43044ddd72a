/** The request as an edit of the lab “header explorer”, which sends it, and the answers that its runs recorded. Pure functions. */
import { noResults, type RunRecord } from '@verbslab/protocol';
import type { Recorded, Request } from './model';

/** The packet that the lab edits: where it points, how much it moves, and the most that it carries (its path MTU). */
const TARGET = 1024;
const LENGTH = 64;
const MOST_WRITTEN = 1024;
const OTHER_KEY = 'reth.rkey=^0x100';
const PACKETS = { WRITE: 'write', READ: 'read' } as const;

export interface Sent {
  packet: 'write' | 'read';
  edit: string;
}

/** Parameters that make the lab send the request, or the reason why it cannot. */
export function asEdit({ op, from, length, key, region, qp }: Request): Sent | string {
  if (!region || !qp) return 'The lab registers its region, and opens its QP, with all rights.';
  if (op === 'WRITE' && (length % 4 !== 0 || length > MOST_WRITTEN))
    return 'The lab sends a WRITE as one packet: up to 1,024 B, in steps of 4.';
  const further = from - TARGET;
  const edits = [
    ...(further === 0 ? [] : [`reth.va=${further > 0 ? '+' : ''}${further}`]),
    ...(length === LENGTH ? [] : [`reth.dmaLength=${length}`]),
    ...(length === LENGTH || op === 'READ' ? [] : [`payload.length=${length}`]),
    ...(key ? [] : [OTHER_KEY]),
  ];
  return { packet: PACKETS[op], edit: edits.join('; ') };
}

/** The request that an edit makes; null for an edit of anything else. */
export function requestOf(packet: unknown, edit: string): Request | null {
  if (packet !== 'write' && packet !== 'read') return null;
  const op = packet === 'write' ? 'WRITE' : 'READ';
  const request: Request = { op, from: TARGET, length: LENGTH, key: true, region: true, qp: true };
  let payload = LENGTH;
  for (const part of edit.split(';').map((one) => one.trim())) {
    const [, name, value] = /^([\w.]+)=([+-]?\d+)$/.exec(part) ?? [];
    if (part === OTHER_KEY) request.key = false;
    else if (name === 'reth.va' && /^[+-]/.test(value!)) request.from += Number(value);
    else if (name === 'reth.dmaLength' && /^\d/.test(value!)) request.length = Number(value);
    else if (name === 'payload.length' && op === 'WRITE') payload = Number(value);
    else if (part !== '' && part !== 'none') return null;
  }
  return op === 'WRITE' && payload !== request.length ? null : request;
}

/** An answer in the words of the lab: its NAK, null for none; undefined if the device did not answer the request itself. */
function nakOf(answer: string): number | null | undefined {
  const nak = /^0x([0-9a-f]+) NAK/.exec(answer)?.[1];
  if (nak !== undefined) return parseInt(nak, 16);
  return answer === 'ACK' || answer.startsWith('READ') || answer.startsWith('RDMA READ') ? null : undefined;
}

/** Requests at the bounds among those that a run sent: edits of the lab, and that of the reader. */
export function recordedBy({ parameters, result }: RunRecord): Recorded[] {
  const { tables } = result?.results ?? noResults();
  const own = (what: string): string =>
    String(tables['own-outcome']?.find((row) => row.what === what)?.found ?? '');
  const sent = [
    ...(tables.edits ?? []).map(({ edit, answer, status }) => ({
      request: requestOf('write', String(edit)),
      answer: String(answer),
      status: String(status),
    })),
    {
      request: requestOf(parameters.packet, typeof parameters.edit === 'string' ? parameters.edit : ''),
      answer: own('What came back?'),
      status: own('Which completion does the client have?'),
    },
  ];
  return sent.flatMap(({ request, answer, status }) => {
    const nak = nakOf(answer);
    if (!request || nak === undefined) return [];
    // The client asked for a READ of 64 B: it does not take a response of another length.
    const meant = nak !== null || request.op === 'WRITE' || request.length === LENGTH;
    const name = / (\w+)$/.exec(status)?.[1] ?? null;
    return [{ ...request, nak, status: meant ? name : null, event: null, client: null, server: null }];
  });
}
