'use client';
import { noun } from '@verbslab/labs';
import { lookupWcStatus, qpnText } from '@verbslab/protocol';
import { bytes, count, sig3, text } from '../../format/number';
import { cn } from '../../ui/cn';
import type { Topic } from '../../model/run-model';
import { workRowId } from '../../model/work-row';
import { useSelection } from '../../parts/run/use-selection';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['work', 'counters', 'state'];
const SHOWN = 100;
/** Stages with their headings; the third part is omitted in a narrow panel. */
const STAGES = [
  ['firstTx', 'first', ' packet'],
  ['lastTx', 'last', ' packet'],
  ['acked', 'ACK', ''],
  ['cqe', 'CQE', ''],
  ['polled', 'polled', ''],
] as const;

/**
 * Classes for a panel too narrow for ten columns: the identity of a request moves to a second line, and each stage
 * keeps its column.
 */
const NARROW = {
  rows: '@max-3xl:block',
  row: '@max-3xl:grid @max-3xl:grid-cols-[minmax(4.75rem,1fr)_repeat(5,3rem)]',
  opcode: '@max-3xl:wrap-anywhere',
  qp: '@max-3xl:col-start-2 @max-3xl:row-start-2',
  wrId: '@max-3xl:col-start-3 @max-3xl:col-end-5 @max-3xl:row-start-2 @max-3xl:wrap-anywhere @max-3xl:pl-2',
  length: '@max-3xl:col-start-5 @max-3xl:col-end-7 @max-3xl:row-start-2',
  status: '@max-3xl:col-start-1 @max-3xl:row-start-2 @max-3xl:text-left @max-3xl:wrap-anywhere',
};
const any = 'px-2 text-right first:pl-0 first:text-left last:pr-0 @max-3xl:px-0';
const head = `h-7 font-normal @max-3xl:h-auto @max-3xl:self-end ${any}`;
const cell = `num h-6 text-12 @max-3xl:h-auto @max-3xl:py-0.5 ${any}`;

/** Exact number of posted work requests, and the timelines of some of them, newest first. */
export default function WorkPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS, 'list');
  const { selection, select } = useSelection();
  const selected = selection?.kind === 'wr' ? selection.seq : null;
  const { model } = view;
  const posted = (name: string): number =>
    [...model.counters.values()].reduce((sum, c) => sum + (c.latest[name] ?? 0), 0);
  const sends = posted('posted_sends');
  const receives = posted('posted_recvs') + posted('posted_srq_recvs');
  if (sends + receives + model.livesSeen === 0) {
    return (
      <Waiting
        record={model.record}
        soon="Work requests appear here: how many were posted, and a timeline of some of them."
        never="No work request was posted to a queue."
      />
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-posted-sends={sends} data-posted-receives={receives}>
      <p className="min-h-6 px-3 pb-1 text-13">
        <span className="num" data-shows="posted-sends">
          {count(sends)}
        </span>{' '}
        <span className="text-ink-3">sends and</span>{' '}
        <span className="num" data-shows="posted-receives">
          {count(receives)}
        </span>{' '}
        <span className="text-ink-3">receives posted. </span>
        <span className="num" data-shows="lives">
          {count(model.livesSeen)}
        </span>{' '}
        <span className="text-ink-3">
          {noun(model.livesSeen, 'send is', 'sends are')} listed, newest first. Times are in µs after the
          post: when the first and the last packet left, the ACK came, the CQE was written, and the program
          polled it. A dash: that did not happen.
        </span>
      </p>
      <div
        className="thin-scroll @container min-h-0 flex-1 overflow-auto px-3"
        tabIndex={0}
        role="group"
        aria-label="Work requests"
      >
        <table className={cn('w-full', NARROW.rows)} data-shows="lives-table">
          <thead className={cn('sticky top-0 bg-panel text-12 text-ink-3 @max-3xl:border-b', NARROW.rows)}>
            <tr className={NARROW.row}>
              <th scope="col" className={head}>
                Opcode
              </th>
              <th scope="col" className={cn(head, NARROW.qp)}>
                QP
              </th>
              <th scope="col" className={cn(head, NARROW.wrId)}>
                wr_id
              </th>
              <th scope="col" className={cn(head, NARROW.length)}>
                Length
              </th>
              <th scope="col" className={cn(head, NARROW.status)}>
                Status
              </th>
              {STAGES.map(([key, title, more]) => (
                <th key={key} scope="col" className={head}>
                  {title}
                  <span className="@max-3xl:sr-only">{more}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={cn('divide-y', NARROW.rows)}>
            {model.lives
              .slice(-SHOWN)
              .reverse()
              .map((wr) => (
                <tr
                  key={wr.seq}
                  id={workRowId(wr.qpn, wr.wrId)}
                  className={cn(
                    'scroll-mt-8 target:bg-accent-wash @max-3xl:scroll-mt-16',
                    selected === wr.seq && 'bg-accent-wash',
                    NARROW.row,
                    wr.status !== 0 && 'text-error-ink',
                  )}
                >
                  <td className={cn(cell, NARROW.opcode)}>
                    <button
                      type="button"
                      className="text-accent hover:underline"
                      title="Show it on the timeline"
                      onClick={() => select({ kind: 'wr', seq: wr.seq })}
                    >
                      {wr.opcode}
                    </button>
                  </td>
                  <td className={cn(cell, NARROW.qp)}>{qpnText(wr.qpn)}</td>
                  <td className={cn(cell, NARROW.wrId)}>{wr.wrId}</td>
                  <td className={cn(cell, NARROW.length)}>{text(bytes(wr.byteLen))}</td>
                  <td className={cn(cell, NARROW.status)}>{lookupWcStatus(wr.status).name}</td>
                  {STAGES.map(([key]) => {
                    const t = wr[key];
                    return (
                      <td key={key} className={cell}>
                        {t === null ? '–' : sig3((t - wr.posted) / 1000)}
                      </td>
                    );
                  })}
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
