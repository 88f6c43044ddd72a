import type { DecodedPacket, Field } from '@verbslab/roce';
import { Button } from '../../ui/button';
import type { FilterUse } from './combine-filter';

const ICRC_WORD = {
  ok: 'is correct',
  'ok-other-id': 'is correct for another IP identification',
  bad: 'is wrong',
  unchecked: 'cannot be checked',
};

const USES: readonly [FilterUse, string][] = [
  ['only', 'Filter'],
  ['and', 'And'],
  ['not', 'Not'],
];

/** What the chosen field means, with the filters for its value; the ICRC while none is chosen. */
export function FieldFoot(props: {
  packet: DecodedPacket;
  field: Field | null;
  filter: string | null;
  onFilter?: ((filter: string, use: FilterUse) => void) | undefined;
}) {
  const { packet, field, filter, onFilter } = props;
  return (
    <div className="min-h-11 border-t px-3 py-1 text-12 text-ink-2">
      {field ? (
        <>
          <span className="num text-ink">{field.name}</span>
          {field.inWireshark ? null : (
            <span className="text-ink-3"> (no display filter in Wireshark)</span>
          )}{' '}
          {field.doc}{' '}
          {filter !== null && onFilter ? (
            <span role="group" aria-label={`Filter by ${filter}`} className="inline-flex gap-1">
              {USES.map(([use, label]) => (
                <Button
                  key={use}
                  size="small"
                  shape="tight"
                  className="my-0.5"
                  onClick={() => onFilter(filter, use)}
                >
                  {label}
                </Button>
              ))}
            </span>
          ) : null}
        </>
      ) : packet.icrc ? (
        <>
          The ICRC {ICRC_WORD[packet.icrc.status]}
          {packet.icrc.id !== undefined && packet.icrc.status === 'ok-other-id' ? ` (${packet.icrc.id})` : ''}
          {packet.icrc.reason ? `: ${packet.icrc.reason}` : ''}. Select a field to see what it means.
        </>
      ) : (
        'Select a field to see what it means.'
      )}
    </div>
  );
}
