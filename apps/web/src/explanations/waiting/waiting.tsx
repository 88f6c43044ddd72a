'use client';
import { formatCount } from '@verbslab/labs';
import { useMemo } from 'react';
import { ControlGroup, onStop, StopSlider } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { compute, DEFAULTS, rates, SPECS, verdictOf, type Verdict } from './model';

const rateText = (rate: number): string => `${formatCount(rate)}/s`;

export default function Waiting({ run: { results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const stops = useMemo(() => rates(results), [results]);
  const rate = onStop(stops, asked.rate);
  const of = useMemo(
    () => ({ id: 'waiting', using: { rate }, specs: SPECS, found: compute(results, { rate }) }),
    [results, rate],
  );
  const verdict = useMemo(() => verdictOf(results), [results]);
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
      {verdict ? <Answer of={verdict} /> : null}
      <ExplainedViews of={of} marks={marks} />
    </>
  );
}

function answerText(from: number | null, atLeast: boolean): string {
  if (from === null)
    return 'At every rate that the sleeping server of this run can answer, sleeping costs less CPU time than polling.';
  return atLeast
    ? `Up to ${rateText(Math.round(from))} at least, sleeping costs less CPU time than polling. From which rate on polling costs less, this run does not show: it measured the sleeping server at a lower rate, and more messages make each of them cheaper.`
    : 'Above the rate of the first figure, polling costs less CPU time than sleeping.';
}

/** The answer to the question of the page, and why a run may not give it. */
function Answer({ of: { from, atLeast, lacking, slower } }: { of: Verdict }) {
  return (
    <div className="prose space-y-2" data-words>
      <p>{answerText(from, atLeast)} A server that polls takes a whole core at any rate.</p>
      {lacking ? (
        <p>
          In this run the server that polled got less than a core, because other programs used it. So the page
          computes with a whole core, and the measured CPU time and round trips of this run are those of a
          busy machine. Run the lab again when the machine is quiet.
        </p>
      ) : null}
      {slower ? (
        <p>
          In this run the server that polled answered later than the one that slept. On a core of its own it
          answers sooner, because nothing has to wake it.
        </p>
      ) : null}
    </div>
  );
}
