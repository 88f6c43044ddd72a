'use client';
import { describedBy, isProgram, type LabDescription } from '@verbslab/protocol';
import { Eye, EyeOff, X } from 'lucide-react';
import { runHref } from '../addresses';
import { when } from '../format/number';
import { fieldsOf, summary } from '../model/fields';
import type { Topic } from '../model/run-model';
import { RunProvider } from '../parts/run/run-provider';
import { useTopics } from '../connection/use-session';
import { IconButton } from '../ui/button';
import { cn } from '../ui/cn';
import { PageLink } from '../ui/page-link';
import { StateBadge } from '../ui/state-badge';
import type { CompareQuery } from './compare-query';
import { RunMark } from './run-mark';
import type { Compared } from './use-compared';

const TOPICS: readonly Topic[] = ['record', 'state'];

interface RunCardsProps {
  runs: readonly Compared[];
  labs: readonly LabDescription[];
  query: CompareQuery;
  base: string;
  change: (part: Partial<CompareQuery>) => void;
}

/**
 * List of the compared runs: letter and line style of each, choice of the baseline, and choice of the runs in the
 * charts.
 */
export function RunCards({ runs, labs, query, base, change }: RunCardsProps) {
  return (
    <fieldset className="mt-4">
      <legend className="text-13 text-ink-2">Runs. The others are compared with the baseline.</legend>
      <ul className="mt-1 divide-y border-y">
        {runs.map((run) => (
          <Card
            key={run.id}
            run={run}
            lab={describedBy(labs, run.view.model.record)}
            isBase={run.id === base}
            hidden={query.hidden.includes(run.id)}
            onBase={() => change({ base: run.id })}
            onHide={(hide) =>
              change({
                hidden: hide ? [...query.hidden, run.id] : query.hidden.filter((id) => id !== run.id),
              })
            }
            onRemove={() => change({ ids: query.ids.filter((id) => id !== run.id) })}
          />
        ))}
      </ul>
    </fieldset>
  );
}

function Card(props: {
  run: Compared;
  lab: LabDescription | undefined;
  isBase: boolean;
  hidden: boolean;
  onBase: () => void;
  onHide: (hide: boolean) => void;
  onRemove: () => void;
}) {
  const { run, lab, isBase, hidden, onBase, onHide, onRemove } = props;
  useTopics(run.view, TOPICS);
  const { record } = run.view.model;
  const name = `${run.letter}, run ${record.number}`;
  return (
    <li
      data-run={run.id}
      data-compared={run.letter}
      className={cn('flex flex-wrap items-center gap-x-3 gap-y-0.5 py-1', hidden && 'text-ink-3')}
    >
      <RunMark letter={run.letter} index={run.index} line />
      <PageLink
        href={runHref(run.id)}
        className="inline-flex min-h-8 min-w-0 items-center text-accent underline wrap-anywhere pointer-coarse:min-h-11"
      >
        Run {record.number}: {record.title}
      </PageLink>
      <StateBadge state={record.state} problems={record.result?.problems} />
      <span className="text-13">
        <RunProvider view={run.view} />
      </span>
      <span className="num text-13 text-ink-3" data-shows="created">
        {when(record.createdAt)}
      </span>
      <span className="ml-auto flex items-center gap-1">
        <label className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 px-1 text-13 pointer-coarse:min-h-11">
          <input
            type="radio"
            name="baseline"
            checked={isBase}
            onChange={onBase}
            aria-label={`Baseline: ${name}`}
            className="size-4 accent-accent"
          />
          baseline
        </label>
        <IconButton
          label={hidden ? `Show ${name} in charts` : `Hide ${name} from charts`}
          aria-pressed={hidden}
          onClick={() => onHide(!hidden)}
        >
          {hidden ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
        </IconButton>
        <IconButton label={`Remove ${name}`} onClick={onRemove}>
          <X size={14} aria-hidden />
        </IconButton>
      </span>
      <span className="w-full text-13 text-ink-2 empty:hidden" data-shows="run-parameters">
        {isProgram(record) || !lab ? '' : summary(fieldsOf(lab.params), record.parameters)}
      </span>
    </li>
  );
}
