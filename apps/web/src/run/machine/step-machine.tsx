'use client';
import { isFinal, LINK_NAME, type LabDescription } from '@verbslab/protocol';
import { useEffect, useMemo, useState } from 'react';
import type { RunView } from '../../connection/run-view';
import { runPackets } from '../../model/packet-rows';
import { TableSwitch } from '../../ui/table-switch';
import { Gloss } from '../../ui/gloss';
import { pictureOf, type PictureOfStep } from '../../model/host-picture';
import { knownConnections } from '../../model/known-connections';
import type { MachineNode } from '../../model/machine/layout-types';
import { machineModel } from '../../model/machine/machine';
import { isPlanned, withPlanned } from '../../model/machine/planned-objects';
import { sentWithin, travelOf } from '../../model/machine/travel';
import { isSelected, selectionOf } from '../../model/machine/work';
import type { StepLog } from '../../model/step-log';
import { useSelection } from '../../parts/run/use-selection';
import { MachineView } from './machine-view';
import { Player } from './player';
import type { Look } from './schematic';
import { TravelControls } from './travel-controls';
import { TravelOver } from './travel-over';
import { usePlayer } from './use-player';
import { useReducedMotion } from '../../ui/use-reduced-motion';
import { WorkChoice } from '../work-choice';
import { useTitles } from './use-titles';

/** Most work requests of a step to choose from. */
const CHOICES = 50;

export interface StepMachineProps {
  view: RunView;
  lab: LabDescription;
  steps: readonly StepLog[];
  step: StepLog;
}

/** The machine after a step: objects that the step created, used and destroyed, and the paths of its work requests. */
export default function StepMachine({ view, lab, steps, step }: StepMachineProps) {
  const { model } = view;
  const [table, setTable] = useState(false);
  const [asked, setAsked] = useState(0);
  const still = useReducedMotion();
  const begun = !Number.isNaN(step.begin);
  const end = endOf(steps, step);
  const since = begun ? step.begin : Infinity;
  const picture = pictureOf(lab, step.index);

  const { of: titleOf } = useTitles(model, lab);
  const { selection, select } = useSelection();
  const works = begun ? sentWithin(model, step.begin, end).slice(0, CHOICES) : [];
  const selected = works.findIndex((one) => isSelected(one, selection));
  const chosen = selected >= 0 ? selected : Math.min(asked, works.length - 1);
  const work = works[chosen];
  // At the time of the post, everything that the request uses exists.
  const travel = work
    ? travelOf(
        model,
        machineModel(model, work.posted),
        work,
        runPackets(model.packets).analysis(() => knownConnections(model)),
      )
    : null;
  const stages = travel?.stages.length ?? 0;
  const seq = work?.seq;
  const player = useMemo(() => new Player(stages), [seq, stages]); // oxlint-disable-line react/exhaustive-deps -- each request has a player of its own
  useEffect(() => () => player.pause(), [player]);
  const over = usePlayer(player, (one) => one.over);
  // A step that runs while it is watched plays once; a step that is opened again waits for its button.
  const watched = !isFinal(model.record.state) && model.record.mode === 'step' && !still;
  useEffect(() => {
    if (watched) player.play();
  }, [player, watched]);

  const replayed = travel !== null && over < stages;
  const at = replayed ? (travel.stages[over - 1]?.t ?? travel.work.posted - 1) : end;
  const machine = begun
    ? machineModel(model, at, since)
    : withPlanned(machineModel(model, Infinity), lab, step.index);
  const lookOf = (node: MachineNode): Look | null => lookIn(picture, node);

  return (
    <figure data-step-machine className="min-w-0">
      <div className="flex items-center justify-between">
        <h2 className="text-13 font-semibold">
          Machine{' '}
          <span className="font-normal text-ink-3" data-words>
            {begun ? (step.state === 'active' ? 'during' : 'after') : 'before'} step {step.index + 1},{' '}
            {step.title}
          </span>
        </h2>
        <TableSwitch of="Machine" picture="picture" shown={table} onToggle={() => setTable((old) => !old)} />
      </div>
      <MachineView
        view={view}
        lab={lab}
        machine={machine}
        table={table}
        lookOf={lookOf}
        over={(layout) => (travel ? <TravelOver layout={layout} travel={travel} player={player} /> : null)}
      />
      <WorkChoice
        works={works}
        chosen={chosen}
        onChoose={(at) => {
          setAsked(at);
          select(selectionOf(works[at]!));
        }}
        className="mt-2"
      />
      {travel ? <TravelControls travel={travel} player={player} still={still} titleOf={titleOf} /> : null}
      <Caption picture={picture} view={view} />
    </figure>
  );
}

/** Events between two steps belong to the earlier one. */
function endOf(steps: readonly StepLog[], step: StepLog): number {
  const next = steps.find(({ begin, index }) => index > step.index && !Number.isNaN(begin));
  return next ? next.begin - 1 : Number.isNaN(step.end) ? Infinity : step.end;
}

const PART_OF: Readonly<Record<string, readonly string[]>> = {
  PD: ['pd'],
  MR: ['mr'],
  QP: ['qp', 'sq', 'rq'],
  CQ: ['cq'],
  device: ['device'],
};

function lookIn(picture: PictureOfStep | null, node: MachineNode): Look | null {
  const { part, kind, endpoint } = node;
  if (part && isPlanned(part)) return 'planned';
  if (part?.gone) return 'gone';
  if (part?.fresh) return 'new';
  const uses = PART_OF[kind]?.some((name) => picture?.looks.get(`${endpoint}.${name}`) === 'uses');
  return uses ? 'used' : null;
}

/** Caption with the content of the picture in words. */
function Caption({ picture, view }: { picture: PictureOfStep | null; view: RunView }) {
  const [link] = view.model.links;
  if (!picture) return null;
  const lines = link ? [...picture.lines, { title: 'Link', text: LINK_NAME[link] }] : picture.lines;
  return (
    <figcaption className="mt-3 text-13">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        {lines.map(({ title, text }) => (
          <div key={title} className="flex flex-wrap gap-x-2">
            <dt className="text-ink-3">{title}</dt>
            <dd className="text-ink-2">
              <Gloss>{text}</Gloss>
            </dd>
          </div>
        ))}
      </dl>
    </figcaption>
  );
}
