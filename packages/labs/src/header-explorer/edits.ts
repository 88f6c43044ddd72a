/** The edits that every run sends, each with the outcome that the rules of the transport demand. */
import { RC } from '@verbslab/roce';
import { RC_NAK } from '../failures/syndromes.js';
import { REM_ACCESS_ERR, REM_INV_REQ_ERR } from '../endpoints/wc-statuses.js';
import { LENGTH, TARGET } from './exchange.js';
import { sameSpan, type Observed, type Span, type Verdict } from './verdict.js';

export interface Expected {
  verdict: Verdict;
  counter?: string;
  /** AETH syndrome of the NAK; `rnr`: an RNR NAK of any timer. */
  nak?: number | 'rnr';
  /** Set if nothing comes back although the packet is executed. */
  unanswered?: true;
  memory: Span | null;
  status: number | null;
}

/** True if the answer is the one that the outcome demands: silence, the NAK, an ACK, or any answer. */
function answered({ verdict, nak, unanswered }: Expected, answer: Observed['answer']): boolean {
  if (verdict === 'dropped' || unanswered) return answer === null;
  const syndrome = answer?.syndrome ?? -1;
  if (nak !== undefined) return nak === 'rnr' ? syndrome >> 5 === 1 : syndrome === nak;
  return verdict === 'duplicate' ? answer?.opcode === RC.acknowledge : answer !== null;
}

export const fits = (expected: Expected, { verdict, counter, answer, memory, status }: Observed): boolean =>
  verdict === expected.verdict &&
  (expected.counter === undefined || counter === expected.counter) &&
  answered(expected, answer) &&
  sameSpan(memory, expected.memory) &&
  status === expected.status;

export interface FixedEdit {
  /** Edit in the format of the parameter; empty: the packet as it is. */
  edit: string;
  what: string;
  expected: Expected;
}

const WHOLE: Span = { from: TARGET, length: LENGTH };

const executed = (memory: Span | null = WHOLE): Expected => ({ verdict: 'executed', memory, status: 0 });
const dropped = (counter: string): Expected => ({ verdict: 'dropped', counter, memory: null, status: null });
const refused = (nak: number | 'rnr', status: number | null): Expected => ({
  verdict: 'nak',
  nak,
  memory: null,
  status,
});
const invalid = refused(RC_NAK.invalidRequest, REM_INV_REQ_ERR);
const noAccess = refused(RC_NAK.remoteAccess, REM_ACCESS_ERR);

export const FIXED: readonly FixedEdit[] = [
  { edit: '', what: 'The packet as it is', expected: executed() },
  {
    edit: 'bth.psn=+1',
    what: 'PSN one ahead: a packet is missing',
    expected: refused(RC_NAK.sequence, null),
  },
  {
    edit: 'bth.psn=-1',
    what: 'PSN of the WRITE before',
    expected: { verdict: 'duplicate', counter: 'duplicate_request', memory: null, status: null },
  },
  {
    edit: 'bth.opcode=0x04',
    what: 'SEND Only: RETH becomes data, and no RECV is posted',
    expected: refused('rnr', null),
  },
  { edit: 'bth.opcode=0x06', what: 'WRITE First, but not a full path MTU', expected: invalid },
  { edit: 'bth.opcode=0x08', what: 'WRITE Last without a First', expected: invalid },
  { edit: 'bth.opcode=0x0c', what: 'READ request with payload', expected: dropped('malformed_pkts') },
  { edit: 'bth.opcode=0x2a', what: 'The same WRITE, but of UC', expected: dropped('wrong_transport_pkts') },
  { edit: 'bth.opcode=0x1f', what: 'No operation of this number', expected: dropped('unsupported_pkts') },
  { edit: 'bth.destQp=^1', what: 'A QP that does not exist', expected: dropped('unknown_qp_pkts') },
  { edit: 'bth.pkey=1', what: 'Another partition', expected: dropped('wrong_pkey_pkts') },
  { edit: 'bth.pkey=0x7fff', what: 'The same partition, as limited member', expected: executed() },
  { edit: 'bth.version=1', what: 'A later header version', expected: dropped('malformed_pkts') },
  { edit: 'bth.padCount=3', what: '61 B of payload, but 64 B announced', expected: invalid },
  { edit: 'bth.solicited=1', what: 'Solicited event', expected: executed() },
  { edit: 'bth.migReq=^1', what: 'MigReq', expected: executed() },
  { edit: 'bth.fecn=1', what: 'FECN: outside the ICRC', expected: executed() },
  { edit: 'bth.becn=1', what: 'BECN: outside the ICRC', expected: executed() },
  { edit: 'bth.reserved7=1', what: 'A reserved bit', expected: executed() },
  {
    edit: 'bth.ackReq=0',
    what: 'No ACK wanted',
    expected: { ...executed(), unanswered: true, status: null },
  },
  { edit: 'reth.rkey=^0x100', what: 'A key of no region', expected: noAccess },
  {
    edit: 'reth.va=+64',
    what: 'An address 64 B further',
    expected: executed({ ...WHOLE, from: TARGET + 64 }),
  },
  { edit: 'reth.va=+3040', what: 'An address whose last bytes are outside the region', expected: noAccess },
  { edit: 'reth.dmaLength=-1', what: 'One byte less announced than sent', expected: invalid },
  { edit: 'reth.dmaLength=+64', what: 'Twice as much announced as sent', expected: invalid },
  { edit: 'payload.length=60', what: '4 B cut off', expected: invalid },
  { edit: 'payload.length=61', what: '3 B cut off: no multiple of 4', expected: dropped('malformed_pkts') },
  { edit: 'payload.first=0xff', what: 'Other data, with an ICRC that fits', expected: executed() },
  { edit: 'icrc.value=^1', what: 'One bit of the ICRC', expected: dropped('icrc_errors') },
];
