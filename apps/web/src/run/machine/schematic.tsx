'use client';
import type { Link } from '@verbslab/protocol';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { MachineLayout, MachineNode } from '../../model/machine/layout-types';
import { fillSpoken } from '../../model/machine/names';
import { nearestNode } from '../../model/machine/nearest-node';
import { RingStrip, UnknownPattern } from './ring';
import { Wire } from './wire';

export type Look = 'new' | 'gone' | 'used' | 'planned';

export interface SchematicProps {
  layout: MachineLayout;
  label: string;
  /** Links that carry the packets. */
  links: readonly Link[];
  selected: string | null;
  onSelect: (node: MachineNode) => void;
  /** Time of the picture, ns, for the audit. */
  at: number;
  /** Effect of the step on an object. */
  lookOf?: (node: MachineNode) => Look | null;
}

/** The machine as boxes, which can be selected with the mouse, or with the arrow keys and Enter. */
export function Schematic(props: SchematicProps) {
  const { layout, label, links, selected, onSelect, at, lookOf } = props;
  const { width, height, frames, nodes, wire } = layout;
  const root = useRef<SVGSVGElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  // Only one node is in the tab order.
  const stop = (nodes.find(({ id }) => id === focused) ?? nodes.find(({ id }) => id === selected) ?? nodes[0])
    ?.id;

  function keys(e: KeyboardEvent, node: MachineNode) {
    if (e.key === 'Enter' || e.key === ' ') {
      e.preventDefault();
      onSelect(node);
      return;
    }
    const next =
      e.key === 'Home' ? nodes[0]! : e.key === 'End' ? nodes.at(-1)! : nearestNode(nodes, node, e.key);
    if (!next) return;
    e.preventDefault();
    setFocused(next.id);
    root.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(next.id)}"]`)?.focus();
  }

  return (
    <svg
      ref={root}
      role="group"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="block max-w-full select-none"
      data-at={at}
    >
      <defs>
        <UnknownPattern />
      </defs>
      {frames.map((frame) => (
        <g key={frame.x} aria-hidden>
          <rect
            {...{ x: frame.x + 0.5, y: frame.y + 0.5, width: frame.w - 1, height: frame.h - 1, rx: 4 }}
            fill="none"
            stroke="var(--line)"
          />
          <text x={frame.x + 12} y={frame.y + 18} className="text-12" fill="var(--ink-3)">
            {frame.title}
          </text>
        </g>
      ))}
      {wire ? (
        <Wire
          wire={wire}
          links={links}
          outside={frames.length === 1 && frames[0]!.w < width ? frames[0]!.w : null}
        />
      ) : null}
      {nodes.map((node) => (
        <Node
          key={node.id}
          node={node}
          look={lookOf?.(node) ?? null}
          chosen={node.id === selected}
          tabIndex={node.id === stop ? 0 : -1}
          onSelect={() => {
            setFocused(node.id);
            onSelect(node);
          }}
          onKeyDown={(e) => keys(e, node)}
        />
      ))}
    </svg>
  );
}

const MARK: Readonly<Record<Look, string>> = { new: 'new', gone: 'gone', used: '', planned: '' };

const LOOK_SPOKEN: Readonly<Record<Look, string>> = {
  new: 'new in this step',
  gone: 'destroyed in this step',
  used: 'used in this step',
  planned: 'this step will make it',
};

