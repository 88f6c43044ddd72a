import type { Focus } from '../../model/picture/state';
import type { Geometry, Point } from './geometry';

const RADIUS = 11;

/** A question mark at the first part in focus, or on the wire. */
export function Question({ geometry, focus }: { geometry: Geometry; focus: readonly Focus[] | null }) {
  const { x, y } = questionAt(geometry, focus?.[0] ?? 'wire');
  return (
    <g transform={`translate(${x} ${y})`} data-question>
      <circle r={RADIUS} className="question" />
      <text y={4.5} textAnchor="middle" className="question">
        ?
      </text>
    </g>
  );
}

/** Where the question mark covers no text. */
export function questionAt(geometry: Geometry, part: Focus): Point {
  const [side, owner] = part.split('.') as ['client' | 'server', string | undefined];
  if (owner === undefined) {
    const { data } = geometry.hosts.client.ports;
    const end = geometry.hosts.server.ports.data;
    return { x: (data.x + end.x) / 2, y: (data.y + end.y) / 2 };
  }
  const host = geometry.hosts[side];
  if (owner === 'memory') {
    const { bar } = host.memory;
    return { x: bar.x + bar.w / 2, y: bar.y + bar.h / 2 };
  }
  const ring = owner === 'sq' || owner === 'rq' || owner === 'cq' ? host.rings[owner] : undefined;
  // Where neither its name nor one of its lines is.
  if (ring) return { x: ring.x + ring.r * 0.75 + 2, y: ring.y + ring.r * 0.75 };
  const box =
    owner === 'program' || owner === 'library'
      ? host[owner].box
      : owner === 'kernel'
        ? host.kernel.box
        : host.device.box;
  return { x: box.x + box.w - 20, y: box.y + Math.min(box.h / 2, 20) };
}
