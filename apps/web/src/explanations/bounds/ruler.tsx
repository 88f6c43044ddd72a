'use client';
import { useRef, type PointerEvent } from 'react';
import { formatCount } from '@verbslab/labs';
import { Handle } from '../handle';
import { AROUND, REGION } from './model';

const WHOLE = REGION + 2 * AROUND;
/** Pointers within so many pixels of a bound of the region take it. */
const SNAP_PX = 6;
/** A pointer moves in steps of so many bytes, keys by one. */
const STEP = 16;

const part = (byte: number): number => ((byte + AROUND) / WHOLE) * 100;
const within = (byte: number): number => Math.min(REGION + AROUND, Math.max(-AROUND, byte));

/** The region on a ruler, and the range of the request below it. Both ends of the range are sliders. */
export function Ruler(props: {
  from: number;
  length: number;
  refused: boolean;
  /** `done`: the pointer was released, or a key pressed. */
  onChange: (range: { from: number; length: number }, done: boolean) => void;
}) {
  const { from, length, refused, onChange } = props;
  const to = from + length;
  const place = useRef<HTMLDivElement>(null);
  const byteAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = place.current!.getBoundingClientRect();
    const perPixel = WHOLE / width;
    const byte = (clientX - left) * perPixel - AROUND;
    const bound = [0, REGION].find((one) => Math.abs(one - byte) < SNAP_PX * perPixel);
    return within(bound ?? Math.round(byte / STEP) * STEP);
  };
  const move = (which: 'from' | 'to', byte: number, done: boolean): void => {
    const first = which === 'from' ? Math.min(within(byte), to) : from;
    const end = which === 'to' ? Math.max(within(byte), from) : to;
    onChange({ from: first, length: end - first }, done);
  };
  const over = [
    ...(from < 0 ? [{ from, to: Math.min(0, to) }] : []),
    ...(to > REGION ? [{ from: Math.max(REGION, from), to }] : []),
  ].filter((one) => one.to > one.from);
  return (
    <div className="select-none">
      <div ref={place} className="relative h-[132px] border-x border-line">
        <p
          className="absolute top-0 truncate text-12 text-ink-2"
          style={{ left: `${part(0)}%`, width: `${part(REGION) - part(0)}%` }}
        >
          Region of {formatCount(REGION)} B
        </p>
        <div className="absolute inset-x-0 top-6 h-9 border-y border-line bg-sunken" />
        <div
          className="absolute top-6 h-9 border-2 border-line-strong bg-panel"
          style={{ left: `${part(0)}%`, width: `${part(REGION) - part(0)}%` }}
        />
        <div
          className={`absolute top-7 h-7 opacity-80 ${refused ? 'bg-(--line-strong)' : 'bg-(--rdma)'}`}
          style={{
            left: `${part(Math.max(0, Math.min(from, REGION)))}%`,
            width: `${Math.max(0, part(Math.min(REGION, to)) - part(Math.max(0, from)))}%`,
          }}
        />
        {over.map((one) => (
          <div
            key={one.from < 0 ? 'before' : 'behind'}
            data-over={one.to - one.from}
            // A byte or two are drawn larger, outward, so that they can be seen.
            className="absolute top-6 h-9 min-w-[5px] border border-error"
            style={{
              ...(one.to <= 0 ? { right: `${100 - part(one.to)}%` } : { left: `${part(one.from)}%` }),
              width: `${part(one.to) - part(one.from)}%`,
              background: 'repeating-linear-gradient(45deg, var(--error) 0 2px, var(--error-wash) 2px 6px)',
            }}
          />
        ))}
        <div
          className={`absolute top-[76px] border-t-2 ${refused ? 'border-error' : 'border-(--rdma)'}`}
          style={{ left: `${part(from)}%`, width: `${part(to) - part(from)}%` }}
        />
        <End which="from" label="First byte" byte={from} least={-AROUND} most={to} {...{ byteAt, move }} />
        <End which="to" label="End" byte={to} least={from} most={REGION + AROUND} {...{ byteAt, move }} />
        {[0, REGION].map((byte) => (
          <span
            key={byte}
            className="num absolute top-[112px] -translate-x-1/2 text-12 text-ink-3"
            style={{ left: `${part(byte)}%` }}
          >
            {formatCount(byte)}
          </span>
        ))}
      </div>
    </div>
  );
}

function End(props: {
  which: 'from' | 'to';
  label: string;
  byte: number;
  least: number;
  most: number;
  byteAt: (e: PointerEvent) => number;
  move: (which: 'from' | 'to', byte: number, done: boolean) => void;
}) {
  const { which, label, byte, least, most, byteAt, move } = props;
  return (
    <Handle
      as="div"
      label={label}
      text={`Byte ${formatCount(byte)}`}
      value={byte}
      min={least}
      max={most}
      valueAt={byteAt}
      onChange={(to, done) => move(which, to, done)}
      far={(from, up) => from + (up ? 64 : -64)}
      // The handles stand outward, so that those of a range of no bytes are beside each other.
      className={`absolute top-[64px] flex h-11 w-8 cursor-ew-resize touch-none flex-col items-center pointer-coarse:w-11 ${which === 'from' ? '-translate-x-full items-end' : 'items-start'}`}
      style={{ left: `${part(byte)}%` }}
    >
      <span
        aria-hidden
        className={`h-6 w-3 border-2 border-accent bg-panel ${which === 'from' ? 'rounded-l-[4px]' : 'rounded-r-[4px]'}`}
      />
    </Handle>
  );
}
