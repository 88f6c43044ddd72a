import { NAK_NAMES } from '../headers/aeth.js';
import { opcodeName } from '../base/opcodes.js';
import type { Analysis, CaptureSummary } from './types.js';

/** Counts the contents of a capture. */
export function summarizeCapture(analysis: Analysis): CaptureSummary {
  const { rows, connections } = analysis;
  const summary: CaptureSummary = {
    packets: rows.length,
    copies: 0,
    rocePackets: 0,
    wireBytes: 0,
    roceWireBytes: 0,
    payloadBytes: 0,
    messageBytes: 0,
    startNs: null,
    durationNs: 0,
    protocols: {},
    opcodes: {},
    kinds: {},
    malformed: 0,
    icrc: { ok: 0, okOtherId: 0, bad: 0, unchecked: 0 },
    retransmissions: 0,
    duplicates: 0,
    gaps: 0,
    naks: { sequence: 0, invalidRequest: 0, remoteAccess: 0, remoteOperational: 0, other: 0 },
    rnrNaks: 0,
    cnps: 0,
    ecnMarked: 0,
    connections,
  };
  let start: bigint | undefined;
  let end = 0n;
  for (const row of rows) {
    if (start === undefined || row.timeNs < start) start = row.timeNs;
    if (row.timeNs > end) end = row.timeNs;
    summary.wireBytes += row.originalLength;
    count(summary.protocols, row.protocol);
    if (row.kind === 'malformed') summary.malformed++;
    if (row.ecn === 3) summary.ecnMarked++;
    if (row.icrc === 'ok') summary.icrc.ok++;
    else if (row.icrc === 'ok-other-id') summary.icrc.okOtherId++;
    else if (row.icrc === 'bad') summary.icrc.bad++;
    else if (row.icrc === 'unchecked') summary.icrc.unchecked++;
    if (analysis.marks.get(row.index)?.includes('copy')) {
      summary.copies++;
      continue;
    }
    count(summary.kinds, row.kind);
    if (row.opcode === undefined) continue;
    summary.rocePackets++;
    summary.roceWireBytes += row.originalLength;
    summary.payloadBytes += row.payloadLength;
    count(summary.opcodes, opcodeName(row.opcode));
    if (row.kind === 'cnp') summary.cnps++;
    else if (row.kind === 'rnr') summary.rnrNaks++;
    else if (row.kind === 'nak') summary.naks[nakKey(row.syndrome!)]++;
  }
  for (const c of connections) {
    summary.retransmissions += c.retransmissions;
    summary.duplicates += c.duplicates;
    summary.gaps += c.gaps;
  }
  for (const m of analysis.messages) summary.messageBytes += m.bytes;
  if (start !== undefined) {
    summary.startNs = String(start);
    summary.durationNs = Number(end - start);
  }
  return summary;
}

function count(into: Record<string, number>, key: string): void {
  into[key] = (into[key] ?? 0) + 1;
}

const KEYS = ['sequence', 'invalidRequest', 'remoteAccess', 'remoteOperational'] as const;

function nakKey(syndrome: number): keyof CaptureSummary['naks'] {
  const code = syndrome & 0x1f;
  return code in NAK_NAMES ? (KEYS[code] ?? 'other') : 'other';
}
