'use client';
import { commandText, isFinal, simulationCommand, type Simulation } from '@verbslab/protocol';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { ActionButton } from '../actions/action-button';
import { usePageHandle } from '../actions/page-store';
import type { RunView } from '../connection/run-view';
import { CopyCommand } from '../ui/copy-command';
import { saveJson } from '../ui/save-file';

/** The command that simulates the scenario of the run again, and the scenario as a file. */
export function SimulationAgain({ view }: { view: RunView }) {
  const { record, simulations } = view.model;
  const scenario = simulations.at(-1)?.scenario ?? null;
  if (!isFinal(record.state)) return null;
  const command = simulationCommand(record, scenario !== null);
  return (
    <div className="mt-2 max-w-[72ch]">
      {command ? (
        <>
          <p className="mb-1 text-13 text-ink-2">Run it again in a terminal:</p>
          <div data-shows="sim-command">
            <CopyCommand command={commandText(['npx', 'verbslab', 'sim', ...command])} />
          </div>
        </>
      ) : null}
      {scenario ? <SaveScenario number={record.number} scenario={scenario} /> : null}
    </div>
  );
}

function SaveScenario(props: { number: number; scenario: NonNullable<Simulation['scenario']> }) {
  const { number, scenario } = props;
  usePageHandle(
    useMemo(
      () => ({ 'save-scenario': () => saveJson(`scenario-${number}.json`, scenario) }),
      [number, scenario],
    ),
  );
  return <ActionButton action="save-scenario" icon={Download} />;
}
