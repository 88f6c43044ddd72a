import type { QueueKind } from '@verbslab/protocol';
import { memo } from 'react';
import { count, sig3 } from '../../format/number';
import { UNKNOWN_FILL, type ListedQueue } from '../../model/queue-list';
import { cn } from '../../ui/cn';
import { PolicyBadge } from '../policies/policy-badge';

const COLOR: Readonly<Record<QueueKind, string>> = {
  SQ: 'var(--rdma)',
  RQ: 'var(--rdma)',
  SRQ: 'var(--rdma)',
  CQ: 'var(--cpu-nic)',
};

const MEANING: Readonly<Record<QueueKind, string>> = {
  SQ: 'Work requests whose completion was not polled',
  RQ: 'Receives that no message has taken',
  SRQ: 'Receives that no message has taken',
  CQ: 'Completions that were not polled',
};

interface QueueTableProps {
  rows: readonly ListedQueue[];
  /** True to say whose queue it is. */
  several: boolean;
  /** Key of the queue whose chart is shown; without it, rows cannot be chosen. */
  chosen?: string | undefined;
  onChoose?: (key: string) => void;
}

/** A row per queue: how full it is, and since when nothing has moved in it. */
export function QueueTable({ rows, several, chosen, onChoose }: QueueTableProps) {
  return (
    <table className="w-full text-13">
      <thead className="text-12 text-ink-3">
        <tr>
          <th scope="col" className="h-7 text-left font-normal">
            Queue
          </th>
          <th scope="col" className="w-[24%] min-w-12 font-normal">
            <span className="sr-only">Part in use</span>
          </th>
          <th scope="col" className="px-2 text-right font-normal">
            In it
          </th>
          <th scope="col" className="pl-3 text-left font-normal">
            Last changed at
          </th>
        </tr>
      </thead>
      <tbody className="divide-y">
        {rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            several={several}
            chosen={row.key === chosen}
            {...(onChoose ? { onChoose } : {})}
          />
        ))}
      </tbody>
    </table>
  );
}

const sameRow = (a: ListedQueue, b: ListedQueue): boolean =>
  a.size === b.size &&
  a.waits === b.waits &&
  a.policy?.congestion === b.policy?.congestion &&
  a.policy?.recovery === b.policy?.recovery &&
  a.policy?.recoveryInEffect === b.policy?.recoveryInEffect &&
  JSON.stringify(a.fill) === JSON.stringify(b.fill);

interface RowProps {
  row: ListedQueue;
  several: boolean;
  chosen: boolean;
  onChoose?: (key: string) => void;
}

const Row = memo(
  function Row({ row, several, chosen, onChoose }: RowProps) {
    const { key, name, endpoint, kind, size, fill, waits, policy } = row;
    const label = several ? `${name}, ${endpoint}` : name;
    return (
      <tr
        className={cn(chosen && 'bg-accent-wash')}
        data-queue={name}
        data-endpoint={endpoint}
        data-fill={fill.is}
      >
        <th scope="row" className="num h-8 text-left font-normal whitespace-nowrap" title={MEANING[kind]}>
          {onChoose ? (
            <button
              type="button"
              aria-pressed={chosen}
              className="min-h-8 text-left underline decoration-line-strong underline-offset-2 pointer-coarse:min-h-11"
              onClick={() => onChoose(key)}
              data-words
            >
              {label}
            </button>
          ) : (
            <span data-words>{label}</span>
          )}
          {policy ? <PolicyBadge policy={policy} className="ml-2" /> : null}
        </th>
        <td>
          <Bar row={row} />
        </td>
        <td className="num px-2 text-right whitespace-nowrap" data-shows="queue-fill">
          {fill.is === 'known' ? count(fill.used) : '?'} / {size === null ? '?' : count(size)}
        </td>
        <td className={cn('num pl-3', waits ? 'text-retx-ink' : 'text-ink-2')}>
          {fill.is === 'known' ? (
            <span data-shows="queue-since">{sinceText(fill.since)}</span>
          ) : (
            <span className="font-sans text-12 text-ink-3" data-words>
              {UNKNOWN_FILL[fill.why]}
            </span>
          )}
        </td>
      </tr>
    );
  },
  (a, b) =>
    sameRow(a.row, b.row) && a.chosen === b.chosen && a.several === b.several && a.onChoose === b.onChoose,
);

const sinceText = (since: number | undefined): string =>
  since === undefined ? 'changing' : `${sig3(since / 1e9)} s`;

function Bar({ row: { kind, size, fill, waits } }: { row: ListedQueue }) {
  if (fill.is !== 'known')
    return <span className="hatched block h-2 border border-line-strong" aria-hidden />;
  const part = size === null || size === 0 ? 0 : Math.min(1, fill.used / size);
  return (
    <span className="block h-2 bg-(--slot)" aria-hidden>
      <span
        className="block h-full"
        style={{
          width: part === 0 ? 0 : `max(3px, ${100 * part}%)`,
          background: waits ? 'var(--retx)' : COLOR[kind],
        }}
      />
    </span>
  );
}
