'use client';
import { useSearchParams } from 'next/navigation';
import type { Recording } from '../model/picture/recording';
import { GuidedWrite } from './guided-write';

/** The guided WRITE at the stage in the address: `/tour?stage=3`. */
export function TourPage({ recording }: { recording: Recording }) {
  const stage = Number(useSearchParams().get('stage') ?? 1);
  return (
    <GuidedWrite
      recording={recording}
      first={Number.isInteger(stage) && stage > 0 ? stage - 1 : 0}
      onStage={(to) => history.replaceState(null, '', to === 0 ? '/tour' : `/tour?stage=${to + 1}`)}
    />
  );
}
