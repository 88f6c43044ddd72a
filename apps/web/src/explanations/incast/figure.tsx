'use client';
import { formatNumber, formatTime } from '@verbslab/labs';
import { useId, useRef } from 'react';
import { cn } from '../../ui/cn';
import { HALO } from '../halo';
import { useFigureWidth } from '../../ui/use-figure-width';
import { XHandle } from '../x-handle';
import { layoutOf, type IncastLayout } from './layout';
import { choices, loadOf, postedBy, waitedOf, waitOf, type IncastModel, type Load } from './model';

interface FigureProps {
  model: IncastModel;
  load: Load;
  /** Messages ahead of the small request. */
  ahead: number;
  onAhead: (ahead: number) => void;
  onClients: (clients: number) => void;
}

const inTime = (us: number): string => formatTime(us * 1000);

/** Clients, the queue that they share, and a small request in it that the reader moves. */
export function IncastFigure({ model, load, ahead, onAhead, onClients }: FigureProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useFigureWidth(place);
  const hatch = useId();
  const layout = layoutOf(model, load, width);
  const { height, queue, x, aheadAt, server, narrow } = layout;
  const posted = postedBy(model, load);
  const at = x(ahead);
  const tail = x(posted);
  const words = `${inTime(waitOf(model, load, ahead))} to wait`;
  return (
    <div ref={place} className="min-w-0">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="pic"
        role="group"
        aria-label="Clients and queue"
      >
        <defs>
          <pattern
            id={hatch}
            width={6}
            height={6}
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width={6} height={6} className="fill-rdma" fillOpacity={0.25} />
            <path d="M0 0V6" className="stroke-rdma" strokeWidth={2.5} />
          </pattern>
        </defs>
        <Clients {...{ model, load, layout, onClients }} />
        <text x={queue.x} y={queue.y - 10} data-shows="incast-text">
          {narrow ? `${posted} messages posted` : `the queue, if all ${posted} posted messages are in it`}
        </text>
        <rect
          {...{ x: queue.x, y: queue.y, width: queue.w, height: queue.h }}
          className="fill-none stroke-line"
        />
        <rect
          {...{ x: tail, y: queue.y, height: queue.h }}
          width={queue.x + queue.w - tail}
          fill={`url(#${hatch})`}
          className="stroke-rdma"
          data-posted={posted}
        />
        <rect {...{ x: server.x, y: server.y, width: server.w, height: server.h }} rx={4} className="host" />
        <text x={server.x + server.w / 2} y={server.y + server.h / 2 + 4} textAnchor="middle" className="on">
          {narrow ? 'Srv' : 'Server'}
        </text>
        <Waits {...{ model, load, layout }} />
        <XHandle
          label="Messages ahead of the small request"
          text={`${ahead} ahead, ${words} (computed)`}
          value={ahead}
          min={0}
          max={posted}
          area={{ ...queue, y: queue.y - 6, h: queue.h + 12 }}
          valueAt={aheadAt}
          onChange={onAhead}
          reversed
          far={(value, up) => value + (up ? model.window : -model.window)}
        >
          <rect
            x={at - 5}
            y={queue.y - 5}
            width={10}
            height={queue.h + 10}
            rx={3}
            className="fill-accent stroke-page"
            strokeWidth={2}
          />
          <path d={`M${at} ${queue.y + queue.h + 6}v14`} className="stroke-accent" strokeWidth={2} />
          <text
            x={at}
            y={queue.y + queue.h + 34}
            textAnchor={at < queue.x + 90 ? 'start' : at > queue.x + queue.w - 90 ? 'end' : 'middle'}
            className={cn(HALO, 'figure')}
            data-shows="incast-text"
          >
            {narrow ? words : `small request: ${words}`}
          </text>
        </XHandle>
      </svg>
    </div>
  );
}

/** A press on a client lets so many send: those numbers that were measured. */
function Clients({
  model,
  load,
  layout,
  onClients,
}: Omit<FigureProps, 'ahead' | 'onAhead'> & { layout: IncastLayout }) {
  const { client, queue, narrow, x } = layout;
  const rows = Math.max(...choices(model).map(({ clients }) => clients));
  const tail = x(postedBy(model, load));
  return Array.from({ length: rows }, (_, i) => {
    const y = client.y(i);
    const sends = i < load.clients;
    const to = choices(model).find(({ clients }) => clients > i)!.clients;
    return (
      <g
        key={i}
        onClick={() => onClients(loadOf(model, to).clients)}
        className="cursor-pointer"
        data-client={i + 1}
        data-sends={sends}
        data-words
      >
        <rect
          x={0}
          y={y}
          width={client.w}
          height={client.h}
          rx={4}
          className={sends ? 'fill-panel stroke-rdma' : 'fill-sunken stroke-line'}
        />
        <text x={client.w / 2} y={y + 16} textAnchor="middle" className={sends ? 'on' : ''}>
          {narrow ? `C${i + 1}` : `Client ${i + 1}`}
        </text>
        {sends ? (
          <path
            d={`M${client.w} ${y + client.h / 2}L${queue.x - 8} ${queue.y + queue.h / 2}H${tail}`}
            className="fill-none stroke-rdma"
            strokeWidth={1.5}
            strokeOpacity={0.6}
          />
        ) : null}
      </g>
    );
  });
}

/** Waits by the place in the queue, and the waits that were measured. */
function Waits({ model, load, layout }: { model: IncastModel; load: Load; layout: IncastLayout }) {
  const { queue, ticks, xOfWait } = layout;
  const waited = waitedOf(model, load);
  const y = queue.y + queue.h + 62;
  const mark = waited ? xOfWait(Math.max(0, waited.mean)) : 0;
  return (
    <>
      <path d={`M${queue.x} ${y}H${queue.x + queue.w}`} className="stroke-line-strong" />
      {ticks.map((wait, i) => (
        <g key={wait} data-words>
          <path d={`M${xOfWait(wait)} ${y}v4`} className="stroke-line-strong" />
          <text x={xOfWait(wait)} y={y + 18} textAnchor={i === 0 ? 'end' : 'middle'} className="mono">
            {i === 0 ? '0' : inTime(wait)}
          </text>
        </g>
      ))}
      {waited ? (
        <g data-waited={formatNumber(waited.mean)}>
          {waited.p50 !== null && waited.p90 !== null ? (
            <path
              d={`M${xOfWait(Math.max(0, waited.p50))} ${y}H${xOfWait(Math.max(0, waited.p90))}m0 -5v10M${xOfWait(Math.max(0, waited.p50))} ${y - 5}v10`}
              className="fill-none stroke-ink"
              strokeWidth={2}
            />
          ) : null}
          <circle cx={mark} cy={y} r={5} className="fill-ink stroke-page" strokeWidth={1.5} />
          <text
            x={Math.min(queue.x + queue.w - 30, Math.max(queue.x + 30, mark))}
            y={y - 10}
            textAnchor="middle"
            className={cn(HALO, 'on')}
          >
            measured
          </text>
        </g>
      ) : null}
    </>
  );
}
