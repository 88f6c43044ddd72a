'use client';
import { isFinal, type LabDescription, type LabFabric } from '@verbslab/protocol';
import { lazy, Suspense } from 'react';
import { lazyPart } from '../../connection/lazy-part';
import type { RunSession } from '../../connection/run-sessions';
import type { LabSample } from '../../model/paths/sample';
import type { RunPathsProps } from './lab-paths';
import { useBare } from './no-picture';
import type { RunPictureProps } from './run-picture';

/** Height of the picture until it is there, so that nothing moves when it comes. */
const PLACE = 'min-h-[31rem] max-md:min-h-0';

// A page loads the code of the picture that it shows. Samples are in the page as it is exported.
const SampleRecording = lazy(async () => ({ default: (await import('./sample-recording')).SampleRecording }));
const SamplePaths = lazy(async () => ({ default: (await import('./lab-paths')).SamplePaths }));
const FabricPicture = lazy(async () => ({ default: (await import('./fabric-drawing')).FabricPicture }));
const Waiting = () => <div className={PLACE} aria-busy />;
const RunPicture = lazyPart<RunPictureProps>(async () => (await import('./run-picture')).RunPicture, Waiting);
const RunPaths = lazyPart<RunPathsProps>(async () => (await import('./lab-paths')).RunPaths, Waiting);

/**
 * The picture of a lab: a shipped sample before the run and while it goes on, then what the run recorded. `sample`: null on the
 * page of a run.
 */
export function LabPicture(props: {
  lab: LabDescription;
  sample: LabSample | null;
  session: RunSession | null;
  onBare: (bare: boolean) => void;
}) {
  const { lab, sample, session, onBare } = props;
  if (lab.fabric) return <Fabric fabric={lab.fabric} session={session} onBare={onBare} />;
  const shown = sample ? (about?: string) => <Sample {...{ lab, sample, about }} /> : null;
  const Run = lab.picture?.paths === true ? RunPaths : RunPicture;
  return (
    <div data-lab-picture>
      {session === null ? (
        <div className={PLACE}>{shown?.()}</div>
      ) : (
        <Run session={session} sample={shown} place={PLACE} about={lab.picture ?? null} onBare={onBare} />
      )}
    </div>
  );
}

function Sample(props: { lab: LabDescription; sample: LabSample; about: string | undefined }) {
  const { lab, sample, about } = props;
  return (
    <Suspense fallback={null}>
      {'shown' in sample ? (
        <SamplePaths {...{ sample, about }} />
      ) : (
        <SampleRecording {...{ lab, sample, about }} />
      )}
    </Suspense>
  );
}

/** The fabric of a simulated lab until a run has ended: then its chart takes the room. */
function Fabric(props: { fabric: LabFabric; session: RunSession | null; onBare: (bare: boolean) => void }) {
  const { fabric, session, onBare } = props;
  const state = session?.view?.model.record.state;
  const over = state !== undefined && isFinal(state);
  useBare(over, onBare);
  if (over) return null;
  return (
    <div data-lab-picture className={PLACE}>
      <Suspense fallback={null}>
        <FabricPicture fabric={fabric} />
      </Suspense>
    </div>
  );
}
