'use client';
import { plural } from '@verbslab/labs';
import type { LabDescription } from '@verbslab/protocol';
import { ListPlus, Play, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useMemo, useState } from 'react';
import { toFailure } from '../connection/failure';
import { request } from '../connection/store';
import type { LabForm } from '../labs/use-lab-form';
import { chosenPlaces } from '../labs/places';
import { StartFailure } from '../runs/start-failure';
import { Button, IconButton } from '../ui/button';
import type { Failure } from '../ui/states';
import { readSweepDraft, suggestedValues, sweepable, type SweepDraft } from './sweep-draft';
import { sweepHref } from './sweep-href';

const box =
  'h-9 rounded-[4px] border border-line-strong bg-panel px-2.5 text-14 pointer-coarse:h-11 aria-invalid:border-error';

/** Runs of the lab over values of one or two parameters. The other parameters are those of the form above. */
export function SweepForm({ lab, form, ready }: { lab: LabDescription; form: LabForm; ready: boolean }) {
  const router = useRouter();
  const id = useId();
  const fields = useMemo(() => sweepable(form.fields), [form.fields]);
  const [edited, setEdited] = useState<SweepDraft | null>(null);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const first = fields.find(({ kind }) => kind === 'integer' || kind === 'number') ?? fields[0];
  if (!first) return null;
  const rowOf = (name: string) => {
    const field = fields.find((one) => one.name === name) ?? first;
    return { param: field.name, values: suggestedValues(field) };
  };
  const draft = edited ?? { rows: [rowOf(first.name)], repeat: '3' };
  const { plan, runs, errors } = readSweepDraft(lab, draft);
  const setRow = (at: number, row: SweepDraft['rows'][number]) =>
    setEdited({ ...draft, rows: draft.rows.map((one, i) => (i === at ? row : one)) });
  const unused = fields.find(({ name }) => !draft.rows.some(({ param }) => param === name));
  const start = async () => {
    if (!plan) return;
    setStarting(true);
    setFailure(null);
    const swept = new Set(plan.axes.map(({ param }) => param));
    const params = Object.fromEntries(
      Object.entries(form.reading.values).filter(([name]) => !swept.has(name)),
    );
    try {
      const { sweep } = await request('sweep.start', {
        ...{ lab: lab.id, params, ...plan },
        ...chosenPlaces(form.chosen),
      });
      router.push(sweepHref(sweep.id));
    } catch (e) {
      setFailure(toFailure(e));
      setStarting(false);
    }
  };
  return (
    <details className="mt-5" data-sweep-form>
      <summary className="inline-flex min-h-8 cursor-pointer items-center font-medium pointer-coarse:min-h-11">
        Sweep
      </summary>
      <div role="group" aria-label="Sweep" className="mt-2 border-l-2 border-line pl-4">
        <p className="prose text-13 text-ink-2">
          Run the lab once per value of a parameter, or over a grid of two. Write a list (1,4,16), a range
          with a factor (1..64*2), or a range with a step (1..9+2).
        </p>
        {draft.rows.map(({ param, values }, at) => (
          <div key={at} className="mt-3">
            <div className="flex flex-wrap items-center gap-2">
              <select
                aria-label={`Swept parameter ${at + 1}`}
                value={param}
                onChange={(e) => setRow(at, rowOf(e.target.value))}
                className={`${box} w-52 max-sm:w-full`}
              >
                {fields.map(({ name, title }) => (
                  <option key={name} value={name}>
                    {title}
                  </option>
                ))}
              </select>
              <input
                aria-label={`Values of parameter ${at + 1}`}
                value={values}
                aria-invalid={errors.rows[at] !== null}
                aria-describedby={`${id}-${at}`}
                onChange={(e) => setRow(at, { param, values: e.target.value })}
                onKeyDown={(e) => {
                  // Enter in this part starts the sweep, not the single run of the form around it.
                  if (e.key !== 'Enter') return;
                  e.preventDefault();
                  if (ready && plan) void start();
                }}
                className={`${box} num min-w-0 flex-1 sm:max-w-72`}
              />
              {draft.rows.length > 1 ? (
                <IconButton
                  label={`Remove parameter ${at + 1}`}
                  onClick={() => setEdited({ ...draft, rows: draft.rows.filter((_, i) => i !== at) })}
                >
                  <X size={14} aria-hidden />
                </IconButton>
              ) : null}
            </div>
            <p
              id={`${id}-${at}`}
              role={errors.rows[at] ? 'alert' : undefined}
              className="mt-1 max-w-[60ch] text-13 text-error-ink empty:hidden"
            >
              {errors.rows[at] ?? ''}
            </p>
          </div>
        ))}
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <label className="flex items-center gap-2">
            <span>Repetitions</span>
            <input
              inputMode="numeric"
              value={draft.repeat}
              aria-invalid={errors.repeat !== null}
              aria-describedby={`${id}-repeat`}
              onChange={(e) => setEdited({ ...draft, repeat: e.target.value })}
              className={`${box} num w-20`}
            />
          </label>
          {draft.rows.length === 1 && unused ? (
            <Button
              kind="quiet"
              onClick={() => setEdited({ ...draft, rows: [...draft.rows, rowOf(unused.name)] })}
            >
              <ListPlus size={14} aria-hidden />
              Add second parameter
            </Button>
          ) : null}
        </div>
        <p
          id={`${id}-repeat`}
          role={errors.repeat || errors.all ? 'alert' : undefined}
          className="mt-1 text-13 text-error-ink empty:hidden"
        >
          {errors.repeat ?? errors.all ?? ''}
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-3">
          <Button disabled={!ready || plan === null || starting} onClick={() => void start()}>
            <Play size={14} aria-hidden />
            Start sweep
          </Button>
          <span className="text-13 text-ink-2" data-sweep-runs>
            {plan
              ? `${plural(plan.points.length, 'point')} × ${plural(plan.repeat, 'repetition')} = ${plural(runs, 'run')}`
              : 'Correct the marked fields to start.'}
          </span>
        </div>
        {failure ? <StartFailure failure={failure} className="mt-4" /> : null}
      </div>
    </details>
  );
}
