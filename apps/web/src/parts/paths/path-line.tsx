import { memo } from 'react';
import { inGbps } from '../../format/number';
import { shareOf, type BytePath, type BytePaths } from '../../model/paths/byte-path';
import { TRANSPORT_COLOR } from '../charts/colors';
import { percent } from './path-words';
import { lineWidth, type Lane } from './paths-geometry';

/** Distance of two dots, px. */
export const DOTS = 24;
/** Width of a line whose goodput is not told. */
const UNTOLD = 4;
/** Width from which the dots lie inside the line. */
const ROOMY = 5;

export interface PathLineProps {
  path: BytePath;
  lane: Lane;
  fastest: number;
  from: BytePaths['from'];
  narrow: boolean;
  /** Another path is pointed at. */
  faint: boolean;
  /** True to show its figures. */
  told: boolean;
  /** The element of its dots, which move. */
  dots: (element: SVGPathElement | null) => void;
}

/** A path: a line as wide as its goodput, its dots, its name, rate and direction. */
export const PathLine = memo(function PathLine(props: PathLineProps) {
  const { path, lane, fastest, from, narrow, faint, told, dots } = props;
  const { goodputGbps: goodput, transport, cpu, name, way } = path;
  const known = told && goodput !== null;
  const width = known ? lineWidth(goodput, fastest) : told ? 1.5 : UNTOLD;
  const { line, ink } = TRANSPORT_COLOR[way === 'rings' ? 'shm' : transport];
  const ends = from === 'client' ? lane.points : lane.points.toReversed();
  const d = ends.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const { x, y } = lane.middle;
  const above = y - width / 2 - 8;
  const kernel = told ? shareOf('kernel', cpu) : null;
  const arrow = from === 'client' ? ' →' : ' ←';
  const rate = goodput === null || !told ? '?' : inGbps(goodput);
  return (
    <g className={faint ? 'path faint' : 'path'} data-path={way} data-goodput={known ? goodput : ''}>
      <path
        d={d}
        className="line"
        style={{ stroke: line }}
        strokeWidth={width}
        strokeDasharray={told && goodput === null ? '4 4' : undefined}
      />
      {known && goodput > 0 ? (
        <path
          ref={dots}
          d={d}
          className="dots"
          style={width >= ROOMY ? undefined : { stroke: line }}
          strokeWidth={width >= ROOMY ? 3 : UNTOLD}
          strokeDasharray={`0 ${DOTS}`}
        />
      ) : null}
      <text x={x} y={narrow ? above - 15 : above} textAnchor="middle" className="on">
        <tspan className="name" style={{ fill: ink }}>
          {name}
        </tspan>
        {narrow ? null : <Rate {...{ rate, arrow }} />}
      </text>
      {narrow ? (
        <text x={x} y={above} textAnchor="middle" className="on">
          <Rate {...{ rate, arrow: '' }} />
        </text>
      ) : null}
      {kernel === null ? null : (
        <text x={x} y={y + width / 2 + 15} textAnchor="middle" data-kernel-share={kernel.toFixed(3)}>
          {`kernel ${percent(kernel)}${narrow ? '' : ' of CPU time'}`}
        </text>
      )}
    </g>
  );
});

function Rate({ rate, arrow }: { rate: string; arrow: string }) {
  return (
    <>
      {' '}
      <tspan className="mono">{rate}</tspan>
      {` Gb/s${arrow}`}
    </>
  );
}
