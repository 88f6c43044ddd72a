'use client';
import { isFinal, type LabDescription, type RunEventOf } from '@verbslab/protocol';
import { useCallback, useMemo, useState } from 'react';
import type { RunView } from '../../connection/run-view';
import { knownConnections } from '../../model/known-connections';
import { sentWithin } from '../../model/machine/book';
import { isSelected, selectionOf, type Work } from '../../model/machine/work';
import { runPackets } from '../../model/packet-rows';
import { callsPicture, endsOf, stillPicture, type CallsPicture } from '../../model/picture/calls-picture';
import { recordingOf } from '../../model/picture/recording-of';
import { stagesOf } from '../../model/picture/stages-of';
import { stateAt } from '../../model/picture/state-at';
import type { RunModel } from '../../model/run-model';
import type { StepLog } from '../../model/step-log';
import { PicturePlayer } from '../../parts/picture/player';
import { WorkChoice } from '../work-choice';
import { useSelection } from '../../parts/run/use-selection';

/** Most work requests of a step to choose from. */
const CHOICES = 50;

/** A stretch of the run, ns. */
export interface Stretch {
  from: number;
  to: number;
}

export interface StepPictureProps {
  view: RunView;
  lab: LabDescription;
  steps: readonly StepLog[];
  /** Null for the whole run: the requests that tell most. */
  step: StepLog | null;
  /** The picture shows this stretch of the run; the same function as long as the step is the same. */
  onShown: (stretch: Stretch) => void;
}

/** Events between two steps belong to the earlier one. */
function endOf(steps: readonly StepLog[], step: StepLog): number {
  const next = steps.find(({ begin, index }) => index > step.index && !Number.isNaN(begin));
  return next ? next.begin - 1 : Infinity;
}

/** Requests that a step posted. */
function worksOf(model: RunModel, steps: readonly StepLog[], step: StepLog | null): Work[] {
  if (!step || Number.isNaN(step.begin)) return [];
  return sentWithin(model, step.begin, endOf(steps, step)).slice(0, CHOICES);
}

/** A recording, with the time of the run at which it starts. */
type Shown = CallsPicture & { ofRequest: boolean };

function requestPicture(model: RunModel, work: Work | null): Shown | null {
  const analysis = runPackets(model.packets).analysis(() => knownConnections(model));
  const recording = recordingOf(model, analysis, work === null ? undefined : [work]);
  if (!recording) return null;
  const stages = stagesOf(recording);
  if (stages.length === 0) return null;
  return {
    ...{ title: recording.title, stages, startsAt: recording.startsAt ?? 0, ofRequest: true },
    stateAt: (t) => stateAt(recording, stages, t),
  };
}

/** The picture of a step: its request, or else its calls; before it has run, what is there by then. */
function pictureOf(
  model: RunModel,
  lab: LabDescription,
  steps: readonly StepLog[],
  step: StepLog | null,
  work: Work | null,
): Shown | null {
  if (step === null) return requestPicture(model, null);
  const ends = endsOf(model, lab);
  const over = step.state === 'done' || step.state === 'failed';
  if (over) {
    const request = work && requestPicture(model, work);
    if (request) return request;
    const events = step.events.filter(
      (e): e is RunEventOf<'verb'> | RunEventOf<'exchange'> => e.kind === 'verb' || e.kind === 'exchange',
    );
    const calls = callsPicture(model, ends, `Calls of step ${step.index + 1}`, events);
    if (calls) return { ...calls, ofRequest: false };
  }
  const at = Number.isNaN(step.begin) ? Infinity : over ? endOf(steps, step) : step.begin;
  const when = over ? 'after' : step.state === 'active' ? 'at the beginning of' : 'before';
  return { ...stillPicture(model, ends, `The hosts ${when} step ${step.index + 1}`, at), ofRequest: false };
}

/** The canonical picture of a step, from what the run recorded in it. */
export default function StepPicture(props: StepPictureProps) {
  const { view, lab, steps, step, onShown } = props;
  const { model } = view;
  const [asked, setAsked] = useState(0);
  const { selection, select } = useSelection();
  const works = worksOf(model, steps, step);
  const selected = works.findIndex((one) => isSelected(one, selection));
  const chosen = selected >= 0 ? selected : Math.min(asked, works.length - 1);
  const work = works[chosen] ?? null;
  // The model grows in place: of a step that is over, what it recorded stays the same.
  const version = `${step?.id} ${step?.state} ${step?.events.length} ${step?.packets.length} ${chosen} ${work?.life?.seq} ${isFinal(model.record.state)}`;
  const shown = useMemo(
    () => pictureOf(model, lab, steps, step, work),
    [model, lab, version], // oxlint-disable-line react/exhaustive-deps -- `version` stands for the step and its request
  );
  const tell = useCallback(
    (stage: number) => {
      const { startsAt = 0, stages = [] } = shown ?? {};
      const { from = 0, to = 0 } = stages[stage] ?? {};
      onShown({ from: startsAt + from, to: startsAt + to });
    },
    [shown, onShown],
  );
  // A step that runs while it is watched plays once.
  const watched = !isFinal(model.record.state) && model.record.mode === 'step' && step?.state === 'done';
  if (!shown)
    return (
      <p className="text-13 text-ink-3" data-words>
        This run recorded no request that the picture can replay.
      </p>
    );
  return (
    <div data-step-picture={step?.id ?? 'summary'} data-of={shown.ofRequest ? 'request' : 'calls'}>
      <WorkChoice
        works={works}
        chosen={chosen}
        onChoose={(at) => {
          setAsked(at);
          select(selectionOf(works[at]!));
        }}
        className="mb-1"
      />
      <p className="mb-1 text-12 text-ink-3">
        {shown.ofRequest ? (
          <span data-shows="picture-title">{shown.title}, recorded in this run</span>
        ) : (
          <span data-words>{shown.title}, recorded in this run</span>
        )}
      </p>
      <PicturePlayer
        title={shown.title}
        stages={shown.stages}
        stateAt={shown.stateAt}
        autoplay={watched}
        legend={false}
        {...(shown.stages.length > 1 ? {} : { controls: 'none', caption: false })}
        onStage={tell}
      />
    </div>
  );
}
