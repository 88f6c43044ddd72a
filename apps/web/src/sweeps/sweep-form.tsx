'use client';
import type { LabDescription } from '@verbslab/protocol';
import { ListPlus, Play } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useId, useMemo, useState } from 'react';
import { sweepHref } from '../addresses';
import { ActionButton } from '../actions/action-button';
import { Offer } from '../actions/page-store';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import type { LabForm } from '../parts/forms/use-lab-form';
import { chosenPlaces } from '../parts/forms/places';
import { StartFailure } from '../parts/run/start-failure';
import { Button } from '../ui/button';
import { Fold } from '../ui/fold';
import { cn } from '../ui/cn';
import type { Failure } from '../ui/states';
import { box, Fault } from './form-parts';
import { plannedSweep } from './planned-sweep';
import { readSweepDraft, suggestedValues, sweepable, type SweepDraft } from './sweep-draft';
import { SweepRow } from './sweep-row';

/** Runs of the lab over values of one or two parameters. The other parameters are those of the form above. */
export function SweepForm({ lab, form, ready }: { lab: LabDescription; form: LabForm; ready: boolean }) {
  const router = useRouter();
  const id = useId();
  const fields = useMemo(() => sweepable(form.fields), [form.fields]);
  const [edited, setEdited] = useState<SweepDraft | null>(null);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const last = useAgent((s) => s.runs?.find((run) => run.lab === lab.id && run.state === 'done'));
  const first = fields.find(({ kind }) => kind === 'integer' || kind === 'number') ?? fields[0];
  if (!first) return null;
  const rowOf = (name: string) => {
    const field = fields.find((one) => one.name === name) ?? first;
    return { param: field.name, values: suggestedValues(field) };
  };
  const draft = edited ?? { rows: [rowOf(first.name)], repeat: '6' };
  const { plan, values, errors } = readSweepDraft(lab, form.fields, form.reading.values, draft);
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
    <Fold
      id="sweep"
      title="Sweep"
      summary="over values of a parameter"
      words
      onKeyDown={(e) => {
        // Enter in a field starts the sweep.
        if (e.key !== 'Enter' || !(e.target instanceof HTMLInputElement)) return;
        e.preventDefault();
        if (ready && plan && !starting) void start();
      }}
    >
      <div role="group" aria-label="Sweep" data-sweep-form>
        <p className="prose text-13 text-ink-2">
          Run the lab once per value of a parameter, or over a grid of two.
        </p>
        {draft.rows.map((row, at) => (
          <SweepRow
            key={at}
            number={at + 1}
            row={row}
            fields={fields}
            errors={errors.rows[at] ?? {}}
            values={values[at] ?? []}
            onChange={(changed) => setRow(at, changed)}
            onRemove={
              draft.rows.length > 1
                ? () => setEdited({ ...draft, rows: draft.rows.filter((_, i) => i !== at) })
                : null
            }
          />
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
              className={cn(box, 'num w-20')}
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
        <Fault id={`${id}-repeat`}>{errors.repeat ?? errors.all}</Fault>
        <div className="mt-3 flex flex-wrap items-center gap-3">
          {ready && plan !== null && !starting ? (
            <Offer handle={{ 'start-sweep': () => void start() }} />
          ) : null}
          <ActionButton action="start-sweep" icon={Play} />
          <span className="text-13 text-ink-2" data-sweep-runs>
            {plan
              ? plannedSweep({ ...plan, params: form.reading.values }, lab, last)
              : 'Correct the marked fields to start.'}
          </span>
        </div>
        {failure ? <StartFailure failure={failure} className="mt-4" /> : null}
      </div>
    </Fold>
  );
}
