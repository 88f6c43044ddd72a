'use client';
import { formatBytes } from '@verbslab/labs';
import { useMemo } from 'react';
import { Choice, ControlGroup } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { CopyPath } from './copy-path';
import { compute, copiesOf, DEFAULTS, specsOf, waysIn } from './model';

export default function Copies({ run: { record, results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const small = Number(record.parameters.size);
  const large = Number(record.parameters.large);
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
            More copies need not cost more CPU time. A copy of a small message takes nanoseconds. A pass
            through the kernel’s network stack takes microseconds, and so does a wake-up of a thread that
            sleeps. Compare the context switches before the copies.
          </p>
          <p>
            The system calls through shared memory are mostly sleeps and wake-ups. A tracer counted them, and
            it slows the threads down, so that they sleep more often than in the rounds that measured CPU
            time. That is why a transport can have more system calls and yet cost less.
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
