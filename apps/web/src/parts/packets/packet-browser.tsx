'use client';
import { useMemo } from 'react';
import { Button } from '../../ui/button';
import { FilterBar } from './filter-bar';
import { PacketDetail } from './packet-detail';
import { PacketList, type PacketListProps } from './packet-list';
import { FollowBar } from './follow-bar';
import { loadEngine } from './use-engine';
import type { Filtering } from './use-filter';
import { useRowsVersion } from './use-rows-version';

/** Filter and list above, the chosen packet below. Used for runs and for files alike. */
export function PacketBrowser({
  filtering,
  unfiltered,
  ...list
}: PacketListProps & { filtering: Filtering; unfiltered: number }) {
  const { rows, only, selected } = list;
  useRowsVersion(rows);
  const row = selected === null ? undefined : rows.at(selected);
  const listed = only?.length ?? rows.length;
  const { result, apply } = filtering;
  const follow = useMemo(() => (selected === null ? undefined : rows.follow?.(selected)), [rows, selected]);
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-[5] flex-col">
        <FilterBar filtering={filtering} listed={listed} unfiltered={unfiltered} />
        {result && listed === 0 ? (
          <div className="flex flex-col items-start gap-2 px-3 py-4 text-13 text-ink-2">
            <p>{result.looked < rows.length ? 'Filtering…' : 'No packets match the filter.'}</p>
            <Button size="small" onClick={() => apply('')}>
              Show all packets
            </Button>
          </div>
        ) : (
          <PacketList {...list} />
        )}
      </div>
      {row && selected !== null ? (
        <div className="flex min-h-0 flex-[6] flex-col border-t">
          {follow ? <FollowBar follow={follow} onFilter={apply} /> : null}
          <PacketDetail
            row={row}
            remarks={rows.remarks(selected)}
            phase={list.phaseAt?.(row.t) ?? null}
            onFilter={(field) =>
              void loadEngine().then(({ valueFilter }) => {
                const one = valueFilter(field, row.data);
                if (one !== null) apply(one);
              })
            }
          />
        </div>
      ) : (
        <p className="border-t px-3 py-2 text-13 text-ink-3">
          Choose a packet to see its headers, fields and bytes.
        </p>
      )}
    </div>
  );
}
