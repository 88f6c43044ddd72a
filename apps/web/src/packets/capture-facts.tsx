'use client';
import { noun } from '@verbslab/labs';
import { bitsOf, type Diagnosis, type PacketMark } from '@verbslab/roce';
import { useMemo } from 'react';
import { bytes, count, text, time } from '../format/number';
import { cn } from '../ui/cn';
import { useTold } from '../ui/use-told';
import { Explained } from '../ui/explained';
import type { Opened } from './opened';

interface Fact {
  name: string;
  value: string;
  /** True if the name comes first: `over 159 ms`. */
  before?: boolean;
  /** Definition of the count. */
  meaning?: string;
  /** Marks of the counted packets: a click goes to the next packet with one of them. */
  marks?: readonly PacketMark[];
}

export function factsOf({ counts: c, connections }: Diagnosis): Fact[] {
  const naks = c.naks + c.rnrNaks;
  return [
    { name: noun(c.packets, 'packet'), value: count(c.packets) },
    ...(c.copies > 0
      ? [
          {
            name: 'of them arrivals',
            value: count(c.copies),
            meaning:
              'Both ends were captured, so the file holds these packets twice: as they were sent and as they arrived. The other figures count each of them once.',
          },
        ]
      : []),
    { name: 'RoCE', value: count(c.rocePackets) },
    { name: noun(connections.length, 'connection'), value: count(connections.length) },
    { name: 'over', before: true, value: text(time(c.durationNs)) },
    {
      name: 'payload',
      value: text(bytes(c.payloadBytes)),
      meaning: 'Of all packets, retransmitted ones included.',
    },
    {
      name: 'in messages',
      value: text(bytes(c.messageBytes)),
      meaning:
        'Total length of the messages that begin in this capture, each counted once. It is less than the payload if packets were retransmitted, and more if some are missing.',
    },
    {
      name: 'missing',
      value: count(c.missing),
      marks: ['gap'],
      meaning:
        'Packets that were not yet captured when a later one in the same direction was: they were lost on the way here, overtaken, or left out of the capture, as in a sample.',
    },
    {
      name: 'retransmitted',
      value: count(c.retransmissions),
      marks: ['retransmission'],
      meaning: `Packets with a PSN before one already sent. For ${count(c.duplicates)} of them this capture holds an earlier copy; for the others it does not.`,
    },
    { name: noun(c.acks, 'ACK'), value: count(c.acks) },
    { name: noun(naks, 'NAK'), value: count(naks), marks: ['nak', 'rnr'] },
    { name: 'malformed', value: count(c.malformed), marks: ['malformed'] },
    { name: noun(c.icrcBad, 'wrong ICRC'), value: count(c.icrcBad), marks: ['icrc-bad'] },
    ...(c.icrcUnchecked > 0 ? [{ name: 'ICRC not checked', value: count(c.icrcUnchecked) }] : []),
  ];
}

/** The next packet after `from` with one of the marks, starting over after the last packet; null if there is none. */
export function nextMarked(marks: Uint16Array, wanted: readonly PacketMark[], from: number): number | null {
  const bits = bitsOf(wanted);
  const has = (mark: number) => (mark & bits) !== 0;
  const next = marks.subarray(from + 1).findIndex(has);
  if (next >= 0) return from + 1 + next;
  const first = marks.findIndex(has);
  return first < 0 ? null : first;
}

/** Figures of a capture. Counts of exceptional packets are links to them, one after the other. */
export function CaptureFacts(props: {
  opened: Opened;
  selected: number | null;
  onSelect: (index: number) => void;
}) {
  const { opened, selected, onSelect } = props;
  const { columns, diagnosis } = opened.capture;
  const facts = useMemo(() => factsOf(diagnosis), [diagnosis]);
  return (
    <dl className="my-2 flex flex-wrap items-center gap-x-5 gap-y-0.5 text-13">
      {facts.map(({ name, value, before, meaning, marks: wanted }) => (
        <div key={name} className="flex items-center gap-1.5">
          <dd className={cn('num', !before && 'order-first')}>{value}</dd>
          {wanted && value !== '0' ? (
            <dt>
              <NextOf
                name={name}
                meaning={meaning}
                onClick={() => {
                  const next = nextMarked(columns.marks, wanted, selected ?? -1);
                  if (next !== null) onSelect(next);
                }}
              />
            </dt>
          ) : (
            <dt className={cn('text-ink-3', before && 'order-first')}>
              {meaning ? <Explained meaning={meaning}>{name}</Explained> : name}
            </dt>
          )}
        </div>
      ))}
    </dl>
  );
}

/** Button that goes to the next packet of a kind. */
function NextOf(props: { name: string; meaning: string | undefined; onClick: () => void }) {
  const { name, meaning, onClick } = props;
  const told = useTold(meaning);
  return (
    <>
      <button
        type="button"
        {...told.props}
        aria-label={`${name}: go to the next`}
        className="min-h-8 text-accent underline underline-offset-4 pointer-coarse:min-h-11"
        onClick={onClick}
      >
        {name}
      </button>
      {told.tip}
    </>
  );
}
