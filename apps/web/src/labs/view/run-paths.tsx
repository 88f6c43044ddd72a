'use client';
import { FEW_CPUS, isFinal } from '@verbslab/protocol';
import type { ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import { useAgent } from '../../connection/store';
import { useTopics } from '../../connection/use-session';
import { pathsOf } from '../../model/paths/paths-of';
import type { Topic } from '../../model/run-model';
import { PathsPicture } from '../../parts/paths/paths-picture';

const TOPICS: readonly Topic[] = ['record', 'state', 'series'];

/** The paths of the bytes of a run, while it goes on and after it. `instead`: in their place, if nothing was measured. */
export function RunPaths(props: { view: RunView; place: string; instead: ReactNode }) {
  const { view, place, instead } = props;
  useTopics(view, TOPICS, 'chart');
  const sparing = useAgent((s) => s.agent !== null && s.agent.cpus <= FEW_CPUS);
  const over = isFinal(view.model.record.state);
  const shown = pathsOf(view.model);
  if (shown === null) return instead;
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
