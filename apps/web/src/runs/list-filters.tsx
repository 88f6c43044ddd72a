'use client';
import { PROGRAM_VIEW, RUN_STATES, SIMULATION_VIEW, type LabDescription } from '@verbslab/protocol';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useFilterField } from '../actions/page-store';
import { IconButton } from '../ui/button';
import { Choice } from '../ui/choice';
import { SearchBox } from '../ui/search-box';
import { columnName, type RunColumn } from './columns';
import { HEADLINE } from './headline';
import type { ListQuery, Sort } from '../parts/run/list-query';

interface Filters {
  query: ListQuery;
  change: (part: Partial<ListQuery>, step?: boolean) => void;
}

/** Filters of the history. */
export function ListFilters(
  props: Filters & {
    labs: readonly LabDescription[];
    /** Tags of the loaded runs. */
    tags: readonly string[];
  },
) {
  const { query, change, labs } = props;
  // The address may have a tag of a run that is not loaded yet.
  const tags = [...new Set([...props.tags, ...(query.tag === '' ? [] : [query.tag])])];
  return (
    <div className="flex flex-wrap gap-3">
      <SearchBox
        ref={useFilterField()}
        label="Search runs"
        meaning="Words in the name, lab, parameters, state, host, device, command line, tags, or notes. All have to match."
        value={query.q}
        onChange={(q, step) => change({ q }, step)}
      />
      <Choice
        label="Lab"
        value={query.lab}
        options={[
          ['', 'All'],
          ...[...labs, PROGRAM_VIEW, SIMULATION_VIEW].map((l) => [l.id, l.title] as const),
        ]}
        onChange={(lab) => change({ lab })}
      />
      <Choice
        label="State"
        value={query.state}
        options={[['', 'All'], ...RUN_STATES.map((s) => [s, s] as const)]}
        onChange={(state) => change({ state })}
      />
      {tags.length > 0 ? (
        <Choice
          label="Tag"
          value={query.tag}
          options={[['', 'All'], ...tags.map((tag) => [tag, tag] as const)]}
          onChange={(tag) => change({ tag })}
        />
      ) : null}
    </div>
  );
}

/** Menu for the order, if some columns have no heading to press. */
export function SortChoice(props: {
  sort: Sort;
  columns: readonly RunColumn[];
  onSort: (sort: Sort) => void;
}) {
  const { sort, columns, onSort } = props;
  return (
    <div className="flex items-center gap-1 max-sm:w-full">
      <Choice
        label="Sort by"
        value={sort.id}
        options={columns.map((column) => [column.id, columnName(column)])}
        onChange={(id) => onSort({ id, desc: sort.desc })}
      />
      <IconButton
        label={sort.desc ? 'Sorted from high to low' : 'Sorted from low to high'}
        onClick={() => onSort({ id: sort.id, desc: !sort.desc })}
      >
        {sort.desc ? <ArrowDown size={14} aria-hidden /> : <ArrowUp size={14} aria-hidden />}
      </IconButton>
    </div>
  );
}

/** Menu for the figure in each line; empty if no run has another one. */
export function FigureChoice(props: {
  figure: string;
  columns: readonly RunColumn[];
  onChange: (figure: string) => void;
}) {
  const { figure, columns, onChange } = props;
  const others = columns.filter((column) => column.figure !== undefined);
  if (others.length === 0) return null;
  return (
    <Choice
      label="Figure"
      value={figure}
      options={[
        [HEADLINE, 'First of each lab'],
        ...others.map((column) => [column.id, columnName(column)] as const),
      ]}
      onChange={onChange}
    />
  );
}
