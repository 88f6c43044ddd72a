'use client';
import { FEW_CPUS, isFinal } from '@verbslab/protocol';
import { useState } from 'react';
import type { RunSession } from '../../connection/run-sessions';
import { useAgent } from '../../connection/store';
import { useTopics } from '../../connection/use-session';
import { pathsOf } from '../../model/paths/paths-of';
import type { PathsSample } from '../../model/paths/sample';
import type { Topic } from '../../model/run-model';
import { PathsPicture } from '../../parts/paths/paths-picture';
import { Button } from '../../ui/button';
import { NoPicture, type PictureOfRunProps } from './no-picture';

const TOPICS: readonly Topic[] = ['record', 'state', 'series'];

export interface RunPathsProps extends PictureOfRunProps {
  session: RunSession;
}

/** The paths of the bytes of a run, while it goes on and after it. */
export function RunPaths({ session, sample, place, onBare }: RunPathsProps) {
  const view = session.view!;
  useTopics(view, TOPICS, 'chart');
  const sparing = useAgent((s) => s.agent !== null && s.agent.cpus <= FEW_CPUS);
  const over = isFinal(view.model.record.state);
  const shown = pathsOf(view.model);
  if (shown === null)
    return (
      <NoPicture
        {...{ sample, place, onBare }}
        why="this run measured no path"
        complete={session.state === 'complete' && over}
      />
    );
  return (
    <div className={place}>
      <p className="mb-1 text-12 text-ink-3" data-shows="picture-title">
        The same bytes over {shown.paths.length === 1 ? 'one path' : `${shown.paths.length} paths`}, measured
        in this run
        {over ? '' : ' so far'}
      </p>
      <PathsPicture shown={shown} sparing={sparing && !over} />
    </div>
  );
}

interface SamplePathsProps {
  sample: PathsSample;
  /** Why it is shown in place of the run. */
  about?: string | undefined;
}

/** Paths without their figures, which the lab asks for; a reader may see those of the sample. */
export function SamplePaths({ sample, about }: SamplePathsProps) {
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
