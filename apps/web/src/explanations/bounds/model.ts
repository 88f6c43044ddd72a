/**
 * Answer of a device to a WRITE or READ at the bounds of a region, by the checks of the responder in their order
 * (native/uroce/transport: Executor::on_write, Responder::on_read, MrTable::check; IBA 9.7.4.1). Pure functions.
 */
import type { Row } from '@verbslab/protocol';

/** Bytes of the region: that of the header explorer, which sends the same request. */
export const REGION = 4096;
/** The ruler shows so many bytes before and behind the region. */
export const AROUND = 1024;

export interface Request {
  op: 'WRITE' | 'READ';
  /** First byte, from the start of the region. */
  from: number;
  length: number;
  /** The rkey is that of the region. */
  key: boolean;
  /** The region has the right that the operation needs. */
  region: boolean;
  /** The QP of the server has it. */
  qp: boolean;
}

export type CheckId = 'qp' | 'length' | 'key' | 'region' | 'start' | 'end';

export interface Answer {
  /** Check that refused the request; null if it was executed. */
  refusedBy: CheckId | null;
  /** Completion of the client, without IBV_WC_. */
  status: string;
  /** AETH syndrome; null for an ACK or a READ response. */
  nak: number | null;
  /** Asynchronous event at the server; empty for none. */
  event: string;
  client: 'RTS' | 'ERR';
  server: 'RTS' | 'ERR';
}

const DONE: Answer = {
  ...{ refusedBy: null, status: 'SUCCESS', nak: null, event: '', client: 'RTS', server: 'RTS' },
};

/** A check in the order of the device. `passed`: null if it is not made, because an earlier one decided. */
export interface Check {
  id: CheckId;
  text: string;
  passed: boolean | null;
}

/** The checks of a request, up to the one that decides. */
export function checksOf({ op, from, length, key, region, qp }: Request): Check[] {
  const right = `REMOTE_${op}`;
  const end = from + length;
  const all: { id: CheckId; text: string; ok: boolean; decides?: boolean }[] = [
    { id: 'qp', text: `The QP has ${right}`, ok: qp },
    {
      id: 'length',
      text: length === 0 ? 'No bytes: key and range are not checked' : 'It moves bytes: key and range count',
      ok: true,
      decides: length === 0,
    },
    { id: 'key', text: 'The rkey is that of a region of this PD', ok: key },
    { id: 'region', text: `The region has ${right}`, ok: region },
    { id: 'start', text: `It begins at or behind byte 0`, ok: from >= 0 },
    { id: 'end', text: `It ends at or before byte ${REGION.toLocaleString('en-GB')}`, ok: end <= REGION },
  ];
  let decided = false;
  return all.map(({ id, text, ok, decides = false }) => {
    const passed = decided ? null : ok;
    decided ||= !ok || decides;
    return { id, text, passed };
  });
}

export function answerOf(request: Request): Answer {
  const refusedBy = checksOf(request).find(({ passed }) => passed === false)?.id ?? null;
  if (refusedBy === null) return DONE;
  const both = { client: 'ERR', server: 'ERR' } as const;
  return refusedBy === 'qp'
    ? { refusedBy, status: 'REM_INV_REQ_ERR', nak: 0x61, event: 'QP_REQ_ERR', ...both }
    : { refusedBy, status: 'REM_ACCESS_ERR', nak: 0x62, event: 'QP_ACCESS_ERR', ...both };
}

const WHY: Readonly<Record<CheckId, (request: Request) => string>> = {
  qp: ({ op }) => `Refused: the QP of the server lacks REMOTE_${op}. It is checked before any memory.`,
  length: () => '',
  key: () => 'Refused: no region has this rkey.',
  region: ({ op }) => `Refused: the region lacks REMOTE_${op}.`,
  start: ({ from }) => `Refused: it begins ${-from} B before the region.`,
  end: ({ from, length }) => `Refused: it ends ${from + length - REGION} B behind the region.`,
};

/** The answer as a sentence. */
export function sentenceOf(request: Request): string {
  const { op, from, length } = request;
  const { refusedBy } = answerOf(request);
  if (refusedBy !== null)
    return `${WHY[refusedBy](request)} ${op === 'WRITE' ? 'Not one byte is written.' : 'Not one byte is read.'}`;
  if (length === 0) return 'Executed: a request of no bytes needs neither key nor range.';
  return from + length === REGION
    ? 'Executed: it ends exactly at the end of the region.'
    : 'Executed: every byte is in the region.';
}

/** What a run recorded of requests, each with its answer. */
export interface Recorded extends Request {
  status: string | null;
  nak: number | null;
  event: string | null;
  client: string | null;
  server: string | null;
}

export const sameRequest = (a: Request, b: Request): boolean =>
  a.op === b.op &&
  a.from === b.from &&
  a.length === b.length &&
  a.key === b.key &&
  a.region === b.region &&
  a.qp === b.qp;

/** Rows of the sample as recorded requests. */
export const recordedOf = (rows: readonly Row[]): Recorded[] => rows as unknown as Recorded[];
