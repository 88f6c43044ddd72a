import type { Link } from '@verbslab/protocol';
import { LINK_MEDIUM } from '../../ui/link-medium';
import type { Wire as WireLines } from '../../model/machine/layout-types';

/** `outside`: the other end is no process of this run, and the frame ends there. */
export function Wire(props: { wire: WireLines; links: readonly Link[]; outside: number | null }) {
  const { wire, links, outside } = props;
  const { from, to, down, branches } = wire;
  const above = links.length > 0 ? links.map((link) => LINK_MEDIUM[link]) : ['network'];
  const bus = branches.length > 0;
  const x = outside !== null ? outside + 8 : down ? from[0] - 10 : bus ? to[0] + 8 : (from[0] + to[0]) / 2;
  const y = down
    ? (from[1] + to[1] - 14) / 2 + 12 - 8 * above.length
    : bus
      ? branches[1]![0][1] + 20
      : from[1] + 6 - 16 * above.length;
  const anchor = down ? 'end' : outside !== null || bus ? 'start' : 'middle';
  const words = { textAnchor: anchor, fill: 'var(--ink-3)' } as const;
  return (
    <g aria-hidden>
      <path
        d={[[from, to] as const, ...branches].map(([a, b]) => `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`).join('')}
        fill="none"
        stroke="var(--line-strong)"
        strokeWidth={2}
        strokeDasharray={links.length === 0 ? '3 4' : undefined}
      />
      {above.map((text, i) => (
        <text key={text} x={x} y={y + 16 * i} className="text-12" {...words}>
          {text}
        </text>
      ))}
      {outside === null ? null : (
        <text x={x} y={from[1] + 20} className="text-12" {...words}>
          to other processes
        </text>
      )}
    </g>
  );
}