function Node(props: {
  node: MachineNode;
  look: Look | null;
  chosen: boolean;
  tabIndex: number;
  onSelect: () => void;
  onKeyDown: (e: KeyboardEvent) => void;
}) {
  const { node, look, chosen, tabIndex, onSelect, onKeyDown } = props;
  const { x, y, w, h, part, what, frame, label, note, rings, kind, endpoint, turned } = node;
  const gone = look === 'gone' || look === 'planned' || (part?.gone ?? false);
  const fold = what === 'process' && h < 60;
  const two = fold || kind === 'MR';
  const inline = h < 40 && rings.length > 0;
  const baseline = frame || two || rings.length > 0 ? (inline ? h / 2 + 4 : 19) : h / 2 + 4;
  const mark = look ? MARK[look] : '';
  const state = part?.state ?? null;
  // If figures take up the right end, the mark is beside the name.
  const right = [inline ? '' : mark, state ?? ''].filter(Boolean);
  const room = w - 16 - right.join(' ').length * 8;
  const shown = cut(label, room / 7.3);
  return (
    <g
      role="button"
      tabIndex={tabIndex}
      aria-pressed={chosen}
      aria-label={spoken(node, look)}
      data-node={node.id}
      data-kind={kind}
      data-endpoint={endpoint}
      data-object={part ? label : undefined}
      data-look={look ?? undefined}
      onClick={(e) => {
        e.stopPropagation();
        onSelect();
      }}
      onKeyDown={onKeyDown}
      className="cursor-pointer outline-none [&:focus-visible>rect:first-child]:stroke-(--accent) [&:focus-visible>rect:first-child]:stroke-[3px] [&:hover>rect:first-child]:stroke-(--accent)"
    >
      <rect
        {...{ x: x + 0.5, y: y + 0.5, width: Math.max(0, w - 1), height: h - 1, rx: 3 }}
        fill={
          look || chosen
            ? 'var(--accent-wash)'
            : what === 'process' || kind === 'PD'
              ? 'var(--panel)'
              : 'var(--page)'
        }
        stroke={
          look || chosen ? 'var(--accent)' : part || what === 'process' ? 'var(--line-strong)' : 'var(--line)'
        }
        strokeWidth={chosen ? 2 : 1}
        strokeDasharray={gone ? '4 3' : fold || what === 'group' ? '2 2' : undefined}
      />
      <text
        x={turned ? x + w - 8 : x + 8}
        y={y + baseline}
        textAnchor={turned ? 'end' : undefined}
        className={part ? 'num text-12' : 'text-12'}
        fontWeight={what === 'process' || part ? 600 : 400}
        fill={gone ? 'var(--ink-3)' : 'var(--ink)'}
        data-shows={
          part
            ? 'machine-object'
            : what === 'process'
              ? 'machine-process'
              : what === 'group'
                ? 'machine-group'
                : 'machine-device'
        }
      >
        {shown}
      </text>
      {note && !inline && (two || room > (shown.length + 3) * 7.3) ? (
        <text
          x={turned ? x + w - 16 - shown.length * 7.3 : two ? x + 8 : x + 16 + shown.length * 7.3}
          y={fold ? y + h - 11 : two ? y + 35 : y + baseline}
          textAnchor={turned ? 'end' : undefined}
          className="text-12"
          fill="var(--ink-3)"
          data-shows="machine-note"
        >
          {cut(note, (two ? w - 16 : room - shown.length * 7.3 - 8) / 6.4)}
        </text>
      ) : null}
      {inline && mark ? (
        <text
          x={x + 16 + shown.length * 7.3}
          y={y + baseline}
          className="num text-12"
          fontWeight={600}
          fill="var(--accent)"
        >
          {mark}
        </text>
      ) : null}
      {right.length > 0 ? (
        <text x={x + w - 8} y={y + baseline} textAnchor="end" className="num text-12">
          {mark && !inline ? (
            <tspan fontWeight={600} fill="var(--accent)">
              {mark}
            </tspan>
          ) : null}
          {state ? (
            <tspan
              dx={mark && !inline ? 8 : 0}
              fontWeight={600}
              fill={state === 'ERR' ? 'var(--error-ink)' : 'var(--ink)'}
              data-shows="machine-state"
            >
              {state}
            </tspan>
          ) : null}
        </text>
      ) : null}
      {rings.map((ring) => (
        <RingStrip key={ring.ring.queue} place={ring} />
      ))}
    </g>
  );
}

const cut = (text: string, characters: number): string =>
  text.length <= Math.floor(characters) ? text : `${text.slice(0, Math.max(1, Math.floor(characters) - 1))}…`;

function spoken({ what, label, note, part, rings, endpoint }: MachineNode, look: Look | null): string {
  if (what === 'process') return `${label}: ${note || 'open'}`;
  const words = [
    `${label}${what === 'device' ? ', device' : ''} of ${endpoint}`,
    what === 'object' ? note : '',
    part?.state ? `state ${part.state}` : '',
    look ? LOOK_SPOKEN[look] : '',
    ...rings.map(({ ring }) => fillSpoken(ring)),
  ];
  return words.filter(Boolean).join(', ');
}
