'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useCallback, useState } from 'react';
import { lazyPart } from '../../connection/lazy-part';
import type { RunSession } from '../../connection/run-sessions';
import type { LabSample, PathsSample } from '../../model/paths/sample';
import type { Recording } from '../../model/picture/recording';
import type { Side } from '../../model/picture/state';
import { PathsPicture } from '../../parts/paths/paths-picture';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';
import { Button } from '../../ui/button';
import type { RunPictureProps } from './run-picture';

/** Height of the picture until it is there, so that nothing moves when it comes. */
const PLACE = 'min-h-[31rem] max-md:min-h-0';

const RunPicture = lazyPart<RunPictureProps>(
  async () => (await import('./run-picture')).RunPicture,
  () => <div className={PLACE} aria-busy />,
);

/**
 * The picture of a lab: a shipped sample before the run and while it goes on, then what the run recorded. `sample`: null on the
 * page of a run.
 */
export function LabPicture(props: {
  lab: LabDescription;
  sample: LabSample | null;
  session: RunSession | null;
}) {
  const { lab, sample, session } = props;
  const shown = sample ? (about?: string) => <Sample {...{ lab, sample, about }} /> : null;
  return (
    <div data-lab-picture>
      {session === null ? (
        <div className={PLACE}>{shown?.()}</div>
      ) : (
        <RunPicture session={session} sample={shown} place={PLACE} about={lab.picture ?? null} />
      )}
    </div>
  );
}

function Sample(props: { lab: LabDescription; sample: LabSample; about: string | undefined }) {
  const { lab, sample, about } = props;
  if (!('shown' in sample)) return <SamplePicture {...{ lab, sample, about }} />;
  return <SamplePaths {...{ sample, about }} />;
}

/** Paths without their figures, which the lab asks for; a reader may see those of the sample. */
function SamplePaths({ sample, about }: { sample: PathsSample; about: string | undefined }) {
  const [told, setTold] = useState(false);
  const where = sample.cpus === null ? '' : ` on ${sample.cpus} CPUs`;
  return (
    <div data-sample={about ?? ''}>
      <p className="mb-1 flex items-baseline gap-2 text-12 text-ink-3">
        <span data-words>
          {told ? `A recorded sample, both ends on one machine${where}` : 'The same bytes over three paths'}
          {about === undefined ? '' : `: ${about}`}
        </span>
        <Button kind="quiet" size="small" shape="tight" onClick={() => setTold((old) => !old)}>
          {told ? 'Hide its figures' : 'Show a recorded sample'}
        </Button>
      </p>
      <PathsPicture shown={sample.shown} told={told} />
    </div>
  );
}

/** The side with the parts that a lab is about, if it is one: the other one is then drawn small. */
function smallSide({ picture }: LabDescription): Side | null {
  const named = (side: Side) => picture?.focus.some((part) => part.startsWith(side)) ?? true;
  if (named('client')) return named('server') ? null : 'server';
  return named('server') ? 'client' : null;
}

/**
 * A recording that ships with the dashboard. It stops at the question of the lab, which only a run answers. `about`: why it is
 * shown in place of the run.
 */
function SamplePicture(props: { lab: LabDescription; sample: Recording; about: string | undefined }) {
  const { lab, sample, about } = props;
  const replay = useReplay(sample);
  const { picture } = lab;
  const { stateAt } = replay;
  const focused = useCallback(
    (t: number) => {
      const state = stateAt(t);
      return picture ? { ...state, focus: picture.focus as typeof state.focus } : state;
    },
    [stateAt, picture],
  );
  return (
    <div data-sample={about ?? ''}>
      <p className="mb-1 truncate text-12 text-ink-3" data-words>
        {sample.title}, a recorded sample{about === undefined ? '' : `: ${about}`}
      </p>
      <PicturePlayer
        {...replay}
        stateAt={focused}
        compact={smallSide(lab)}
        stopAt={picture?.stage ?? null}
        legend={false}
      />
    </div>
  );
}
