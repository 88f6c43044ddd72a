'use client';
import { isFinal, type LabDescription } from '@verbslab/protocol';
import type { RunView } from '../connection/run-view';
import { CopyButton } from '../ui/copy-button';
import { CopyCommand } from '../ui/copy-command';
import { Objects, type Verb } from './c/objects';
import { programCommand, programSource } from './c/source';
import type { StepLog } from '../model/step-log';

const verbsOf = (events: StepLog['events']): Verb[] => events.filter((e) => e.kind === 'verb');

/** All steps of a run as one program in C. One process plays every side, so there is none of a run on several hosts. */
export function ProgramInC(props: { view: RunView; lab: LabDescription; steps: readonly StepLog[] }) {
  const { view, lab, steps } = props;
  const { record, endpoints } = view.model;
  const hosts = new Set([...endpoints.values()].map(({ host }) => host));
  if (!isFinal(record.state) || hosts.size !== 1) return null;
  const source = () => {
    const of = steps.map((step) => ({ ...step, verbs: verbsOf(step.events) }));
    const objects = new Objects(of.flatMap(({ verbs }) => verbs));
    return programSource(of, objects, { lab: lab.id, title: lab.title, of: `run ${record.number}` });
  };
  return (
    <section aria-labelledby="program-in-c" className="mt-4 max-w-[44rem]">
      <h3 id="program-in-c" className="text-14 font-semibold">
        Run it yourself
      </h3>
      <p className="mb-2 text-13 text-ink-2">
        All steps as one C program: the same calls with the same attributes, both sides in one process. Save
        it as <code className="num text-12">{lab.id}.c</code>, then compile and run it.
      </p>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <CopyButton source={source} text="Copy program in C" />
        <div className="min-w-64 flex-1">
          <CopyCommand command={programCommand(lab.id)} />
        </div>
      </div>
    </section>
  );
}
