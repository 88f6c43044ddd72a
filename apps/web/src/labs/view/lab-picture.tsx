'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useCallback } from 'react';
import { lazyPart } from '../../connection/lazy-part';
import type { RunSession } from '../../connection/run-sessions';
import type { Recording } from '../../model/picture/recording';
import type { Side } from '../../model/picture/state';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';
import type { RunPictureProps } from './run-picture';

/** Height of the picture until it is there, so that nothing moves when it comes. */
export const PLACE = 'min-h-[31rem] max-md:min-h-0';

const RunPicture = lazyPart<RunPictureProps>(
  async () => (await import('./run-picture')).RunPicture,
  () => <div className={PLACE} aria-busy />,
);

/**
 * The picture of a lab: a shipped recording before the run and while it goes on, then the recording of the run. `sample`: null
 * on the page of a run.
 */
export function LabPicture(props: {
  lab: LabDescription;
  sample: Recording | null;
  session: RunSession | null;
}) {
  const { lab, sample, session } = props;
  const shown = sample ? (about?: string) => <SamplePicture {...{ lab, sample, about }} /> : null;
  return (
    <div className={PLACE} data-lab-picture>
      {session === null ? (
        shown?.()
      ) : (
        <RunPicture session={session} sample={shown} connects={lab.picture?.sample === 'connect'} />
      )}
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
