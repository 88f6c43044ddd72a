'use client';
import { plural, type Difference, type FieldText } from '@verbslab/labs';
import { fieldsOf, valueText } from '../model/fields';
import { SideTable, type SideRow } from './side-table';
import type { Compared } from './use-compared';

/** Name and value of a parameter, in the format of forms and run pages. */
export const fieldText: FieldText = (lab, name, value) => {
  const field = lab && fieldsOf(lab.params).find((one) => one.name === name);
  if (field) return { title: field.title, text: valueText(field, value) };
  return { title: name, text: typeof value === 'string' ? value : JSON.stringify(value) };
};

const rowOf = ({ id, title, values, differs }: Difference): SideRow => ({
  id,
  head: title,
  marked: differs,
  cells: values.map((value, i) => (
    <span key={i} data-shows="compare-condition">
      {value}
    </span>
  )),
});

/** Table of the conditions that differ; those that are equal are folded away. */
export function Differences(props: { runs: readonly Compared[]; all: readonly Difference[]; base: string }) {
  const { runs, all, base } = props;
  const different = all.filter(({ differs }) => differs);
  const equal = all.filter(({ differs }) => !differs);
  return (
    <section aria-labelledby="differences">
      <h2 id="differences" className="text-16 font-semibold">
        What differs
      </h2>
      {different.length === 0 ? (
        <p className="mt-1 text-ink-2">Nothing that is recorded: the runs are repetitions of each other.</p>
      ) : (
        <div className="mt-2">
          <SideTable label="What differs" runs={runs} base={base} rows={different.map(rowOf)} />
        </div>
      )}
      {equal.length > 0 ? (
        <details className="mt-2">
          <summary className="inline-flex min-h-8 items-center text-13 text-accent underline underline-offset-4 pointer-coarse:min-h-11">
            <span data-words>Show {plural(equal.length, 'equal setting')}</span>
          </summary>
          <div className="mt-1">
            <SideTable label="What is equal" runs={runs} base={base} rows={equal.map(rowOf)} />
          </div>
        </details>
      ) : null}
    </section>
  );
}
