'use client';
import type { DecodedPacket, Field } from '@verbslab/roce';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { cn } from '../../ui/cn';
import type { FilterUse } from './combine-filter';

/** A stretch of bytes that another pane points at. */
export interface ByteRange {
  offset: number;
  length: number;
}

export interface TreeSelection extends ByteRange {
  key: string;
  /** The id of the layer that it is, or is in. */
  layer: string;
  field: Field | null;
  title: string;
}

interface Node extends TreeSelection {
  level: 1 | 2;
  text: string;
  count: number;
}

/** Layers and their fields as one list of visible nodes: what the keyboard moves over. */
export function visibleNodes(packet: DecodedPacket, closed: ReadonlySet<string>): Node[] {
  return packet.layers.flatMap((layer, i) => {
    const key = `${i}`;
    const head: Node = {
      key,
      level: 1,
      layer: layer.id,
      field: null,
      title: layer.title,
      text: '',
      offset: layer.offset,
      length: layer.length,
      count: layer.fields.length,
    };
    if (closed.has(layer.id)) return [head];
    return [
      head,
      ...layer.fields.map((field, j): Node => ({
        key: `${i}.${j}`,
        level: 2,
        layer: layer.id,
        field,
        title: field.label,
        text: field.text,
        offset: field.offset,
        length: field.length,
        count: 0,
      })),
    ];
  });
}

const NONE_CLOSED: ReadonlySet<string> = new Set();

/** The layer or field that a selection of another packet would be in this one; null if this one has none such. */
export function sameIn(packet: DecodedPacket, selection: TreeSelection): TreeSelection | null {
  const { key, layer, field, title } = selection;
  const alike = visibleNodes(packet, NONE_CLOSED).filter((node) =>
    field ? node.layer === layer && node.title === title : node.layer === layer && node.level === 1,
  );
  // A layer may come twice, and a title twice in a layer.
  return alike.find((node) => node.key === key) ?? alike[0] ?? null;
}

/** The narrowest field that holds a byte. */
export function fieldAt(packet: DecodedPacket, offset: number): TreeSelection | null {
  let best: TreeSelection | null = null;
  for (const node of visibleNodes(packet, NONE_CLOSED)) {
    if (!node.field || offset < node.offset || offset >= node.offset + node.length) continue;
    if (!best || node.length < best.length) best = node;
  }
  return best;
}

/** The field that says why a request was refused; null in a packet without an AETH. */
export const syndromeOf = (packet: DecodedPacket): TreeSelection | null =>
  visibleNodes(packet, NONE_CLOSED).find(({ field }) => field?.name === 'infiniband.aeth.syndrome') ?? null;

/** Layers that are closed at first. */
export const CLOSED_AT_FIRST: ReadonlySet<string> = new Set([
  'ethernet',
  'vlan',
  'sll',
  'sll2',
  'ipv4',
  'ipv6',
  'udp',
  'payload',
]);

export interface FieldTreeProps {
  packet: DecodedPacket;
  closed: ReadonlySet<string>;
  onClosed: (closed: ReadonlySet<string>) => void;
  selection: TreeSelection | null;
  onSelect: (s: TreeSelection) => void;
  /** Filter for the value of a field; null for a field that no filter can name. Missing without a list to filter. */
  filterOf?: ((field: Field) => string | null) | undefined;
  onFilter?: ((field: Field, use: FilterUse) => void) | undefined;
  /** More about a field's value, derived from the whole capture. */
  noteOf?: ((field: Field) => string | null) | undefined;
}

/** Shift narrows the filter in place, Alt excludes the value. */
export const filterUse = ({ shiftKey, altKey }: { shiftKey: boolean; altKey: boolean }): FilterUse =>
  altKey ? 'not' : shiftKey ? 'and' : 'only';

