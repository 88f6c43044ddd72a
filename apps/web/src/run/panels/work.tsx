'use client';
import { lookupWcStatus } from '@verbslab/protocol';
import { bytes, count, hex, sig3, text } from '../../format/number';
import { cn } from '../../ui/cn';
import type { Topic } from '../model/run-model';
import { useTopics } from '../use-session';
import type { PanelContentProps } from './types';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['work', 'counters', 'state'];
const SHOWN = 100;
const STAGES = [
  ['firstTx', 'sent'],
  ['acked', 'acknowledged'],
  ['cqe', 'CQE'],
  ['polled', 'polled'],
] as const;
const head = 'h-7 px-2 text-right font-normal first:pl-0 first:text-left last:pr-0';
const cell = 'num h-6 px-2 text-right text-12 first:pl-0 first:text-left last:pr-0';

/** How many work requests were posted, exactly; and the lives of some of them, newest first. */
export default function WorkPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS, 'list');
  const { model } = view;
  const posted = (name: string): number =>
    [...model.counters.values()].reduce((sum, c) => sum + (c.latest[name] ?? 0), 0);
  const sends = posted('posted_sends');
  const receives = posted('posted_recvs') + posted('posted_srq_recvs');
  if (sends + receives + model.livesSeen === 0) {
    return (
      <Waiting
        record={model.record}
        soon="Work requests appear here: how many were posted, and what became of some of them when."
        never="The program posted no work request."
      />
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-posted-sends={sends} data-posted-receives={receives}>
      <p className="min-h-6 px-3 text-13">
        <span className="num" data-shows="posted-sends">
          {count(sends)}
        </span>{' '}
        <span className="text-ink-3">sends and</span>{' '}
        <span className="num" data-shows="posted-receives">
          {count(receives)}
        </span>{' '}
        <span className="text-ink-3">receives posted; below, </span>
        <span className="num" data-shows="lives">
          {count(model.livesSeen)}
        </span>{' '}
        <span className="text-ink-3">of the sends in detail, µs after they were posted</span>
      </p>
      <div
        className="thin-scroll min-h-0 flex-1 overflow-auto px-3"
        tabIndex={0}
        role="group"
        aria-label="Work requests"
      >
        <table className="w-full" data-shows="lives-table">
          <thead className="sticky top-0 bg-panel text-12 text-ink-3">
            <tr>
              <th scope="col" className={head}>
                Opcode
              </th>
              <th scope="col" className={head}>
                QP
              </th>
              <th scope="col" className={head}>
                wr_id
              </th>
              <th scope="col" className={head}>
                Payload
              </th>
              {STAGES.map(([key, title]) => (
                <th key={key} scope="col" className={head}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y">
            {model.lives
              .slice(-SHOWN)
              .reverse()
              .map((wr) => (
                <tr key={wr.seq} className={cn(wr.status !== 0 && 'text-error-ink')}>
                  <td className={cell}>{wr.status === 0 ? wr.opcode : lookupWcStatus(wr.status).name}</td>
                  <td className={cell}>{hex(wr.qpn)}</td>
                  <td className={cell}>{wr.wrId}</td>
                  <td className={cell}>{text(bytes(wr.byteLen))}</td>
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
