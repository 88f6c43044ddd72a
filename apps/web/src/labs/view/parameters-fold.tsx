'use client';
import type { LabDescription, RunRecord } from '@verbslab/protocol';
import { fieldsOf, summary } from '../../model/fields';
import { ParamForm } from '../../parts/forms/param-form';
import { Fold } from '../../ui/fold';
import { CompareVariations } from '../compare-variations';
import { plannedTime } from '../planned-time';
import type { Starter } from './use-starter';

/** The form of all parameters, and how long a run with them takes. `record`: the run on the page, if there is one. */
export function ParametersFold(props: { lab: LabDescription; starter: Starter; record: RunRecord | null }) {
  const { lab, starter, record } = props;
  const { form, ready, start } = starter;
  if (form.fields.length === 0) return null;
  const planned = form.wrong ? null : plannedTime(lab.timing, form.reading.values);
  const values = record?.parameters ?? form.reading.values;
  return (
    <Fold
      id="parameters"
      title="Parameters"
      words
      summary={
        <span data-shows={record ? 'parameters' : undefined} data-words={record ? undefined : true}>
          {summary(fieldsOf(lab.params), values, true)}
        </span>
      }
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (ready) void start(record?.mode ?? 'all');
        }}
      >
        <CompareVariations lab={lab} />
        <ParamForm
          fields={form.fields}
          draft={form.draft}
          errors={form.reading.errors}
          onChange={form.setField}
        />
        {planned === null ? null : (
          <p data-planned className="mt-2 text-13 text-ink-2">
            {planned.full}
          </p>
        )}
        {/* Enter in a field starts a run. */}
        <button type="submit" hidden />
      </form>
    </Fold>
  );
}
