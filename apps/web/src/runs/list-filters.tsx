'use client';
import { PROGRAM_VIEW, RUN_STATES, type LabDescription } from '@verbslab/protocol';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../ui/button';
import { columnName, type RunColumn } from './columns';
import type { ListQuery, Sort } from './list-query';

interface Filters {
  query: ListQuery;
  change: (part: Partial<ListQuery>, step?: boolean) => void;
}

/** What of the history is shown. */
export function ListFilters({ query, change, labs }: Filters & { labs: readonly LabDescription[] }) {
  return (
    <div className="flex flex-wrap gap-3">
      <SearchBox q={query.q} change={change} />
      <Choice
        label="Lab"
        value={query.lab}
        options={[['', 'All'], ...[...labs, PROGRAM_VIEW].map((l) => [l.id, l.title] as const)]}
        onChange={(lab) => change({ lab })}
      />
      <Choice
        label="State"
        value={query.state}
        options={[['', 'All'], ...RUN_STATES.map((s) => [s, s] as const)]}
        onChange={(state) => change({ state })}
      />
    </div>
  );
}

/** The whole of what is typed in one go is one step for Back. */
function SearchBox({ q, change }: { q: string; change: Filters['change'] }) {
  // The address follows a moment later; until then the box has what was typed.
  const [typed, setTyped] = useState(q);
  const [known, setKnown] = useState(q);
  const [typing, setTyping] = useState(false);
  if (known !== q) {
    setKnown(q);
    if (!typing) setTyped(q);
  }
  useEffect(() => {
    const onBack = () => setTyping(false);
    addEventListener('popstate', onBack);
    return () => removeEventListener('popstate', onBack);
  }, []);
  return (
    <input
      type="search"
      aria-label="Search runs"
      placeholder="Search"
      title="Words in the name, lab, parameters, state, host, device, or command line. All have to match."
      value={typed}
      onChange={(e) => {
        setTyped(e.target.value);
        change({ q: e.target.value }, !typing);
        setTyping(true);
      }}
      onBlur={() => setTyping(false)}
      className="h-8 w-48 rounded-[4px] border border-line-strong bg-panel px-2 text-13 max-sm:w-full pointer-coarse:h-11"
    />
  );
}

/** The order, where not every column has a heading to press. */
export function SortChoice(props: {
  sort: Sort;
  columns: readonly RunColumn[];
  onSort: (sort: Sort) => void;
}) {
  const { sort, columns, onSort } = props;
  return (
    <div className="mb-2 flex items-center gap-1">
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

function Choice(props: {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (v: string) => void;
}) {
  return (
    <label className="flex items-center gap-2 text-13 max-sm:w-full">
      <span className="shrink-0 text-ink-3 max-sm:w-12">{props.label}</span>
      <select
        value={props.value}
        onChange={(e) => props.onChange(e.target.value)}
        className="h-8 max-w-52 max-sm:max-w-none max-sm:flex-1 max-sm:min-w-0 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
      >
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
