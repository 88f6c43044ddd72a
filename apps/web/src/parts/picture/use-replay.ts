import { useCallback, useMemo } from 'react';
import type { Recording } from '../../model/picture/recording';
import { stagesOf } from '../../model/picture/stages-of';
import { stateAt } from '../../model/picture/state-at';
import type { PicturePlayerProps } from './player';

/** What a player needs of a recording. It lasts as long as the recording is the same. */
export function useReplay(recording: Recording): Pick<PicturePlayerProps, 'title' | 'stages' | 'stateAt'> {
  const stages = useMemo(() => stagesOf(recording), [recording]);
  return {
    title: recording.title,
    stages,
    stateAt: useCallback((t: number) => stateAt(recording, stages, t), [recording, stages]),
  };
}
