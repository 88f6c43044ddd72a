'use client';
import { useRef, type PointerEvent } from 'react';
import type { RingPlace } from '../../parts/picture/geometry';
import { Ring } from '../../parts/picture/ring';
import { Handle } from '../handle';
import { sentenceOf, stepsTo, writtenOf, type Queue } from './model';

const SIZE = 300;
const MIDDLE = SIZE / 2;
const RADIUS = 112;
/** The name of the queue stands above the figure; there are no lines to a library or device. */
const OUTSIDE = { x: MIDDLE, y: -20, w: 40, anchor: 'middle' } as const;
const PLACE: RingPlace = {
  ...{ x: MIDDLE, y: MIDDLE, r: RADIUS, box: { x: 0, y: 0, w: SIZE, h: SIZE } },
  ...{ label: OUTSIDE, note: { ...OUTSIDE, lines: 1 }, library: [], device: [] },
};

interface QueueRingProps {
  queue: Queue;
  onPost: (count: number) => void;
  onPoll: (count: number) => void;
}

/** The queue as a ring. Both pointers are sliders: the device's outside, that of the program's polls inside. */
export function QueueRing({ queue, onPost, onPoll }: QueueRingProps) {
  const { entries, queued, polled, posted } = queue;
  const written = writtenOf(queue);
  const svg = useRef<SVGSVGElement>(null);
  const slots = Array.from({ length: entries }, (_, slot) => {
    const place = (((slot - polled) % entries) + entries) % entries;
    const cqe = queued[place];
    return cqe === undefined ? ('free' as const) : cqe === 'flushed' ? ('failed' as const) : ('cqe' as const);
  });
  const slotAt = ({ clientX, clientY }: PointerEvent): number => {
    const { left, top, width, height } = svg.current!.getBoundingClientRect();
    const turn = Math.atan2(clientX - left - width / 2, -(clientY - top - height / 2)) / (2 * Math.PI);
    return Math.floor((((turn % 1) + 1) % 1) * entries);
  };
  return (
    <div className="relative mx-auto w-[300px] flex-none select-none">
      <svg
        ref={svg}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        width={SIZE}
        height={SIZE}
        role="img"
        aria-label={`Completion queue. ${sentenceOf(queue)}`}
        className="pic"
      >
        <Ring
          place={PLACE}
          ring={{
            ...{ capacity: entries, used: queued.length, slots, note: null },
            written: { slot: written % entries, by: 'device' },
            read: { slot: polled % entries, by: 'program' },
          }}
          kind="cq"
          side="client"
          quiet={false}
          hatch="var(--sunken)"
          up={false}
        />
      </svg>
      <Pointer
        label="Poll pointer"
        text={`${polled} polled`}
        value={polled}
        most={written}
        turn={((polled % entries) + 0.5) / entries}
        radius={50}
        onStep={onPoll}
        steps={(e) => stepsTo(polled, slotAt(e), entries)}
        className="text-(--cpu-app)"
      />
      <Pointer
        label="Requests that ended"
        text={`${posted} ended, ${queue.lost} lost`}
        value={posted}
        most={posted + entries + 1}
        turn={((written % entries) + 0.5) / entries}
        radius={132}
        onStep={onPost}
        steps={(e) => stepsTo(written, slotAt(e), entries)}
        className="text-(--cpu-nic)"
      />
    </div>
  );
}

/** A round handle on a pointer of the ring. It only goes forward: a CQE is neither taken back nor put back. */
function Pointer(props: {
  label: string;
  text: string;
  value: number;
  most: number;
  /** Place as a part of the circle. */
  turn: number;
  radius: number;
  onStep: (count: number) => void;
  steps: (e: PointerEvent) => number;
  className: string;
}) {
  const { label, text, value, most, turn, radius, onStep, steps, className } = props;
  const angle = turn * 2 * Math.PI;
  return (
    <Handle
      as="div"
      {...{ label, text, value }}
      min={value}
      max={most}
      valueAt={(e) => value + steps(e)}
      onChange={(to) => {
        if (to > value) onStep(to - value);
      }}
      far={(from, up) => (up ? from + 4 : from)}
      style={{
        left: MIDDLE + radius * Math.sin(angle),
        top: MIDDLE - radius * Math.cos(angle),
      }}
      className={`absolute grid size-8 -translate-1/2 cursor-grab touch-none place-items-center rounded-full active:cursor-grabbing pointer-coarse:size-11 ${className}`}
    >
      <span aria-hidden className="size-4 rounded-full border-2 border-current bg-panel" />
    </Handle>
  );
}
