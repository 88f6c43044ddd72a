'use client';
import type { LabDescription } from '@verbslab/protocol';
import type { RunView } from '../../connection/run-view';
import type { StepLog } from '../../model/step-log';
import { stepFacts } from '../../model/step-facts';
import { Gloss } from '../../ui/gloss';

/** Title and text of a step, with its figures. The text of a step that has not run would answer its question. */
export function StepText(props: { view: RunView; lab: LabDescription; step: StepLog; of: number }) {
  const { view, lab, step, of } = props;
  const begun = !Number.isNaN(step.begin);
  const facts = begun ? stepFacts(view.model, lab, step) : [];
  return (
    <div className="min-w-0">
      <p className="text-12 text-ink-3" data-words>
        Step {step.index + 1} of {of}
      </p>
      <h2 id="step-title" className="text-16 font-semibold text-balance" data-words>
        {step.title}
      </h2>
      {begun ? (
        <p className="mt-1 text-pretty" data-words>
          <Gloss>{step.text}</Gloss>
        </p>
      ) : (
        <p className="mt-1 text-ink-2">
          {step.state === 'waiting' ? 'This step is next.' : 'This step has not run yet.'} Its text comes with
          what it does.
        </p>
      )}
      {facts.length > 0 ? (
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-13" data-step-facts>
          {facts.map(({ name, label, value }) => (
            <div key={`${name} ${label}`} className="col-span-2 grid grid-cols-subgrid">
              <dt className="text-ink-3" data-words>
                {label}
              </dt>
              <dd className="num text-12 leading-5 break-words" data-shows="step-fact" data-fact={name}>
                {value}
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}
