'use client';
import { lookupWcStatus } from '@verbslab/protocol';
import { arrowLabel } from '@verbslab/roce';
import type { MouseEvent, ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import { bytes, count, text } from '../../format/number';
import { runPackets } from '../../model/packet-rows';
import { cn } from '../../ui/cn';
import { bookOf } from '../../model/machine/book';
import type { MachinePart } from '../../model/machine/machine';
import { packetsOf } from '../../model/machine/packets';
import { isSelected, selectionOf, type Work } from '../../model/machine/work';
import { sameSelection, writeSelection, type Selection } from '../../model/selection';
import { useSelection } from '../../parts/run/use-selection';

/** Requests and packets that are listed of one object; the panels have them all. */
const LISTED = 8;

/** Selects something on the page, for all of its views. */
function Jump({ to, children }: { to: Selection; children: ReactNode }) {
  const { selection, select } = useSelection();
  const current = sameSelection(selection, to);
  const address = new URLSearchParams(typeof location === 'undefined' ? '' : location.search);
  writeSelection(address, to);
  return (
    <a
      href={`?${address}`}
      aria-current={current || undefined}
      className={cn('text-accent underline', current && 'bg-accent-wash font-semibold')}
      onClick={(e: MouseEvent) => {
        if (e.metaKey || e.ctrlKey || e.shiftKey) return;
        e.preventDefault();
        select(to);
      }}
    >
      {children}
    </a>
  );
}

export function Requests({ view, part, at }: { view: RunView; part: MachinePart; at: number }) {
  const { selection } = useSelection();
  const book = bookOf(view.model);
  const work = (['SQ', 'RQ', 'SRQ'] as const)
    .flatMap((queue) => [...book.workOf(part, queue)])
    .filter(({ posted }) => posted <= at);
  if (part.kind !== 'QP' && part.kind !== 'SRQ') return null;
  const latest = work.slice(-LISTED).reverse();
  const chosen = work.find((one) => isSelected(one, selection));
  const listed = chosen && !latest.includes(chosen) ? [...latest, chosen] : latest;
  return (
    <div className="mt-2 border-t pt-1.5" data-machine-requests>
      <h4 className="font-medium">Work requests</h4>
      {part.kind === 'QP' && part.number !== null ? (
        <p>
          <Jump to={{ kind: 'qp', endpoint: part.endpoint, qpn: part.number }}>This QP in the timeline</Jump>
        </p>
      ) : null}
      {listed.length === 0 ? (
        <p className="text-ink-3">None is recorded one by one up to this time.</p>
      ) : (
        <ol className="num text-12">
          {listed.map((one, i) => (
            <li key={`${one.seq} ${i}`} data-shows="machine-request" data-seq={one.seq}>
              <Jump to={selectionOf(one)}>
                {one.opcode} wr_id {Number.isNaN(one.wrId) ? '–' : one.wrId}
              </Jump>
              <span className="text-ink-3">{` ${text(bytes(one.bytes))}, ${outcome(one, at)}`}</span>
            </li>
          ))}
        </ol>
      )}
      {work.length > latest.length ? (
        <p className="text-ink-3" data-words>
          The latest {LISTED} are listed.
        </p>
      ) : null}
    </div>
  );
}

function outcome({ done, polled, status, signaled }: Work, at: number): string {
  if (polled !== null && polled <= at) return status ? lookupWcStatus(status).name : 'polled';
  if (done === null || done > at) return 'outstanding';
  return signaled ? 'completed' : 'completed, unsignaled';
}

export function Packets({ view, part }: { view: RunView; part: MachinePart }) {
  if (!['QP', 'MR', 'MW'].includes(part.kind) || view.model.packets.length === 0) return null;
  const rows = runPackets(view.model.packets);
  const list = packetsOf(view.model, part, LISTED);
  return (
    <div className="mt-2 border-t pt-1.5">
      <h4 className="font-medium">Packets</h4>
      {list.length === 0 ? (
        <p className="text-ink-3">
          {part.kind === 'QP'
            ? 'None of the recorded packets is its.'
            : 'None of the recorded packets has its key.'}
        </p>
      ) : (
        <ol className="num text-12">
          {list.map((index) => (
            <li key={index} data-shows="machine-packet" data-packet={index}>
              <Jump
                to={{ kind: 'packet', index }}
              >{`${count(index + 1)} ${arrowLabel(rows.at(index)!)}`}</Jump>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
