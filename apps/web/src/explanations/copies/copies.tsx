'use client';
import { formatBytes } from '@verbslab/labs';
import { useMemo } from 'react';
import { Choice, ControlGroup } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { CopyPath } from './copy-path';
import { compute, copiesOf, DEFAULTS, moreCopies, specsOf, waysIn, type Difference } from './model';

const COSTS: Readonly<Record<Difference, string>> = {
  more: ', and its small messages cost more CPU time here',
  less: ', and yet its small messages cost less CPU time here',
  unclear:
    '; the CPU time of small messages shows no clear difference, because the ranges of the rounds overlap',
  few: '; the run has too few rounds for a verdict on the CPU time of small messages',
};

export default function Copies({ run: { record, results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const small = Number(record.parameters.size);
  const large = Number(record.parameters.large);
  const rounds = Number(record.parameters.repeat);
  const ways = useMemo(() => waysIn(results), [results]);
  const size = asked.size === large ? large : small;
  const one = ways.includes(asked.one) ? asked.one : (ways[0] ?? '');
  const other = ways.includes(asked.other) ? asked.other : (ways.at(-1) ?? '');
  const of = useMemo(() => {
    const using = { size, one, other };
    return {
      id: 'copies',
      using,
      specs: specsOf(using),
      found: compute(results, { size: small, large }, using),
    };
  }, [results, small, large, size, one, other]);
  const more = useMemo(
    () => moreCopies(results, { size: small, large }, { one, other }, rounds),
    [results, small, large, one, other, rounds],
  );
  const options = ways.map((way) => ({ id: way, text: way }));
  const marks = useMemo(() => [{ names: ['one', 'other'], x: size, label: formatBytes(size) }], [size]);
  return (
    <>
      <ControlGroup>
        <Choice
          label="Message size"
          options={[small, large].map((bytes) => ({ id: String(bytes), text: formatBytes(bytes) }))}
          value={String(size)}
          onChange={(id) => change({ size: Number(id) })}
        />
        <Choice
          label="First transport"
          options={options}
          value={one}
          onChange={(id) => change({ one: id })}
        />
        <Choice
          label="Second transport"
          options={options}
          value={other}
          onChange={(id) => change({ other: id })}
        />
      </ControlGroup>
      <ExplainedViews of={of} marks={marks}>
        <div className="grid gap-6 lg:grid-cols-2">
          {[one, other].map((way, i) => (
            <CopyPath key={i} way={way} path={copiesOf(results, way)} />
          ))}
        </div>
        <div className="prose space-y-2 text-13 text-ink-2">
          <p>
            The last two rows of the table are the answer: what a message costs whatever its size, and what
            each byte adds. The run has no figure for one copy or one system call alone.
          </p>
          <p>
            {more ? `${more.way} makes more copies than ${more.than}${COSTS[more.cpu]}. ` : null}
            Copies count for large messages. If the ends sleep while they wait, a small message costs mostly
            system calls and wake-ups, so compare the context switches before the copies.
          </p>
          <p>
            The system calls through shared memory are mostly sleeps and wake-ups. A tracer counted them, and
            it slows the threads down, so that they sleep more often than in the rounds that measured CPU
            time.
          </p>
          <p>
            A software device builds its packets with the CPU, which copies the bytes. A hardware NIC reads
            and writes the memory of the programs itself (DMA): over a NIC, WRITE and SEND need no copy.
            {ways.some((way) => copiesOf(results, way)?.copies === 0)
              ? null
              : ' No transport of this run has such a path.'}
          </p>
        </div>
      </ExplainedViews>
    </>
  );
}
