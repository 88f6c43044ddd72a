'use client';
import { PacketDetail } from './packet-detail';
import { PacketList, type PacketListProps } from './packet-list';

/** List above, the chosen packet below. Used for runs and for files alike. */
export function PacketBrowser(props: PacketListProps) {
  const row = props.selected === null ? undefined : props.rows.at(props.selected);
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-[5] flex-col">
        <PacketList {...props} />
      </div>
      {row && props.selected !== null ? (
        <div className="flex min-h-0 flex-[6] flex-col border-t">
          <PacketDetail row={row} remarks={props.rows.remarks(props.selected)} />
        </div>
      ) : (
        <p className="border-t px-3 py-2 text-13 text-ink-3">
          Choose a packet to see its headers, fields and bytes.
        </p>
      )}
    </div>
  );
}
