'use client';
import { formatNumber, formatTime } from '@verbslab/labs';
import { memo, useRef } from 'react';
import { cn } from '../../ui/cn';
import { HALO } from '../halo';
import { useFigureWidth } from '../../ui/use-figure-width';
import { XHandle } from '../x-handle';
import { cellsOf, layoutOf, type WindowLayout } from './layout';
import { goodputAt, stateAt, type Path, type WindowModel } from './model';

interface FigureProps {
  model: WindowModel;
  path: Path;
  window: number;
  onWindow: (window: number) => void;
}

/** The path with what is in flight, and goodput by window with the handle on the window. */
export function WindowFigure({ model, path, window, onWindow }: FigureProps) {
  const place = useRef<HTMLDivElement>(null);
  const width = useFigureWidth(place);
  const layout = layoutOf(model, path, width);
  const { height, plot, x, y, windowAt } = layout;
  const state = stateAt(model, path, window);
  const at = x(window);
  const right = at > plot.x + plot.w / 2;
  return (
    <div ref={place} className="min-w-0">
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="pic"
        role="group"
        aria-label="Path and goodput"
      >
        <Pipe {...{ model, path, window, layout }} />
        <Axes layout={layout} />
        <Curve {...{ model, path, layout }} />
        <XHandle
          label="Messages in flight"
          text={`${window} in flight, at most ${formatNumber(state.gbps)} Gb/s`}
          value={window}
          min={1}
          max={path.largest}
          area={{ ...plot, y: plot.y - 8, h: plot.h + 44 }}
          valueAt={windowAt}
          onChange={onWindow}
          far={(value, up) => (up ? value * 2 : Math.ceil(value / 2))}
        >
          <path d={`M${at} ${plot.y}V${plot.y + plot.h}`} className="stroke-accent" strokeWidth={2} />
          <circle cx={at} cy={plot.y + plot.h} r={9} className="fill-accent" />
          <path
            d={`M${at - 3} ${plot.y + plot.h - 3.5}l-3 3.5l3 3.5M${at + 3} ${plot.y + plot.h - 3.5}l3 3.5l-3 3.5`}
            className="fill-none stroke-on-accent"
            strokeWidth={1.5}
          />
          <circle cx={at} cy={y(state.gbps)} r={5} className="fill-page stroke-accent" strokeWidth={2} />
          <text
            x={right ? at - 12 : at + 12}
            y={Math.min(plot.y + plot.h - 16, y(state.gbps) + (state.limit === 'link' ? 22 : -22))}
            textAnchor={right ? 'end' : 'start'}
            className={cn(HALO, 'figure')}
            data-shows="window-text"
          >
            {formatNumber(state.gbps)} Gb/s computed
          </text>
        </XHandle>
      </svg>
    </div>
  );
}

const Axes = memo(function Axes({ layout }: { layout: WindowLayout }) {
  const { plot, x, y, windows, rates, narrow } = layout;
  const bottom = plot.y + plot.h;
  return (
    <g data-words>
      {rates.map((rate) => (
        <g key={rate}>
          <path d={`M${plot.x} ${y(rate)}H${plot.x + plot.w}`} className="stroke-line" />
          <text x={plot.x - 8} y={y(rate) + 4} textAnchor="end" className="mono">
            {formatNumber(rate)}
          </text>
        </g>
      ))}
      {windows.map((window) => (
        <text key={window} x={x(window)} y={bottom + 24} textAnchor="middle" className="mono">
          {window}
        </text>
      ))}
      <text x={0} y={plot.y - 12}>
        {narrow ? 'Gb/s' : 'Goodput, Gb/s'}
      </text>
      <text x={plot.x + plot.w} y={bottom + 42} textAnchor="end">
        messages in flight
      </text>
    </g>
  );
});

