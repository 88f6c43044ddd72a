'use client';
import { formatCount } from '@verbslab/labs';
import { useMemo } from 'react';
import { ControlGroup, onStop, StopSlider } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { compute, COUNTS, DEFAULTS, SPECS } from './model';

export default function Setup({ run: { results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const messages = onStop(COUNTS, asked.messages);
  const of = useMemo(
    () => ({ id: 'setup', using: { messages }, specs: SPECS, found: compute(results, { messages }) }),
    [results, messages],
  );
  const marks = useMemo(
    () => [{ names: ['cm', 'hand'], x: messages, label: `${formatCount(messages)} messages` }],
    [messages],
  );
  return (
    <>
      <ControlGroup>
        <StopSlider
          label="Messages over the connection"
          stops={COUNTS}
          value={messages}
          text={formatCount}
          onChange={(to) => change({ messages: to })}
        />
      </ControlGroup>
      <ExplainedViews of={of} marks={marks} />
    </>
  );
}
