'use client';
import { useRef, type KeyboardEvent } from 'react';
import { cn } from '../../ui/cn';
import { HALF, nextState, TALL, WIDE, type Places } from './places';
import { nameOf, STATES, TRANSITIONS, type State } from './transitions';

interface GraphProps {
  /** Name of the chosen state or transition. */
  at: string;
  onChoose: (at: string) => void;
  /** Names of the transitions that the run made, as far as it is shown. */
  made: ReadonlySet<string>;
  /** State of the QP of the run at the moment that is shown; null while none is. */
  now: State | null;
}

/** States and transitions of a QP as the figure of the specification: across, or down on a narrow page. */
export function Graph(props: GraphProps) {
  return (
    <>
      <Drawn {...props} places={WIDE} className="hidden @min-[640px]:block" />
      <Drawn {...props} places={TALL} className="@min-[640px]:hidden" />
      <p className="mt-1 text-12 text-ink-2" data-words>
        Solid: ibv_modify_qp. Dashed: the device itself, on an error. Thick: made by this run. SQE: UC and UD
        only.
      </p>
    </>
  );
}

function Drawn({
  at,
  onChoose,
  made,
  now,
  places,
  className,
}: GraphProps & { places: Places; className: string }) {
  const { width, height, states, any, lines, errors } = places;
  const group = useRef<HTMLDivElement>(null);
  const chosenState = STATES.find((state) => state === at) ?? null;
  const keys = (e: KeyboardEvent, from: State): void => {
    const to = nextState(places, from, e.key);
    if (!to) return;
    e.preventDefault();
    e.stopPropagation();
    onChoose(to);
    group.current?.querySelector<HTMLElement>(`[data-state=${to}]`)?.focus();
  };
  return (
    <div
      ref={group}
      role="group"
      aria-label="States and transitions of a QP"
      className={cn('relative', className)}
      style={{ width, height }}
    >
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden className="absolute">
        {errors.map((line, i) => (
          <Edge key={i} line={line} name="auto-ERR" dashed {...{ at, made, onChoose }} />
        ))}
        {TRANSITIONS.map((one) => {
          const name = nameOf(one);
          const line = lines[name];
          return line ? (
            <Edge
              key={name}
              line={line}
              name={name}
              dashed={one.automatic !== undefined}
              {...{ at, made, onChoose }}
            />
          ) : null;
        })}
        <rect
          x={any[0] - 46}
          y={any[1] - 14}
          width={92}
          height={28}
          rx={14}
          fill="var(--page)"
          stroke="var(--line-strong)"
          strokeDasharray="2 3"
        />
        <text x={any[0]} y={any[1] + 4} textAnchor="middle" fill="var(--ink-2)" fontSize={12}>
          any state
        </text>
      </svg>
      {STATES.map((state) => (
        <button
          key={state}
          type="button"
          data-state={state}
          data-now={now === state || undefined}
          aria-pressed={at === state}
          aria-current={now === state ? 'step' : undefined}
          tabIndex={state === (chosenState ?? 'RESET') ? 0 : -1}
          onClick={() => onChoose(state)}
          onKeyDown={(e) => keys(e, state)}
          className={cn(
            'num absolute rounded-[4px] border-2 text-12',
            at === state
              ? 'border-ink bg-ink font-semibold text-page'
              : state === 'ERR' || state === 'SQE'
                ? 'border-error bg-panel text-error-ink hover:bg-error-wash'
                : 'border-line-strong bg-panel hover:bg-hover',
            now === state && 'outline-2 outline-offset-3 outline-accent',
          )}
          style={{
            left: states[state][0] - HALF.w,
            top: states[state][1] - HALF.h,
            width: 2 * HALF.w,
            height: 2 * HALF.h,
          }}
        >
          {state}
        </button>
      ))}
    </div>
  );
}

const pathOf = (line: readonly (readonly [number, number])[]): string =>
  line.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');

/** The two strokes of an arrow head, at the end of a line. */
function headOf(line: readonly (readonly [number, number])[]): string {
  const [x, y] = line.at(-1)!;
  const [px, py] = line.at(-2)!;
  const far = Math.hypot(x - px, y - py);
  const [ux, uy] = [(x - px) / far, (y - py) / far];
  const side = (sign: 1 | -1): string => `${x - 7 * ux - sign * 4 * uy} ${y - 7 * uy + sign * 4 * ux}`;
  return `M${side(1)}L${x} ${y}L${side(-1)}`;
}

function Edge(props: {
  line: readonly (readonly [number, number])[];
  name: string;
  dashed: boolean;
  at: string;
  made: ReadonlySet<string>;
  onChoose: (at: string) => void;
}) {
  const { line, name, dashed, at, made, onChoose } = props;
  const ran = made.has(name);
  const color = at === name ? 'var(--ink)' : ran ? 'var(--accent)' : 'var(--ink-3)';
  const d = pathOf(line);
  return (
    <g
      data-edge={name}
      data-made={ran || undefined}
      onClick={() => onChoose(name)}
      className="cursor-pointer"
    >
      <path d={d} stroke="transparent" strokeWidth={20} fill="none" />
      <path
        d={d}
        fill="none"
        strokeDasharray={dashed ? '5 4' : undefined}
        strokeWidth={ran ? 3 : 1.5}
        stroke={color}
      />
      <path d={headOf(line)} fill="none" strokeWidth={ran ? 2.5 : 1.5} stroke={color} />
    </g>
  );
}
