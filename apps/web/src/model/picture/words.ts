/** Words of captions and labels. */
import { plural } from '@verbslab/labs';
import { count, text, time } from '../../format/number';
import type { PacketEvent, PostedEvent, RecordedRegion } from './recording';

export const bytesText = (n: number): string => `${count(n)} B`;
export const timeText = (ns: number): string => text(time(ns));
export const psnText = (psn: number): string => `${psn < 0 ? '−' : '+'}${Math.abs(psn)}`;
export const offsetText = (offset: number): string => `${offset < 0 ? '−' : '+'}${count(Math.abs(offset))}`;

/** `First, Middle and Last`. */
export function listText(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)!}`;
}

const VERBS: Readonly<Record<string, string>> = {
  ...{ RDMA_WRITE: 'WRITE', RDMA_WRITE_WITH_IMM: 'WRITE with immediate', RDMA_READ: 'READ' },
  ...{ SEND_WITH_IMM: 'SEND with immediate', SEND_WITH_INV: 'SEND with invalidate' },
  ...{ ATOMIC_FETCH_AND_ADD: 'Fetch and Add', ATOMIC_CMP_AND_SWP: 'Compare and Swap', BIND_MW: 'bind' },
};
export const verbOf = ({ opcode }: Pick<PostedEvent, 'opcode'>): string => VERBS[opcode] ?? opcode;

/** Sizes of packets: `4,096 + 4,096 + 1,808 B`, or their number and sum. */
export function sizesText(packets: readonly PacketEvent[]): string | null {
  const sizes = packets.map(({ bytes }) => bytes).filter((one) => one > 0);
  if (sizes.length === 0) return null;
  if (sizes.length <= 4) return `${sizes.map(count).join(' + ')} B`;
  return `${plural(sizes.length, 'packet')}, ${bytesText(sizes.reduce((sum, one) => sum + one, 0))}`;
}

const RIGHTS: Readonly<Record<string, string>> = {
  ...{ REMOTE_WRITE: 'remote WRITE', REMOTE_READ: 'remote READ', REMOTE_ATOMIC: 'remote atomics' },
  ...{ MW_BIND: 'bind' },
};

/** Access rights of a region in words. The right to write locally is only named where it is the only one. */
export function rightsText({ access }: RecordedRegion): string {
  const remote = access
    .flatMap((one) => RIGHTS[one] ?? [])
    .map((one, i) => (i ? one.replace(/^remote /, '') : one));
  return remote.length > 0 ? remote.join(', ') : access.includes('LOCAL_WRITE') ? 'local WRITE' : '';
}

/** `One WRITE of 10,000 B`. */
export function titleOf(works: readonly { opcode: string; bytes: number }[]): string {
  const [{ opcode, bytes }] = works as [{ opcode: string; bytes: number }];
  const name = verbOf({ opcode });
  const size = works.every((one) => one.bytes === bytes) ? ` of ${count(bytes)} B` : '';
  if (works.length === 1) return `One ${name}${size}`;
  return works.every((one) => one.opcode === opcode)
    ? `${works.length} ${name}s${size}`
    : `${works.length} requests`;
}