/** Headers and fields of one packet under Wireshark's names. Arrow keys move, open and close; Enter filters by a field. */
export function FieldTree(props: FieldTreeProps) {
  const { packet, closed, onClosed, selection, onSelect, filterOf, onFilter, noteOf } = props;
  const nodes = visibleNodes(packet, closed);
  const root = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState('0');
  const at = Math.max(
    0,
    nodes.findIndex((n) => n.key === (selection?.key ?? active)),
  );

  function toggle(layer: string, open?: boolean) {
    const next = new Set(closed);
    if (open ?? next.has(layer)) next.delete(layer);
    else next.add(layer);
    onClosed(next);
  }
  function choose(i: number) {
    const n = nodes[i];
    if (!n) return;
    setActive(n.key);
    onSelect(n);
    root.current?.querySelector<HTMLElement>(`[data-key="${n.key}"]`)?.focus();
  }
  function onKeyDown(e: KeyboardEvent) {
    const n = nodes[at];
    if (!n) return;
    if (e.key === 'ArrowDown') choose(Math.min(nodes.length - 1, at + 1));
    else if (e.key === 'ArrowUp') choose(Math.max(0, at - 1));
    else if (e.key === 'Home') choose(0);
    else if (e.key === 'End') choose(nodes.length - 1);
    else if (e.key === 'ArrowRight' && n.level === 1) toggle(n.layer, true);
    else if (e.key === 'ArrowLeft' && n.level === 1) toggle(n.layer, false);
    else if (e.key === 'ArrowLeft') choose(nodes.findIndex((x) => x.level === 1 && x.layer === n.layer));
    else if ((e.key === 'Enter' || e.key === ' ') && n.level === 1) toggle(n.layer);
    else if (e.key === 'Enter' && n.field && onFilter) onFilter(n.field, filterUse(e));
    else return;
    e.preventDefault();
  }

  return (
    <div
      ref={root}
      role="tree"
      aria-label="Fields"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="py-1 text-13"
    >
      {nodes.map((n, i) => (
        <div
          key={n.key}
          role="treeitem"
          data-key={n.key}
          aria-level={n.level}
          aria-expanded={n.level === 1 && n.count > 0 ? !closed.has(n.layer) : undefined}
          aria-selected={n.key === selection?.key}
          tabIndex={i === at ? 0 : -1}
          onClick={() => {
            choose(i);
            if (n.level === 1) toggle(n.layer);
          }}
          onKeyDown={() => undefined}
          className={cn(
            'group flex min-h-6 cursor-default items-baseline gap-2 px-3 -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11 pointer-coarse:items-center',
            n.level === 2 && 'pl-8',
            n.key === selection?.key && 'bg-accent-wash',
          )}
        >
          {n.level === 1 ? (
            <>
              {n.count > 0 ? (
                closed.has(n.layer) ? (
                  <ChevronRight size={12} aria-hidden className="shrink-0 self-center" />
                ) : (
                  <ChevronDown size={12} aria-hidden className="shrink-0 self-center" />
                )
              ) : (
                <span className="w-3 shrink-0" />
              )}
              <span className="font-medium">{n.title}</span>
              <span className="num text-12 text-ink-3">{n.length} B</span>
            </>
          ) : (
            <>
              <span className="shrink-0 text-ink-2">{n.title}</span>
              <span className="num min-w-0 text-12 break-words">{n.text}</span>
              {n.field ? <FieldEnd field={n.field} {...{ filterOf, onFilter, noteOf }} /> : null}
            </>
          )}
        </div>
      ))}
    </div>
  );
}

/** What follows the value of a field: what it means in this capture, and the button that filters by it. */
function FieldEnd(props: { field: Field } & Pick<FieldTreeProps, 'filterOf' | 'onFilter' | 'noteOf'>) {
  const { field, filterOf, onFilter, noteOf } = props;
  const filter = filterOf?.(field) ?? null;
  const note = noteOf?.(field) ?? null;
  return (
    <>
      {note === null ? null : <span className="num text-12 text-ink-3">{note}</span>}
      {filter === null || !onFilter ? null : (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Filter: ${filter}`}
          title={`Filter: ${filter}\nShift: and. Alt: not.`}
          onClick={(e) => {
            e.stopPropagation();
            onFilter(field, filterUse(e));
          }}
          className="invisible ml-auto min-h-5 shrink-0 self-center rounded-[3px] border border-line-strong bg-panel px-1.5 text-12 group-hover:visible group-aria-selected:visible hover:bg-hover pointer-coarse:visible pointer-coarse:min-h-9"
        >
          Filter
        </button>
      )}
    </>
  );
}