const Curve = memo(function Curve({
  model,
  path,
  layout,
}: {
  model: WindowModel;
  path: Path;
  layout: WindowLayout;
}) {
  const { plot, x, y } = layout;
  const knee = Math.min(path.largest, Math.max(1, path.needed));
  const line = [1, knee, path.largest]
    .map((w) => `${x(w).toFixed(1)} ${y(goodputAt(model, path, w)).toFixed(1)}`)
    .join('L');
  const fits = path.needed >= 1 && path.needed <= path.largest;
  return (
    <>
      <path
        d={`M${line}`}
        className="fill-none stroke-ink-2"
        strokeWidth={1.5}
        strokeDasharray="6 4"
        data-computed
      />
      {fits ? (
        <g data-product>
          <path
            d={`M${x(knee)} ${y(model.link) - 8}V${plot.y + plot.h}`}
            className="stroke-line-strong"
            strokeDasharray="2 3"
          />
          <text
            x={x(knee) + (x(knee) > plot.x + plot.w / 2 ? -6 : 6)}
            y={y(model.link) - 14}
            textAnchor={x(knee) > plot.x + plot.w / 2 ? 'end' : 'start'}
            className={HALO}
            data-shows="window-text"
          >
            {`bandwidth-delay product: ${formatNumber(path.needed)}`}
          </text>
        </g>
      ) : null}
      {path.points.map(({ window, gbps, min }) => (
        <g key={window} data-measured={window}>
          <path
            d={`M${x(window)} ${y(gbps)}V${y(min)}M${x(window) - 4} ${y(min)}h8`}
            className="stroke-rdma"
            strokeWidth={1.5}
          />
          <circle cx={x(window)} cy={y(gbps)} r={4} className="fill-rdma" />
        </g>
      ))}
    </>
  );
});

/** The path with a place for each message that it holds: full ones are blue. What does not fit waits at the requester. */
function Pipe({ model, path, window, layout }: Omit<FigureProps, 'onWindow'> & { layout: WindowLayout }) {
  const { pipe, width, narrow } = layout;
  const { inPath, waiting } = stateAt(model, path, window);
  const cells = cellsOf(path, layout);
  const cell = pipe.w / Math.max(1, path.needed);
  const middle = pipe.y + pipe.h / 2;
  const host = (x: number, name: string, short: string) => (
    <g>
      <rect x={x} y={pipe.y - 8} width={pipe.x - 8} height={pipe.h + 16} rx={4} className="host" />
      <text x={x + (pipe.x - 8) / 2} y={middle + 4} textAnchor="middle" className="on">
        {narrow ? short : name}
      </text>
    </g>
  );
  const filled = Math.min(pipe.w, inPath * cell);
  return (
    <g data-pipe data-in-path={formatNumber(inPath)} data-waiting={formatNumber(waiting)}>
      {host(0, 'Requester', 'Req.')}
      {host(width - pipe.x + 8, 'Responder', 'Resp.')}
      <rect x={pipe.x} y={pipe.y} width={pipe.w} height={pipe.h} className="fill-sunken stroke-line-strong" />
      {cells === null ? (
        <rect x={pipe.x} y={pipe.y + 4} width={filled} height={pipe.h - 8} className="fill-rdma" />
      ) : (
        Array.from({ length: cells }, (_, i) => {
          const room = Math.min(1, path.needed - i);
          const full = Math.min(room, Math.max(0, window - i));
          return (
            <g key={i}>
              <rect
                x={pipe.x + i * cell + 1}
                y={pipe.y + 5}
                width={Math.max(1, room * cell - 2)}
                height={pipe.h - 10}
                className="slot"
              />
              {full > 0 ? (
                <rect
                  x={pipe.x + i * cell + 1}
                  y={pipe.y + 5}
                  width={Math.max(1, full * cell - 2)}
                  height={pipe.h - 10}
                  className="fill-rdma"
                />
              ) : null}
            </g>
          );
        })
      )}
      <text x={pipe.x} y={pipe.y - 12} data-shows="window-text">
        {`round trip ${formatTime(path.rtt)}: room for ${formatNumber(path.needed)}`}
      </text>
      <text
        x={pipe.x}
        y={pipe.y + pipe.h + 18}
        className={waiting > 0 ? 'fill-retx-ink!' : ''}
        data-shows="window-text"
      >
        {waiting > 0
          ? `full; ${formatNumber(waiting)} more wait, each message takes ${formatTime(stateAt(model, path, window).latency)}`
          : `${window} in flight: ${Math.round((inPath / path.needed) * 100)} % full`}
      </text>
    </g>
  );
}
