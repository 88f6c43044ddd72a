'use client';
import type { PacketMark } from '@verbslab/roce';
import { bytes, count, text, time } from '../format/number';
import type { Opened } from './opened';

interface Fact {
  name: string;
  value: string;
  /** Packets with one of these are what it counts: a press goes to the next of them. */
  marks?: readonly PacketMark[];
}

function factsOf({ file }: Opened): Fact[] {
  const s = file.summary;
  const naks = Object.values(s.naks).reduce((a, b) => a + b, 0);
  return [
    { name: 'packets', value: count(s.packets) },
    ...(s.copies > 0 ? [{ name: 'seen twice', value: count(s.copies) }] : []),
    { name: 'RoCE', value: count(s.rocePackets) },
    { name: s.connections.length === 1 ? 'connection' : 'connections', value: count(s.connections.length) },
    { name: 'payload', value: text(bytes(s.payloadBytes)) },
    { name: 'over', value: text(time(s.durationNs)) },
    { name: 'retransmitted', value: count(s.retransmissions), marks: ['retransmission'] },
    { name: 'NAK', value: count(naks), marks: ['nak', 'rnr'] },
    { name: 'malformed', value: count(s.malformed), marks: ['malformed'] },
    { name: 'ICRC wrong', value: count(s.icrc.bad), marks: ['icrc-bad'] },
    ...(s.icrc.unchecked > 0 ? [{ name: 'ICRC not checked', value: count(s.icrc.unchecked) }] : []),
  ];
}

/** The next packet after `from` that carries one of the marks, from the beginning again after the last; null if none does. */
export function nextMarked(
  marks: ReadonlyMap<number, readonly PacketMark[]>,
  wanted: readonly PacketMark[],
  from: number,
): number | null {
  let first: number | null = null;
  let next: number | null = null;
  for (const [index, has] of marks) {
    if (!has.some((mark) => wanted.includes(mark))) continue;
    if (first === null || index < first) first = index;
    if (index > from && (next === null || index < next)) next = index;
  }
  return next ?? first;
}

/** What a capture holds, in figures. Those that count something exceptional lead to it, one by one. */
export function CaptureFacts(props: {
  opened: Opened;
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const { opened, selected, onSelect } = props;
  const { marks } = opened.file.analysis;
  return (
    <dl className="my-2 flex flex-wrap items-center gap-x-5 gap-y-0.5 text-13">
      {factsOf(opened).map(({ name, value, marks: wanted }) => {
        const next = wanted ? nextMarked(marks, wanted, selected ?? -1) : null;
        return (
          <div key={name} className="flex items-center gap-1.5">
            <dd className="num order-first">{value}</dd>
            {next === null ? (
              <dt className="text-ink-3">{name}</dt>
            ) : (
              <dt>
                <button
                  type="button"
                  aria-label={`${name}: go to the next`}
                  className="min-h-8 text-accent underline underline-offset-4"
                  onClick={() => onSelect(next)}
                >
                  {name}
                </button>
              </dt>
            )}
          </div>
        );
      })}
    </dl>
  );
}
