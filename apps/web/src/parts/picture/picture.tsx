'use client';
import { useId, useMemo, useRef } from 'react';
import type { PictureState, Side } from '../../model/picture/state';
import { cn } from '../../ui/cn';
import { useWidth } from '../../ui/use-width';
import { Items } from './flows';
import { queuesOf, TALL_BELOW, type Geometry, type PictureShape, type PictureSize } from './geometry';
import { Host } from './host';
import { Question } from './question';
import { tall, tallHeight } from './tall';
import { wide, wideHeight } from './wide';
import { Packets, placedPackets, Wire } from './wire';

/** Pixels of a rem at the usual text size: the picture grows with the reader's text. */
const REM = 16;

export interface PictureProps {
  state: PictureState;
  /** What the picture shows, in a sentence. */
  label: string;
  /** Width in pixels; measured if absent. */
  width?: number;
  size?: PictureSize;
  /** A host that is drawn small where hosts are beside each other. */
  compact?: Side | null;
  /** Lines move. */
  playing?: boolean;
  /** A question is open about this moment. */
  asks?: boolean;
  chosen?: string | null;
  /** A packet was pressed. */
  onPacket?: ((id: string) => void) | undefined;
}

/** Where everything is in a picture of this shape. */
export const geometryOf = (shape: PictureShape): Geometry =>
  shape.width < TALL_BELOW ? tall(shape) : wide(shape);

/** The canonical picture: two hosts and the wire between them, at one moment. Knows nothing about time. */
export function Picture({ width, ...rest }: PictureProps) {
  const place = useRef<HTMLDivElement>(null);
  const measured = useWidth(place);
  const known = width ?? (measured === null ? null : Math.floor(measured * REM));
  const { state, size = 'usual', compact = null } = rest;
  if (width !== undefined) return <Drawing {...rest} width={width} />;
  const shape = { size, compact, queues: queuesOf(state), width: 0 };
  return (
    <div
      ref={place}
      className="pic-place"
      style={
        { '--tall': `${tallHeight(shape) / REM}rem`, '--wide': `${wideHeight(size) / REM}rem` } as object
      }
    >
      {known ? (
        <Drawing {...rest} width={known} />
      ) : (
        <div className="pic-waits" role="img" aria-label={rest.label} />
      )}
    </div>
  );
}

function Drawing(props: PictureProps & { width: number }) {
  const { state, label, width, size = 'usual', compact = null } = props;
  const { playing = false, asks = false, chosen = null, onPacket } = props;
  const { focus, flows, hosts } = state;
  const queues = queuesOf(state);
  const kinds = `${queues.client.join(' ')}/${queues.server.join(' ')}`;
  const geometry = useMemo(
    () => geometryOf({ width, size, compact, queues }),
    [width, size, compact, kinds], // oxlint-disable-line react/exhaustive-deps -- `kinds` is `queues` as a word
  );
  const id = useId();
  const unknown = `${id}unknown`;
  const error = `${id}error`;
  const hatches = useMemo(() => ({ unknown: `url(#${unknown})`, error: `url(#${error})` }), [unknown, error]);
  const { height } = geometry;
  const { places, hidden, lost, lostAnswer } = placedPackets(geometry, state.packets);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      style={{ width: `${width / REM}rem`, height: `${height / REM}rem` }}
      className={cn('pic', onPacket && 'pressable')}
      data-shows="picture"
      data-shape={geometry.tall ? 'tall' : 'wide'}
    >
      <defs>
        <pattern id={unknown} {...HATCH}>
          <rect width="6" height="6" fill="var(--sunken)" />
          <path d="M0 0V6" stroke="var(--line-strong)" strokeWidth="2" />
        </pattern>
        <pattern id={error} {...HATCH}>
          <rect width="6" height="6" fill="var(--error-wash)" />
          <path d="M0 0V6" stroke="var(--error)" strokeWidth="2.5" />
        </pattern>
      </defs>
      <Wire
        {...{ geometry, hidden, lost, lostAnswer }}
        title={state.wire}
        dataText={state.dataText}
        answerText={state.answerText}
        quiet={focus !== null && !focus.includes('wire')}
      />
      {(['client', 'server'] as const).map((side) => (
        <Host
          key={side}
          place={geometry.hosts[side]}
          host={hosts[side]}
          tall={geometry.tall}
          moving={[...new Set(flows.filter((one) => one.side === side).map(({ flow }) => flow))]}
          {...{ focus, hatches, playing }}
        />
      ))}
      <Packets places={places} chosen={chosen} onPacket={onPacket} />
      <Items geometry={geometry} state={state} asks={asks} />
      {asks && !flows.some(({ item }) => item !== null) ? (
        <Question geometry={geometry} focus={focus} />
      ) : null}
    </svg>
  );
}

const HATCH = {
  width: '6',
  height: '6',
  patternUnits: 'userSpaceOnUse',
  patternTransform: 'rotate(45)',
} as const;
