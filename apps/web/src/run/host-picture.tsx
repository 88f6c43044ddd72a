import { LINK_NAME, type HostPart, type LabDescription, type Link, type QpState } from '@verbslab/protocol';
import { Gloss } from '../ui/gloss';
import { pictureOf, type PartLook, type PictureOfStep } from './model/host-picture';

const WIDTH = 340;
const HEIGHT = 184;
/** Between the hosts: side by side, and one above the other. */
const GAP_X = 230;
const GAP_Y = 72;

/**
 * The two hosts of a lab, each with its device, protection domain, memory region, queue pair and completion queue, and the
 * wire between them. What the step makes, uses or destroys stands out; the words beside it say the same.
 */
export function HostPicture(props: {
  lab: LabDescription;
  index: number;
  states: Readonly<Record<string, QpState | null>>;
  /** What carries the packets, once the QPs have settled on it. */
  link: Link | undefined;
}) {
  const { lab, index, states, link } = props;
  const picture = pictureOf(lab, index);
  const [left, right] = lab.roles;
  if (!picture || !left || !right) return null;
  const at = (role: string) => (role === right.name ? 1 : 0);
  const host = (role: typeof left, mirrored: boolean) => (
    <Host
      title={role.title}
      look={(part) => picture.looks.get(`${role.name}.${part}`) ?? 'absent'}
      state={states[role.name] ?? null}
      mirrored={mirrored}
    />
  );
  return (
    <figure
      data-host-picture
      className="grid items-center gap-x-8 gap-y-2 lg:grid-cols-[minmax(0,57rem)_1fr]"
    >
      <svg
        aria-hidden
        viewBox={`0 0 ${2 * WIDTH + GAP_X} ${HEIGHT}`}
        className="w-full max-w-[57rem] max-md:hidden"
      >
        {host(left, false)}
        <g transform={`translate(${WIDTH + GAP_X} 0)`}>{host(right, true)}</g>
        <Wire sends={picture.sends} at={at} link={link} down={false} />
      </svg>
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${2 * HEIGHT + GAP_Y}`}
        className="mx-auto w-full max-w-[26rem] md:hidden"
      >
        {host(left, false)}
        <g transform={`translate(0 ${HEIGHT + GAP_Y})`}>{host(right, false)}</g>
        <Wire sends={picture.sends} at={at} link={link} down />
      </svg>
      <figcaption className="text-13">
        <dl className="grid gap-x-4 gap-y-1 max-lg:grid-cols-[auto_1fr]">
          {(link
            ? [...picture.lines, { title: 'Link', text: `${MEDIUM[link]} (${LINK_NAME[link]})` }]
            : picture.lines
          ).map(({ title, text }) => (
            <div key={title} className="max-lg:col-span-2 max-lg:grid max-lg:grid-cols-subgrid">
              <dt className="text-ink-3">{title}</dt>
              <dd className="text-ink-2">
                <Gloss>{text}</Gloss>
              </dd>
            </div>
          ))}
        </dl>
      </figcaption>
    </figure>
  );
}

interface Box {
  name: HostPart;
  y: number;
  width: number;
  height: number;
  label: string;
  note?: string;
}

/** Queues stand towards the wire, memory away from it. What lies inside another part comes after it. */
const PARTS: readonly (Box & { left: number })[] = [
  { name: 'pd', left: 12, y: 28, width: 316, height: 106, label: 'PD' },
  { name: 'mr', left: 22, y: 50, width: 104, height: 76, label: 'MR', note: 'memory' },
  { name: 'qp', left: 138, y: 50, width: 180, height: 76, label: 'QP' },
  { name: 'sq', left: 146, y: 72, width: 164, height: 22, label: 'send queue' },
  { name: 'rq', left: 146, y: 98, width: 164, height: 22, label: 'receive queue' },
  { name: 'cq', left: 138, y: 144, width: 190, height: 28, label: 'CQ', note: 'completions' },
  { name: 'device', left: 12, y: 144, width: 114, height: 28, label: 'device' },
];

function Host(props: {
  title: string;
  look: (part: HostPart) => PartLook;
  state: QpState | null;
  mirrored: boolean;
}) {
  const { title, look, state, mirrored } = props;
  const x = (left: number, width: number) => (mirrored ? WIDTH - left - width : left);
  return (
    <g>
      <rect
        x={0.5}
        y={0.5}
        width={WIDTH - 1}
        height={HEIGHT - 1}
        rx={4}
        fill="var(--panel)"
        stroke="var(--line)"
      />
      <text
        x={mirrored ? WIDTH - 12 : 12}
        y={18}
        textAnchor={mirrored ? 'end' : 'start'}
        className="text-12"
        fontWeight={600}
        fill="var(--ink)"
      >
        {title}
      </text>
      {PARTS.map(({ left, ...part }) => (
        <Part
          key={part.name}
          {...part}
          {...(part.name === 'qp' && state ? { label: `QP ${state}` } : {})}
          x={x(left, part.width)}
          look={look(part.name)}
        />
      ))}
    </g>
  );
}

const MARK: Partial<Record<PartLook, string>> = { makes: 'new', removes: 'gone' };

function Part(props: Box & { x: number; look: PartLook }) {
  const { name, x, y, width, height, label, note, look } = props;
  const lit = look === 'makes' || look === 'uses' || look === 'removes';
  const mark = MARK[look];
  return (
    <g data-part={name} data-look={look}>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={3}
        fill={lit ? 'var(--accent-wash)' : look === 'there' ? 'var(--page)' : 'none'}
        stroke={lit ? 'var(--accent)' : look === 'there' ? 'var(--line-strong)' : 'var(--line)'}
        strokeWidth={lit ? 2 : 1}
        strokeDasharray={look === 'absent' || look === 'removes' ? '4 3' : undefined}
      />
      <text
        x={x + 8}
        y={y + (height < 40 ? height / 2 + 4 : 16)}
        className="text-12"
        fontWeight={lit ? 600 : 400}
        fill={look === 'absent' ? 'var(--ink-3)' : 'var(--ink)'}
      >
        {label}
        {note ? (
          <tspan fill="var(--ink-3)" fontWeight={400} {...(height < 40 ? { dx: 8 } : { x: x + 8, dy: 18 })}>
            {note}
          </tspan>
        ) : null}
      </text>
      {mark ? (
        <text
          x={x + width - 8}
          y={y + (height < 40 ? height / 2 + 4 : 16)}
          textAnchor="end"
          className="text-12"
          fontWeight={600}
          fill="var(--accent)"
        >
          {mark}
        </text>
      ) : null}
    </g>
  );
}

interface WireProps {
  sends: PictureOfStep['sends'];
  /** 0 for the first host, 1 for the second. */
  at: (role: string) => 0 | 1;
  link: Link | undefined;
  /** The hosts stand one above the other. */
  down: boolean;
}

const MEDIUM: Readonly<Record<Link, string>> = { udp: 'UDP sockets', shm: 'shared memory' };

const dashes = (outOfBand: boolean | undefined) => (outOfBand ? '4 4' : undefined);

/** What goes over the wire: side by side from left to right, one above the other from top to bottom. */
function Wire({ sends, at, link, down }: WireProps) {
  const [first, gap] = down ? [HEIGHT, GAP_Y] : [WIDTH, GAP_X];
  const [from, to] = [first + 6, first + gap - 6];
  const middle = (from + to) / 2;
  /** A point by how far along the wire it is, and how far beside its edge. */
  const point = (along: number, beside: number) => (down ? `${beside} ${along}` : `${along} ${beside}`);
  const words = (beside: number) => (down ? { x: beside + 9, y: middle + 4 } : { x: middle, y: beside - 8 });
  const [start, step] = down ? [40, 160] : [76, 44];
  return (
    <g className="text-12" textAnchor={down ? 'start' : 'middle'}>
      {link && !down && sends.some((send) => !send.outOfBand) ? (
        <text {...words(start + step * sends.length - 12)} fill="var(--ink-3)">
          {MEDIUM[link]}
        </text>
      ) : null}
      {sends.length === 0 ? (
        <>
          <path
            d={`M${point(from, down ? 150 : 92)}L${point(to, down ? 150 : 92)}`}
            stroke="var(--line-strong)"
          />
          <text {...words(down ? 150 : 92)} fill="var(--ink-3)">
            {link ? MEDIUM[link] : 'network'}
          </text>
        </>
      ) : (
        sends.map((send, i) => {
          const beside = start + step * i;
          const onwards = at(send.from) === 0;
          const tip = onwards ? to : from;
          const back = tip + (onwards ? -7 : 7);
          return (
            <g key={i}>
              <text {...words(beside)} fill="var(--ink)" fontWeight={600}>
                {send.text}
              </text>
              <path
                d={`M${point(from, beside)}L${point(to, beside)}`}
                stroke="var(--accent)"
                strokeWidth={2}
                strokeDasharray={dashes(send.outOfBand)}
              />
              <path
                d={`M${point(back, beside - 5)}L${point(tip, beside)}L${point(back, beside + 5)}`}
                stroke="var(--accent)"
                strokeWidth={2}
                fill="none"
              />
            </g>
          );
        })
      )}
    </g>
  );
}
