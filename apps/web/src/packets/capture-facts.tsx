'use client';
import { noun } from '@verbslab/labs';
import type { PacketMark } from '@verbslab/roce';
import { bytes, count, text, time } from '../format/number';
import { cn } from '../ui/cn';
import { Explained } from '../ui/explained';
import type { Opened } from './opened';

interface Fact {
  name: string;
  value: string;
  /** The name stands first: `over 159 ms`. */
  before?: boolean;
  /** What exactly is counted. */
  meaning?: string;
  /** Packets with one of these are what it counts: a press goes to the next of them. */
  marks?: readonly PacketMark[];
}

export function factsOf({ file }: Opened): Fact[] {
  const s = file.summary;
  const naks = Object.values(s.naks).reduce((a, b) => a + b, 0);
  const missing = s.connections.reduce((n, c) => n + c.missing[0] + c.missing[1], 0);
  return [
    { name: noun(s.packets, 'packet'), value: count(s.packets) },
    ...(s.copies > 0
      ? [
          {
            name: 'of them arrivals',
            value: count(s.copies),
            meaning:
              'Both ends were captured, so the file holds these packets twice: as they were sent and as they arrived. The other figures count each of them once.',
          },
        ]
      : []),
    { name: 'RoCE', value: count(s.rocePackets) },
    { name: noun(s.connections.length, 'connection'), value: count(s.connections.length) },
    { name: 'over', before: true, value: text(time(s.durationNs)) },
    {
      name: 'payload',
      value: text(bytes(s.payloadBytes)),
      meaning: 'Of all packets, retransmitted ones included.',
    },
    {
      name: 'in messages',
      value: text(bytes(s.messageBytes)),
      meaning:
        'Total length of the messages that begin in this capture, each counted once. It is less than the payload if packets were retransmitted, and more if some are missing.',
    },
    {
      name: 'missing',
      value: count(missing),
      marks: ['gap'],
      meaning:
        'Packets that were not yet captured when a later one in the same direction was: they were lost on the way here, overtaken, or left out of the capture, as in a sample.',
    },
    {
      name: 'retransmitted',
      value: count(s.retransmissions),
      marks: ['retransmission'],
      meaning: `Packets with a PSN before one already sent. For ${count(s.duplicates)} of them this capture holds an earlier copy; for the others it does not.`,
    },
    { name: noun(s.kinds.ack ?? 0, 'ACK'), value: count(s.kinds.ack ?? 0) },
    { name: noun(naks + s.rnrNaks, 'NAK'), value: count(naks + s.rnrNaks), marks: ['nak', 'rnr'] },
    { name: 'malformed', value: count(s.malformed), marks: ['malformed'] },
    { name: noun(s.icrc.bad, 'wrong ICRC'), value: count(s.icrc.bad), marks: ['icrc-bad'] },
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
      {factsOf(opened).map(({ name, value, before, meaning, marks: wanted }) => {
        const next = wanted ? nextMarked(marks, wanted, selected ?? -1) : null;
        return (
          <div key={name} className="flex items-center gap-1.5">
            <dd className={cn('num', !before && 'order-first')}>{value}</dd>
            {next === null ? (
              <dt className={cn('text-ink-3', before && 'order-first')}>
                {meaning ? <Explained meaning={meaning}>{name}</Explained> : name}
              </dt>
            ) : (
              <dt>
                <button
                  type="button"
                  aria-label={`${name}: go to the next`}
                  title={meaning}
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
