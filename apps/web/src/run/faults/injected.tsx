'use client';
import {
  commandsOf,
  commandText,
  execOptionsOf,
  faultsText,
  isProgram,
  workbenchOf,
  type RunRecord,
} from '@verbslab/protocol';
import { CopyCommand } from '../../ui/copy-command';
import type { RunModel } from '../../model/run-model';
import { momentText } from '../../format/time-text';

/** Options of `exec` without those that inject faults: each has a value. */
const withoutFaults = (words: readonly string[]): string[] =>
  words.filter((word, i) => !FAULT_OPTIONS.has(word) && !(i > 0 && FAULT_OPTIONS.has(words[i - 1]!)));
const FAULT_OPTIONS: ReadonlySet<string> = new Set(['--faults', '--fault-rule', '--replay-faults']);

/** Commands that run it again with the injected faults. None for a workbench program, because its folder is gone. */
function replays(record: RunRecord): string[] {
  const replay = `--replay-faults ${record.number}`;
  if (!isProgram(record)) return [`npx verbslab run ${record.lab} ${replay}`];
  if (workbenchOf(record)) return [];
  // Commands of a run are replayed as a single run: the others join the first.
  const options = execOptionsOf(record).map(withoutFaults);
  return commandsOf(record).map((command, i) => {
    const own = (options[i] ?? []).length > 0 ? `${commandText(options[i]!)} ` : '';
    return `npx verbslab exec ${i > 0 ? '--with RUN ' : ''}${own}${replay} -- ${commandText(command)}`;
  });
}

/** Faults that were injected into a finished run, with commands to repeat it. */
export default function Injected({ model }: { model: RunModel }) {
  const { faults, record } = model;
  const span = faults.at(-1)!.t;
  const commands = replays(record);
  return (
    <div className="px-3 pb-3 text-13">
      <div
        className="thin-scroll max-h-60 overflow-auto"
        tabIndex={0}
        role="group"
        aria-label="Injected faults"
      >
        <table className="num">
          <thead className="text-left text-12 text-ink-3">
            <tr>
              <th scope="col" className="pr-4 font-normal sm:pr-6">
                Time
              </th>
              <th scope="col" className="pr-4 font-normal whitespace-nowrap sm:pr-6">
                Packets sent by
              </th>
              <th scope="col" className="font-normal">
                From then on
              </th>
            </tr>
          </thead>
          <tbody>
            {faults.map((e) => (
              <tr key={e.seq} className="align-baseline">
                <td className="pr-4 whitespace-nowrap sm:pr-6">{momentText(e.t, span)}</td>
                <td className="pr-4 whitespace-nowrap sm:pr-6">{e.endpoint}</td>
                <td>{faultsText(e) || 'nothing'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-2 mb-1">
        Each line is a change of the settings. They act on what is sent from then on; the list of packets
        names the packets that they hit.
      </p>
      {commands.length > 0 ? (
        <p className="mt-2 mb-1">
          {commands.length > 1
            ? 'Run the programs again with the same faults at the same times, each in its own terminal, in this order. Replace RUN with the number of the run that the first one starts:'
            : `Run the ${isProgram(record) ? 'program' : 'lab'} again with the same faults at the same times:`}
        </p>
      ) : null}
      {commands.map((command, i) => (
        <CopyCommand key={i} command={command} />
      ))}
    </div>
  );
}
