'use client';
import { LINK_NAME, type LabDescription } from '@verbslab/protocol';
import { useState } from 'react';
import type { RunView } from '../../connection/run-view';
import { TableSwitch } from '../../ui/table-switch';
import { Gloss } from '../../ui/gloss';
import { pictureOf, type PictureOfStep } from '../../model/host-picture';
import type { MachineNode } from '../../model/machine/layout-types';
import { machineModel } from '../../model/machine/machine';
import { isPlanned, withPlanned } from '../../model/machine/planned-objects';
import type { StepLog } from '../../model/step-log';
import { MachineView } from './machine-view';
import type { Look } from './schematic';

export interface StepMachineProps {
  view: RunView;
  lab: LabDescription;
  steps: readonly StepLog[];
  step: StepLog;
}

/** The machine after a step: objects that the step created, used and destroyed. */
export default function StepMachine({ view, lab, steps, step }: StepMachineProps) {
  const { model } = view;
  const [table, setTable] = useState(false);
  const begun = !Number.isNaN(step.begin);
  const since = begun ? step.begin : Infinity;
  const picture = pictureOf(lab, step.index);

  const machine = begun
    ? machineModel(model, endOf(steps, step), since)
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
      <MachineView view={view} lab={lab} machine={machine} table={table} lookOf={lookOf} />
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
