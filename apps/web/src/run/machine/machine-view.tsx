'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useRef, useState, type KeyboardEvent } from 'react';
import type { RunView } from '../../connection/run-view';
import { useWidth } from '../../ui/use-width';
import { hostTitle, layoutMachine } from '../../model/machine/layout';
import type { LayoutOptions, MachineLayout, MachineNode } from '../../model/machine/layout-types';
import type { Machine } from '../../model/machine/machine';
import { Inspector } from './inspector';
import { MachineTable } from './machine-table';
import { RateLine } from './rate-line';
import { Schematic, type Look } from './schematic';
import { unknownTexts } from '../../model/machine/names';
import { useChosenObject } from './use-chosen-object';
import { useTitles } from './use-titles';

/** Width in pixels before it is measured: that of a wide page. */
const WIDTH = 1100;
const INSPECTOR = 320;
/** Width from which the inspector is beside the picture. */
const BESIDE = 960;

export interface MachineViewProps {
  view: RunView;
  lab: LabDescription | null;
  machine: Machine;
  /** True for the table instead of the picture. */
  table: boolean;
  lookOf?: (node: MachineNode) => Look | null;
}

/** The picture or the table of a machine, and the inspector of the chosen object. */
export function MachineView({ view, lab, machine, table, lookOf }: MachineViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const rem = useWidth(root);
  const { selected, marked, choose } = useChosenObject(view.model, machine);
  const [opened, setOpened] = useState<string | null>(null);
  const { order, of: titleOf } = useTitles(view.model, lab);

  const width = rem === null ? WIDTH : Math.max(280, rem * 16);
  const beside = width >= BESIDE;
  const options = { titleOf, hostOf: hostTitle, order, opened, selected };
  // The layout shows whether the selected object still exists.
  const whole = layoutMachine(machine, { ...options, width });
  const chosen = selected === null ? null : nodeOf(whole, machine, selected, options);
  const layout =
    chosen && beside && !table
      ? layoutMachine(machine, { ...options, width: width - INSPECTOR - 16 })
      : whole;

  function select(node: MachineNode) {
    if (node.what === 'process' && whole.nodes.every(({ id }) => id !== `device ${node.endpoint}`)) {
      setOpened(node.endpoint);
      choose(null);
      return;
    }
    choose(selected === node.id ? null : node.id);
  }
  function close() {
    // The focus stays at the inspected object.
    root.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(selected ?? '')}"]`)?.focus();
    choose(null);
  }
  function onKeyDown(e: KeyboardEvent) {
    // An Escape that closes nothing is left to the page.
    if (e.key !== 'Escape' || !chosen) return;
    e.preventDefault();
    e.stopPropagation();
    close();
  }

  const processes = machine.hosts
    .flatMap(({ processes: some }) => [...some])
    .sort((a, b) => order.indexOf(a.endpoint) - order.indexOf(b.endpoint));
  const rates = processes.some((one) => one.rates.length > 0) ? (
    <ul className="mt-2 flex flex-wrap gap-x-6 text-13" data-at={machine.at}>
      {processes.flatMap((one) =>
        one.rates.map((rate) => (
          <li key={`${one.endpoint} ${rate.transport}`}>
            <span className="text-ink-3" data-words>
              {titleOf(one.endpoint)}{' '}
            </span>
            <RateLine rate={rate} />
          </li>
        )),
      )}
    </ul>
  ) : null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- closes what its parts opened
    <div ref={root} className="min-w-0" data-machine onKeyDown={onKeyDown}>
      {table ? (
        <MachineTable machine={machine} titleOf={titleOf} />
      ) : (
        <div className={beside ? 'flex items-start gap-4' : undefined}>
          <div className="min-w-0">
            <Schematic
              layout={layout}
              label="Objects of the machine. Move with the arrow keys, open with Enter."
              links={machine.links}
              selected={marked}
              onSelect={select}
              at={machine.at}
              {...(lookOf ? { lookOf } : {})}
            />
            <Signs machine={machine} />
            {rates}
          </div>
          {chosen ? (
            <div
              className={
                beside
                  ? 'thin-scroll max-h-[40rem] shrink-0 overflow-y-auto border-l pl-4'
                  : 'mt-3 border-t pt-3'
              }
              tabIndex={beside ? 0 : undefined}
              role={beside ? 'group' : undefined}
              aria-label={beside ? 'Chosen object' : undefined}
              style={beside ? { width: INSPECTOR } : undefined}
            >
              <Inspector
                view={view}
                machine={machine}
                node={chosen}
                titleOf={titleOf}
                onSelect={choose}
                onClose={close}
              />
            </div>
          ) : null}
        </div>
      )}
      {table ? rates : null}
    </div>
  );
}

function Signs({ machine }: { machine: Machine }) {
  const rings = machine.hosts.flatMap(({ processes }) =>
    processes.flatMap(({ parts }) => parts.flatMap((part) => part.rings)),
  );
  const fills = rings.map(({ fill }) => fill);
  const said = [
    fills.some(({ is }) => is === 'mean') ? '≈: a mean over a sample of 100 ms.' : '',
    fills.some(({ is }) => is === 'atMost') ? '≤: at most this many.' : '',
    ...unknownTexts(rings),
  ].filter(Boolean);
  return said.length === 0 ? null : (
    <p className="mt-2 text-12 text-ink-3" data-words>
      {said.join(' ')}
    </p>
  );
}

/** Node of the selected object; for a folded object, one that can be inspected nevertheless. */
function nodeOf(
  layout: MachineLayout,
  machine: Machine,
  id: string,
  options: Omit<LayoutOptions, 'width'>,
): MachineNode | null {
  const drawn = layout.nodes.find((node) => node.id === id);
  if (drawn) return drawn;
  for (const { processes } of machine.hosts)
    for (const { endpoint, parts } of processes) {
      if (!parts.some((one) => one.id === id)) continue;
      const opened = layoutMachine(machine, { ...options, opened: endpoint, width: WIDTH });
      return opened.nodes.find((node) => node.id === id) ?? null;
    }
  return null;
}
