'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useState } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { RunView } from '../connection/run-view';
import { callsOf, roleTitle, type StepLog } from '../model/step-log';
import { VerbTable } from './verb-table';

// Packet decoding is loaded with the first step whose packets are asked for.
const StepPackets = lazyPart(async () => (await import('./step-packets')).default);

/** The calls of a step. */
export function StepCalls({ lab, step }: { lab: LabDescription; step: StepLog }) {
  return <VerbTable verbs={callsOf(step)} roleTitle={(role) => roleTitle(lab, role)} />;
}

/** The packets of a step as a ladder, and the fields of the chosen one. */
export function StepLadder(props: { view: RunView; lab: LabDescription; step: StepLog }) {
  const [selected, setSelected] = useState<number | null>(null);
  return <StepPackets {...props} selected={selected} onSelect={setSelected} />;
}
