import type { RunEventOf } from '@verbslab/protocol';
import { text, time } from '../format/number';

const STAGES = [
  ['posted', 'posted'],
  ['firstTx', 'first packet out'],
  ['lastTx', 'last packet out'],
  ['acked', 'acknowledged'],
  ['cqe', 'CQE written'],
  ['polled', 'polled'],
] as const;

/** The life of a work request: when each thing happened, counted from its posting. */
export function WrLife({ wr }: { wr: RunEventOf<'wr'> }) {
  const end = Math.max(...STAGES.map(([k]) => wr[k] ?? wr.posted)) - wr.posted;
  return (
    <div className="py-2">
      <p className="text-13">
        <span className="num text-12 font-semibold">{wr.opcode}</span>{' '}
        <span className="num text-12 text-ink-3">wr_id {wr.wrId}</span>
      </p>
      <ol className="mt-1 grid gap-px">
        {STAGES.map(([key, label]) => {
          const t = wr[key];
          const after = t === null ? null : t - wr.posted;
          return (
            <li key={key} className="grid grid-cols-[8rem_5rem_1fr] items-center gap-x-3 text-13">
              <span className={after === null ? 'text-ink-3' : 'text-ink-2'}>{label}</span>
              <span className="num text-right text-12">
                {after === null ? 'not told' : after === 0 ? '0' : `+${text(time(after))}`}
              </span>
              <span aria-hidden className="h-2 max-w-[24rem] border-l border-line-strong">
                {after !== null && end > 0 ? (
                  <span className="block h-2 bg-rdma" style={{ width: `${(after / end) * 100}%` }} />
                ) : null}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
