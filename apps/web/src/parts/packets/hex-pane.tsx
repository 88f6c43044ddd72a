'use client';
import { memo, useRef } from 'react';
import { cn } from '../../ui/cn';
import { useWidth } from '../../ui/use-width';
import type { ByteRange } from './field-tree';

/** Bytes per row, and the width in rem from which there are more. */
const FEW = 8;
const MANY = 16;
const WIDE = 34;
/** Longest piece that is drawn; a jumbo payload has the rest in the capture file. */
const LIMIT = 2048;

export interface HexPaneProps {
  data: Uint8Array;
  range: ByteRange | null;
  onByte?: (offset: number) => void;
}

/** The packet's bytes, eight or sixteen per row, with those of the selected field marked. */
export const HexPane = memo(function HexPane({ data, range, onByte }: HexPaneProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const perRow = width !== null && width < WIDE ? FEW : MANY;
  const end = Math.min(data.length, LIMIT);
  const rows = Array.from({ length: Math.ceil(end / perRow) }, (_, r) => r * perRow);
  const marked = (i: number) => range !== null && i >= range.offset && i < range.offset + range.length;
  const gap = (c: number) => (perRow === MANY && c === 7 ? '  ' : ' ');
  return (
    <div ref={place} data-hex className="num px-3 py-1 text-12 leading-5">
      {rows.map((at) => (
        <div key={at} className="flex gap-4 whitespace-pre">
          <span className="text-ink-3 select-none">{at.toString(16).padStart(4, '0')}</span>
          {/* A mouse's short cut to what the tree does for the keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
          <span
            onClick={(e) => {
              const byte = (e.target as HTMLElement).dataset.byte;
              if (byte !== undefined) onByte?.(Number(byte));
            }}
          >
            {Array.from({ length: perRow }, (_, c) => {
              const i = at + c;
              if (i >= end) return <span key={c}>{`  ${gap(c)}`}</span>;
              return (
                <span key={c} data-byte={i} className={cn('cursor-default', marked(i) && 'bg-field')}>
                  {data[i]!.toString(16).padStart(2, '0')}
                  {gap(c)}
                </span>
              );
            })}
          </span>
          <span className="text-ink-2">
            {Array.from(data.subarray(at, Math.min(at + perRow, end)), (b, c) => (
              <span key={c} className={cn(marked(at + c) && 'bg-field')}>
                {b >= 0x20 && b < 0x7f ? String.fromCharCode(b) : '·'}
              </span>
            ))}
          </span>
        </div>
      ))}
      {data.length > LIMIT ? (
        <p className="text-ink-3">{data.length - LIMIT} more bytes are in the capture file.</p>
      ) : null}
    </div>
  );
});
