'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useState } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { RunView } from '../connection/run-view';
import type { StepLog } from '../model/step-log';
import { VerbTable } from './verb-table';

// Packet decoding is loaded with the first step whose packets are asked for.
const StepPackets = lazyPart(async () => (await import('./step-packets')).default);

/** The calls of a step, by their starts: a call is recorded when it returns. */
export function StepCalls({ lab, step }: { lab: LabDescription; step: StepLog }) {
  const verbs = step.events.flatMap((e) => (e.kind === 'verb' ? [e] : [])).sort((a, b) => a.t - b.t);
  return (
    <VerbTable
      verbs={verbs}
      roleTitle={(role) => lab.roles.find(({ name }) => name === role)?.title ?? role}
    />
  );
}

/** The packets of a step as a ladder, and the fields of the chosen one. */
export function StepLadder(props: { view: RunView; lab: LabDescription; step: StepLog }) {
  const [selected, setSelected] = useState<number | null>(null);
  return <StepPackets {...props} selected={selected} onSelect={setSelected} />;
}
