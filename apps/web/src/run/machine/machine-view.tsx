'use client';
import { endpointNames, isProgram, type LabDescription } from '@verbslab/protocol';
import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import type { RunView } from '../../connection/run-view';
import { useWidth } from '../../ui/use-width';
import {
  hostTitle,
  layoutMachine,
  type LayoutOptions,
  type MachineLayout,
  type MachineNode,
} from '../model/machine/layout';
import type { Machine } from '../model/machine/machine';
import { Inspector } from './inspector';
import { MachineTable } from './machine-table';
import { RateLine } from './rate-line';
import { Schematic, type Look } from './schematic';

/** Pixels, before the width is known: a wide page. */
const WIDTH = 1100;
const INSPECTOR = 320;
/** From here on the inspector stands beside the picture. */
const BESIDE = 960;

export interface MachineViewProps {
  view: RunView;
  lab: LabDescription | null;
  machine: Machine;
  /** The table instead of the picture. */
  table: boolean;
  lookOf?: (node: MachineNode) => Look | null;
  /** Drawn over the picture. */
  over?: (layout: MachineLayout) => ReactNode;
}

/** The picture or the table of a machine, and the inspector of the chosen object. */
export function MachineView({ view, lab, machine, table, lookOf, over }: MachineViewProps) {
  const root = useRef<HTMLDivElement>(null);
  const rem = useWidth(root);
  const [selected, setSelected] = useState<string | null>(null);
  const [opened, setOpened] = useState<string | null>(null);
  const { record } = view.model;
  const program = isProgram(record);
  const titles = useMemo(
    () => new Map(endpointNames(lab?.roles ?? [], record.parameters).map(({ name, title }) => [name, title])),
    [lab, record.parameters],
  );
  const titleOf = useCallback((endpoint: string) => titles.get(endpoint) ?? endpoint, [titles]);

  const width = rem === null ? WIDTH : Math.max(280, rem * 16);
  const beside = width >= BESIDE;
  const options = { program, titleOf, hostOf: hostTitle, order: [...titles.keys()], opened, selected };
  // Whether the chosen one is still there shows with the layout.
  const whole = layoutMachine(machine, { ...options, width });
  const chosen = selected === null ? null : nodeOf(whole, machine, selected, options);
  const layout =
    chosen && beside && !table
      ? layoutMachine(machine, { ...options, width: width - INSPECTOR - 16 })
      : whole;

  function select(node: MachineNode) {
    if (node.what === 'process' && whole.nodes.every(({ id }) => id !== `device ${node.endpoint}`)) {
      setOpened(node.endpoint);
      setSelected(null);
      return;
    }
    setSelected((old) => (old === node.id ? null : node.id));
  }

  const processes = machine.hosts.flatMap(({ processes: some }) => [...some]);
  return (
    <div ref={root} className="min-w-0" data-machine>
      {table ? (
        <MachineTable machine={machine} program={program} titleOf={titleOf} />
      ) : (
        <div className={beside ? 'flex items-start gap-4' : undefined}>
          <Schematic
            layout={layout}
            label="Objects of the machine. Move with the arrow keys, open with Enter."
            links={machine.links}
            selected={selected}
            onSelect={select}
            at={machine.at}
            {...(lookOf ? { lookOf } : {})}
          >
            {over?.(layout)}
          </Schematic>
          {chosen ? (
            <div
              className={beside ? 'shrink-0 border-l pl-4' : 'mt-3 border-t pt-3'}
              style={beside ? { width: INSPECTOR } : undefined}
            >
              <Inspector
                view={view}
                machine={machine}
                node={chosen}
                program={program}
                titleOf={titleOf}
                onSelect={setSelected}
                onClose={() => setSelected(null)}
              />
            </div>
          ) : null}
        </div>
      )}
      {processes.some(({ rates }) => rates.length > 0) ? (
        <ul className="mt-2 flex flex-wrap gap-x-6 text-13" data-at={machine.at}>
          {processes.flatMap(({ endpoint, rates }) =>
            rates.map((rate) => (
              <li key={`${endpoint} ${rate.transport}`}>
                <span className="text-ink-3" data-words>
                  {titleOf(endpoint)}{' '}
                </span>
                <RateLine rate={rate} endpoint={endpoint} />
              </li>
            )),
          )}
        </ul>
      ) : null}
    </div>
  );
}

/** The node of what was chosen; of an object that is folded away, one that can be inspected all the same. */
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
