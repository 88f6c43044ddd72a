import type { RunEventOf } from '@verbslab/protocol';
import { text, time } from '../format/number';
import { requestTimes } from '../model/request-times';

const STAGES = [
  ['posted', 'posted'],
  ['firstTx', 'first packet out'],
  ['lastTx', 'last packet out'],
  ['acked', 'acknowledged'],
  ['cqe', 'CQE written'],
] as const;
const row = 'grid grid-cols-[8rem_5rem_1fr] items-center gap-x-3 text-13';
const bar = 'flex h-2 max-w-[24rem]';

/**
 * The life of a work request, counted from its posting: what the device did, on a scale of its own, and beside it what the
 * program took until it polled.
 */
export function WrLife({ wr }: { wr: RunEventOf<'wr'> }) {
  const { device, program } = requestTimes(wr);
  const end = device ?? Math.max(...STAGES.map(([key]) => (wr[key] ?? wr.posted) - wr.posted));
  return (
    <div className="py-2" data-wr={wr.wrId}>
      <p className="text-13" data-shows="wr">
        <span className="num text-12 font-semibold">{wr.opcode}</span>{' '}
        <span className="num text-12 text-ink-3">wr_id {wr.wrId}</span>
      </p>
      <ol className="mt-1 grid gap-px">
        {STAGES.map(([key, label]) => {
          const t = wr[key];
          const after = t === null ? null : t - wr.posted;
          return (
            <li key={key} data-stage={key} className={row}>
              <span className={after === null ? 'text-ink-3' : 'text-ink-2'}>{label}</span>
              <Time after={after} />
              <span aria-hidden className={`${bar} border-l border-line-strong`}>
                {after !== null && end > 0 ? <Share of="device" part={after / end} /> : null}
              </span>
            </li>
          );
        })}
        <li data-stage="polled" className={`${row} mt-2 border-t pt-2`}>
          <span className={wr.polled === null ? 'text-ink-3' : 'text-ink-2'}>polled</span>
          <Time after={wr.polled === null ? null : wr.polled - wr.posted} />
          {device === null || program === null ? null : (
            <span aria-hidden className={`${bar} border-l border-line-strong`}>
              <Share of="device" part={device / Math.max(1, device + program)} />
              <Share of="program" part={program / Math.max(1, device + program)} />
            </span>
          )}
        </li>
      </ol>
      {device === null || program === null ? null : (
        <p className="prose mt-1.5 text-13 text-ink-2">
          The bars have two scales: the upper ones run from posting to the CQE, the lower one from posting to
          the poll that found it. <Swatch of="device" /> Device{' '}
          <span className="num text-12" data-shows="device-time">
            {text(time(device))}
          </span>
          : from posting to the CQE, including the link, the other side and any wait for a CPU.{' '}
          <Swatch of="program" /> Program{' '}
          <span className="num text-12" data-shows="program-time">
            {text(time(program))}
          </span>
          : until this lab’s program, which runs in Node.js and polls when the lab asks for it, found the CQE
          with ibv_poll_cq. RDMA does not cause that delay.
        </p>
      )}
    </div>
  );
}

function Time({ after }: { after: number | null }) {
  return (
    <span className="num text-right text-12" data-shows="stage">
      {after === null ? 'none' : after === 0 ? '0' : `+${text(time(after))}`}
    </span>
  );
}

const SHADE = { device: 'bg-rdma', program: 'bg-line-strong' } as const;

function Share({ of, part }: { of: keyof typeof SHADE; part: number }) {
  return <span data-share={of} className={`block h-2 ${SHADE[of]}`} style={{ width: `${part * 100}%` }} />;
}

function Swatch({ of }: { of: keyof typeof SHADE }) {
  return <span aria-hidden className={`inline-block size-2 ${SHADE[of]}`} />;
}
