import type { QpState } from '@verbslab/protocol';
import { cn } from '../ui/cn';

const MAIN = ['RESET', 'INIT', 'RTR', 'RTS'] as const;
const X: Record<string, number> = { RESET: 4, INIT: 92, RTR: 180, RTS: 268, ERR: 180, SQD: 268, SQE: 268 };
const W = 64;
const H = 26;

/** The QP's state machine with the present state filled and the transitions of this step drawn strong. */
export function QpStates(props: {
  name: string;
  state: QpState | null;
  moves: readonly (readonly [QpState, QpState])[];
}) {
  const { name, state, moves } = props;
  const made = (a: string, b: string) => moves.some(([from, to]) => from === a && to === b);
  const failed = state === 'ERR' || moves.some(([, to]) => to === 'ERR');
  const aside = state === 'SQD' || state === 'SQE' ? state : null;
  const sentence =
    state === null
      ? `${name} has no QP.`
      : `${name}’s QP is in ${state}${moves.length > 0 ? `, after ${moves.map(([a, b]) => `${a} to ${b}`).join(', ')} in this step` : ''}.`;
  return (
    <figure className="min-w-0" data-qp-endpoint={name} data-qp-state={state ?? ''}>
      <figcaption className="mb-1 flex items-baseline gap-2 text-13">
        <span className="font-medium">{name}</span>
        <span className="num text-12 text-ink-3">{state ?? 'no QP'}</span>
      </figcaption>
      <svg
        viewBox={`0 0 336 ${failed || aside ? 68 : 34}`}
        role="img"
        aria-label={sentence}
        className="w-full max-w-[22rem]"
      >
        {MAIN.slice(0, -1).map((from, i) => {
          const to = MAIN[i + 1]!;
          return <Arrow key={from} x1={X[from]! + W} x2={X[to]!} y={4 + H / 2} strong={made(from, to)} />;
        })}
        {MAIN.map((s) => (
          <Node key={s} name={s} x={X[s]!} y={4} on={s === state} none={state === null} />
        ))}
        {failed ? <Node name="ERR" x={X.ERR!} y={40} on={state === 'ERR'} error none={false} /> : null}
        {aside ? <Node name={aside} x={X[aside]!} y={40} on none={false} /> : null}
      </svg>
    </figure>
  );
}

function Node(props: { name: string; x: number; y: number; on: boolean; none: boolean; error?: boolean }) {
  const { name, x, y, on, none, error } = props;
  return (
    <g className={cn(none && 'opacity-60')}>
      <rect
        x={x}
        y={y}
        width={W}
        height={H}
        rx={3}
        strokeWidth={on ? 2 : 1}
        fill={on ? (error ? 'var(--error)' : 'var(--ink)') : 'var(--panel)'}
        stroke={on ? (error ? 'var(--error)' : 'var(--ink)') : 'var(--line-strong)'}
        strokeDasharray={none ? '3 3' : undefined}
      />
      <text
        x={x + W / 2}
        y={y + H / 2 + 4}
        textAnchor="middle"
        className="num text-12"
        fill={on ? 'var(--page)' : 'var(--ink-2)'}
        fontWeight={on ? 600 : 400}
      >
        {name}
      </text>
    </g>
  );
}

function Arrow({ x1, x2, y, strong }: { x1: number; x2: number; y: number; strong: boolean }) {
  const colour = strong ? 'var(--accent)' : 'var(--line-strong)';
  return (
    <g stroke={colour} strokeWidth={strong ? 2.5 : 1} fill="none">
      <path d={`M${x1 + 2} ${y}H${x2 - 3}`} />
      <path d={`M${x2 - 8} ${y - 4}L${x2 - 3} ${y}L${x2 - 8} ${y + 4}`} />
    </g>
  );
}
