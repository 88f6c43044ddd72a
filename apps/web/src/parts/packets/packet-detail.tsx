'use client';
import { decodePacket, type DecodedPacket, type Field, type PacketRow } from '@verbslab/roce';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button';
import { CLOSED_AT_FIRST, FieldTree, sameIn, type TreeSelection } from './field-tree';
import { HexPane } from './hex-pane';

const ICRC_WORD = {
  ok: 'is correct',
  'ok-other-id': 'is correct for another IP identification',
  bad: 'is wrong',
  unchecked: 'cannot be checked',
};

/**
 * Field tree, the explanation of the chosen field, and the bytes. Which layers are open and which field is chosen outlives
 * the packet.
 */
export function PacketDetail(props: {
  row: PacketRow;
  remarks: readonly string[];
  /** The phase of the run that it belongs to. */
  phase?: string | null;
  /** Lists only packets with the value of this field. */
  onFilter?: (field: Field) => void;
}) {
  const { row, remarks, phase = null, onFilter } = props;
  const packet = useMemo(
    () => decodePacket(row.data, row.linkType, row.ports ? { ports: row.ports } : {}),
    [row],
  );
  const [closed, setClosed] = useState<ReadonlySet<string>>(CLOSED_AT_FIRST);
  const [chosen, setChosen] = useState<TreeSelection | null>(null);
  const selection = useMemo(() => chosen && sameIn(packet, chosen), [packet, chosen]);
  return (
    <div
      data-records="packet-fields"
      className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)_minmax(0,1fr)_auto] @3xl:grid-cols-[minmax(0,1fr)_minmax(0,35rem)] @3xl:grid-rows-[minmax(0,1fr)_auto]"
    >
      <div className="thin-scroll min-h-0 overflow-auto">
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
          <p key={r} className="px-3 py-1 text-retx-ink">
            {r}
          </p>
        ))}
        <FieldTree
          packet={packet}
          closed={closed}
          onClosed={setClosed}
          selection={selection}
          onSelect={setChosen}
        />
      </div>
      {}
      <div
        className="thin-scroll min-h-0 overflow-auto border-t @3xl:border-t-0 @3xl:border-l"
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
      <div className="min-h-11 border-t px-3 py-1 text-12 text-ink-2 @3xl:col-span-2">
        {selection?.field ? (
          <>
            <span className="num text-ink">{selection.field.name}</span>
            {selection.field.inWireshark ? null : (
              <span className="text-ink-3"> (no display filter in Wireshark)</span>
            )}{' '}
            {selection.field.doc}{' '}
            {onFilter ? (
              <Button
                size="small"
                shape="tight"
                className="my-0.5"
                onClick={() => onFilter(selection.field!)}
              >
                Filter by this value
              </Button>
            ) : null}
          </>
        ) : packet.icrc ? (
          <>
            The ICRC {ICRC_WORD[packet.icrc.status]}
            {packet.icrc.id !== undefined && packet.icrc.status === 'ok-other-id'
              ? ` (${packet.icrc.id})`
              : ''}
            {packet.icrc.reason ? `: ${packet.icrc.reason}` : ''}. Select a field to see what it means.
          </>
        ) : (
          'Select a field to see what it means.'
        )}
      </div>
    </div>
  );
}

/** The narrowest field that holds a byte. */
function fieldAt(packet: DecodedPacket, offset: number): TreeSelection | null {
  let best: TreeSelection | null = null;
  packet.layers.forEach((layer, i) => {
    layer.fields.forEach((field, j) => {
      if (offset < field.offset || offset >= field.offset + field.length) return;
      if (best && best.length <= field.length) return;
      best = {
        key: `${i}.${j}`,
        field,
        title: field.label,
        offset: field.offset,
        length: field.length,
        layer: layer.id,
      };
    });
  });
  return best;
}
