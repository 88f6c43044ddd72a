'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useCallback } from 'react';
import type { Recording } from '../../model/picture/recording';
import type { Side } from '../../model/picture/state';
import { PicturePlayer } from '../../parts/picture/player';
import { useReplay } from '../../parts/picture/use-replay';

interface SampleRecordingProps {
  lab: LabDescription;
  sample: Recording;
  /** Why it is shown in place of the run. */
  about?: string | undefined;
}

/** The side with the parts that a lab is about, if it is one: the other one is then drawn small. */
function smallSide({ picture }: LabDescription): Side | null {
  const named = (side: Side) => picture?.focus.some((part) => part.startsWith(side)) ?? true;
  if (named('client')) return named('server') ? null : 'server';
  return named('server') ? 'client' : null;
}

/** A recording that ships with the dashboard. It stops at the question of the lab, which only a run answers. */
export function SampleRecording({ lab, sample, about }: SampleRecordingProps) {
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
