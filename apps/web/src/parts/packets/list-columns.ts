import { qpnText } from '@verbslab/protocol';
import { opcodeInfo, opcodeName, operationName, type PacketMark, type PacketRow } from '@verbslab/roce';
import type { PacketRows } from '../../model/packet-rows';
import { KIND_INK } from './kind-style';
import type { ListSettings } from './list-settings';

/** Width in rem from which a packet has one line, and from which it has its addresses too. */
export const ONE_LINE = 34;

/** Columns of a packet in two lines, in one, and with the addresses. The class names have the widths in rem. */
export const GRID =
  'grid grid-cols-[3.25rem_5.75rem_3.75rem_1fr_3.25rem] gap-x-2.5 px-3 ' +
  '@min-[34rem]:grid-cols-[3.5rem_5.75rem_3.75rem_9.5rem_4.75rem_3.25rem_1fr] ' +
  '@min-[52rem]:grid-cols-[3.75rem_5.75rem_var(--address)_var(--address)_3.75rem_9.5rem_4.75rem_3.25rem_1fr]';
/** Columns with the phase of the run as the last one. */
export const PHASED =
  '@min-[34rem]:grid-cols-[3.5rem_5.75rem_3.75rem_9.5rem_4.75rem_3.25rem_minmax(0,3fr)_minmax(0,2fr)] ' +
  '@min-[52rem]:grid-cols-[3.75rem_5.75rem_var(--address)_var(--address)_3.75rem_9.5rem_4.75rem_3.25rem_minmax(0,3fr)_minmax(0,2fr)]';
/** Cells that are there from one line on, and with the addresses. */
export const WIDE = 'hidden @min-[34rem]:block';
export const WIDEST = 'hidden @min-[52rem]:block';
/** Cells of the second line of a packet, if it has two. */
export const SECOND_LEFT = '@max-[34rem]:col-span-2 @max-[34rem]:row-start-2';
export const SECOND_RIGHT = '@max-[34rem]:col-span-3 @max-[34rem]:row-start-2';

/** Width for the addresses of the first rows, so that the Info column gets the rest. */
export function addressWidth(rows: PacketRows): string {
  let longest = 0;
  for (let i = 0; i < Math.min(rows.length, 100); i++) {
    const row = rows.at(i);
    if (row) longest = Math.max(longest, row.src.length, row.dst.length);
  }
  return `${Math.min(9, Math.max(4.5, longest * 0.47))}rem`;
}

/** `WRITE First`, `ACK`, `UD SEND Only`, `ConnectRequest`; the protocol of a packet that is not RoCE. */
export function operationText(row: Pick<PacketRow, 'cm' | 'kind' | 'opcode' | 'protocol'>): string {
  if (row.cm !== undefined) return row.cm;
  if (row.opcode === undefined) return row.protocol;
  if (row.kind === 'nak') return 'NAK';
  if (row.kind === 'rnr') return 'RNR NAK';
  const transport = opcodeInfo(row.opcode)?.transport ?? 'RC';
  const name = operationName(row.opcode);
  return transport === 'RC' || transport === 'CNP' ? name : `${transport} ${name}`;
}

/** Info of a packet without what other columns show. */
export function detailText({ opcode, destQp, psn, info }: PacketRow): string {
  if (opcode === undefined || destQp === undefined || psn === undefined) return info;
  const shown = `${opcodeName(opcode)} QP=${qpnText(destQp)} PSN=${psn}`;
  return info.startsWith(shown) ? info.slice(shown.length).trimStart() : info;
}

/** `+45`, `-3`, or the number in the packet where that is wanted or the first request is unknown. */
export function psnText(
  { psn }: Pick<PacketRow, 'psn'>,
  relative: number | null,
  how: ListSettings['psn'],
): string {
  if (psn === undefined) return '';
  if (how === 'raw' || relative === null) return String(psn);
  return relative < 0 ? String(relative) : `+${relative}`;
}

/** Text colors of a packet: of all its cells, and of those that say what it is. */
export interface RowInk {
  row: string;
  operation: string;
}

/** Colors by meaning. The words beside them say the same. */
export function inkOf(kind: PacketRow['kind'], marks: readonly PacketMark[]): RowInk {
  const all = (ink: string): RowInk => ({ row: ink, operation: ink });
  if (marks.includes('copy')) return all('text-ink-3');
  if (marks.includes('icrc-bad') || kind === 'malformed') return all(KIND_INK.malformed);
  if (kind === 'nak' || kind === 'rnr') return all(KIND_INK[kind]);
  const again = marks.includes('retransmission');
  return { row: '', operation: again ? 'text-retx-ink' : KIND_INK[kind] };
}
