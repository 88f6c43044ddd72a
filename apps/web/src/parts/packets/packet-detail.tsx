'use client';
import { decodePacket, type Field, type PacketRow } from '@verbslab/roce';
import { useEffect, useMemo, useRef, useState } from 'react';
import { count } from '../../format/number';
import { cn } from '../../ui/cn';
import { Split } from '../../ui/split';
import { useWidth } from '../../ui/use-width';
import type { FilterUse } from './combine-filter';
import { FieldFoot } from './field-foot';
import { CLOSED_AT_FIRST, FieldTree, fieldAt, sameIn, syndromeOf, type TreeSelection } from './field-tree';
import { HexPane } from './hex-pane';
import { inkOf, operationText } from './list-columns';
import { useEngine } from './use-engine';

/** Width in rem from which the bytes are beside the fields. */
const BESIDE = 48;

/** Scrolls a pane, and nothing around it, until a row is in its middle, if it is out of sight. */
function showIn(pane: HTMLElement | null, selector: string): void {
  const row = pane?.querySelector(selector);
  if (!pane || !row) return;
  const [outer, inner] = [pane.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  pane.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}

export interface PacketDetailProps {
  row: PacketRow;
  remarks: readonly string[];
  /** The phase of the run that it belongs to. */
  phase?: string | null;
  /** PSN as the distance from the first request; null if unknown. */
  relativePsn?: number | null;
  /** The bytes below the fields. Missing: beside them where there is room. */
  direction?: 'column';
  /** Applies the filter of a field to the list. */
  onFilter?: (filter: string, use: FilterUse) => void;
}

/** Field tree, the bytes, and what the chosen field means. Open layers and the chosen field outlive the packet. */
export function PacketDetail(props: PacketDetailProps) {
  const { row, remarks, phase = null, relativePsn = null, onFilter } = props;
  const packet = useMemo(
    () => decodePacket(row.data, row.linkType, row.ports ? { ports: row.ports } : {}),
    [row],
  );
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const direction = props.direction ?? (width !== null && width < BESIDE ? 'column' : 'row');
  const [closed, setClosed] = useState<ReadonlySet<string>>(CLOSED_AT_FIRST);
  const [chosen, setChosen] = useState<TreeSelection | null>(null);
  // The code of a NAK is what it says, so it is shown at once.
  const answer = useMemo(
    () => (row.kind === 'nak' || row.kind === 'rnr' ? syndromeOf(packet) : null),
    [row, packet],
  );
  const selection = useMemo(() => (chosen && sameIn(packet, chosen)) ?? answer, [packet, chosen, answer]);
  const open = useMemo(
    () => (answer ? new Set([...closed].filter((id) => id !== answer.layer)) : closed),
    [closed, answer],
  );
  const tree = useRef<HTMLDivElement>(null);
  const engine = useEngine(onFilter !== undefined);
  const inSight = (answer ?? selection)?.key;
  useEffect(() => {
    if (inSight !== undefined) showIn(tree.current, `[data-key="${inSight}"]`);
    // The filters below the fields take room once their code is there.
  }, [row, inSight, engine]);
  const filterOf = engine ? (field: Field) => engine.valueFilter(field, row.data) : undefined;
  const filterBy =
    onFilter &&
    ((field: Field, use: FilterUse) => {
      const filter = filterOf?.(field);
      if (filter) onFilter(filter, use);
    });
  const noteOf = ({ name }: Field) =>
    name === 'infiniband.bth.psn' && relativePsn !== null
      ? `${relativePsn < 0 ? '' : '+'}${relativePsn}`
      : null;
  return (
    <div ref={place} data-records="packet-fields" className="flex min-h-0 flex-1 flex-col">
      <Split
        id={`packet-bytes-${direction}`}
        label="Fields and bytes"
        direction={direction}
        initial={direction === 'row' ? 45 : 66}
      >
        <div ref={tree} className="thin-scroll min-h-0 flex-1 overflow-auto">
          <p className={cn('num px-3 pt-1.5 text-12 font-medium', inkOf(row.kind, []).operation)}>
            <span className="font-normal text-ink-3">Packet {count(row.index + 1)}</span> {operationText(row)}
          </p>
          {packet.error && !packet.summary.cut ? (
            <p className="px-3 py-1 text-error-ink">
              Malformed at byte {packet.error.offset}: {packet.error.message}
            </p>
          ) : null}
          {packet.summary.cut ? (
            <p className="px-3 py-1 text-ink-3">
              The capture holds the first {row.length} of {row.originalLength} bytes.
            </p>
          ) : null}
          {phase === null ? null : (
            <p className="px-3 py-1 text-13 text-ink-2" data-shows="packet-phase">
              Phase: {phase}
            </p>
          )}
          {remarks.map((r) => (
            <p key={r} className="px-3 py-1 text-13 text-retx-ink">
              {r}
            </p>
          ))}
          <FieldTree
            packet={packet}
            closed={open}
            onClosed={setClosed}
            selection={selection}
            onSelect={setChosen}
            filterOf={filterOf}
            onFilter={filterBy}
            noteOf={noteOf}
          />
        </div>
        <div
          className="thin-scroll min-h-0 flex-1 overflow-auto"
          tabIndex={0}
          role="group"
          aria-label="Bytes"
        >
          <HexPane
            data={row.data}
            range={selection}
            onByte={(offset) => {
              const s = fieldAt(packet, offset);
              if (!s) return;
              setClosed((old) => new Set([...old].filter((id) => id !== s.layer)));
              setChosen(s);
            }}
          />
        </div>
      </Split>
      <FieldFoot
        packet={packet}
        field={selection?.field ?? null}
        filter={(selection?.field && filterOf?.(selection.field)) ?? null}
        onFilter={onFilter}
      />
    </div>
  );
}
