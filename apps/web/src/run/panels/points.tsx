'use client';
import { findTask } from '@verbslab/labs/workbench';
import { isFinal, workbenchOf } from '@verbslab/protocol';
import { Check, Minus, X } from 'lucide-react';
import { Gloss } from '../../ui/gloss';
import type { Topic } from '../../model/run-model';
import { useReplaying } from '../../connection/replaying';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';

const TOPICS: readonly Topic[] = ['notes', 'record', 'state'];

const SOON = 'The checker looks at the records when the program has ended.';
const NEVER = 'The program ended before it could be checked.';

/** The points of a task of the workbench, and whether the device saw what they ask for. */
export default function PointsPanel({ view }: PanelContentProps) {
  useTopics(view, TOPICS);
  const { checks, record } = view.model;
  const of = workbenchOf(record);
  const decided = new Map([...(record.result?.checks ?? []), ...checks.values()].map((c) => [c.id, c]));
  const texts = new Map(of ? findTask(of.task)?.points.map(({ id, text }) => [id, text]) : []);
  const ids = [...new Set([...texts.keys(), ...decided.keys()])];
  const over = isFinal(record.state);
  const replaying = useReplaying();
  return (
    <div
      className="thin-scroll h-full overflow-auto px-3 pb-3"
      tabIndex={0}
      role="group"
      aria-label="Points of the task"
    >
      {decided.size > 0 || (over && replaying) ? null : (
        <p className="mb-1 text-13 text-ink-3">{over ? NEVER : SOON}</p>
      )}
      <ul className="space-y-1">
        {ids.map((id) => {
          const check = decided.get(id);
          const Icon = check ? (check.ok ? Check : X) : Minus;
          const name = check ? (check.ok ? 'passed' : 'not passed') : 'not checked';
          return (
            <li key={id} data-point={id} data-ok={check?.ok} className="grid grid-cols-[1.25rem_1fr] text-13">
              <Icon
                size={15}
                className={
                  check ? (check.ok ? 'mt-0.5 text-ok-ink' : 'mt-0.5 text-error-ink') : 'mt-0.5 text-ink-3'
                }
                aria-label={!check && !over ? 'not checked yet' : name}
              />
              <div>
                <p data-words>
                  <Gloss>{texts.get(id) ?? id}</Gloss>
                </p>
                {check?.ok === false ? (
                  <p className="text-error-ink" data-shows="check">
                    {check.detail}
                    {check.at ? ` Line ${check.at.line}.` : null}
                  </p>
                ) : null}
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
