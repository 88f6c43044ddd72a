import type { Transport } from '@verbslab/protocol';
import { useMemo } from 'react';
import type { BytePaths } from '../../model/paths/byte-path';
import { PathHost, PathSockets } from './path-host';
import { PathLine } from './path-line';
import { pathsGeometry } from './paths-geometry';

const REM = 16;

export interface PathsDrawingProps {
  shown: BytePaths;
  width: number;
  /** Transport that is pointed at. */
  pointed: Transport | null;
  /** True to show figures; else they are what a run will show. */
  told: boolean;
  onPoint: (transport: Transport | null) => void;
  dotsOf: (transport: Transport) => (element: SVGPathElement | null) => void;
}

/** Two hosts, and the paths of the bytes between their memories. Knows nothing about time. */
export function PathsDrawing({ shown, width, pointed, told, onPoint, dotsOf }: PathsDrawingProps) {
  const geometry = useMemo(() => pathsGeometry(width), [width]);
  const { paths, from, oneMachine } = shown;
  const { height, narrow, client, server, lanes } = geometry;
  const chosen = paths.filter(({ transport }) => transport === pointed);
  const strong = chosen.length > 0 ? chosen : paths;
  const fastest = Math.max(0, ...paths.map(({ goodputGbps }) => goodputGbps ?? 0));
  const [gap, gapEnd] = [client.host.x + client.host.w, server.host.x];
  const split = client.kernel.y;
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${width} ${height}`}
      style={{ width: `${width / REM}rem`, height: `${height / REM}rem` }}
      className="pic paths"
    >
      <text x={0} y={14} className="title">
        Client
      </text>
      <text x={width} y={14} textAnchor="end" className="title">
        Server
      </text>
      {oneMachine ? (
        <>
          <rect x={gap} y={split} width={gapEnd - gap} height={client.kernel.h} className="ground" />
          <path d={`M${gap} ${split}H${gapEnd}`} className="border" />
          <text x={width / 2} y={height - 14} textAnchor="middle">
            {narrow ? 'one kernel' : 'one machine, one kernel'}
          </text>
        </>
      ) : null}
      <PathHost side="client" place={client} paths={strong} all={paths} told={told} />
      <PathHost side="server" place={server} paths={strong} all={paths} told={told} />
      {paths.map((path) => (
        <g
          key={path.transport}
          onPointerEnter={() => onPoint(path.transport)}
          onPointerLeave={() => onPoint(null)}
          data-shows="path"
          data-transport={path.transport}
          data-pointed={path.transport === pointed}
        >
          <PathLine
            lane={lanes[path.way]}
            faint={!strong.includes(path)}
            dots={dotsOf(path.transport)}
            {...{ path, fastest, from, narrow, told }}
          />
        </g>
      ))}
      {(['client', 'server'] as const).map((side) => (
        <PathSockets
          key={side}
          side={side}
          place={geometry[side]}
          paths={strong}
          all={paths}
          narrow={narrow}
        />
      ))}
    </svg>
  );
}
