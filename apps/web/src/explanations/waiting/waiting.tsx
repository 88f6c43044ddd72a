'use client';
import { formatCount } from '@verbslab/labs';
import { useMemo } from 'react';
import { ControlGroup, onStop, StopSlider } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { compute, DEFAULTS, rates, SPECS } from './model';

const rateText = (rate: number): string => `${formatCount(rate)}/s`;

export default function Waiting({ run: { results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const stops = useMemo(() => rates(results), [results]);
  const rate = onStop(stops, asked.rate);
  const of = useMemo(
    () => ({ id: 'waiting', using: { rate }, specs: SPECS, found: compute(results, { rate }) }),
    [results, rate],
  );
  const marks = useMemo(
    () => [{ names: ['poll', 'event', 'adaptive'], x: rate, label: rateText(rate) }],
    [rate],
  );
  return (
    <>
      <ControlGroup>
        <StopSlider
          label="Messages per second"
          stops={stops}
          value={rate}
          text={rateText}
          onChange={(to) => change({ rate: to })}
        />
      </ControlGroup>
      <ExplainedViews of={of} marks={marks} />
    </>
  );
}
