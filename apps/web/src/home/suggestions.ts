/** Suggestions for the next activity, from the progress so far. */
import {
  isFinal,
  isProgram,
  problemsText,
  type LabDescription,
  type LabProgress,
  type RunRow,
} from '@verbslab/protocol';
import { runHref } from '../addresses';
import { nextLab, type CheckCounts } from '../model/progress';

export interface Suggestion {
  id: 'step' | 'failed' | 'problems' | 'lab' | 'checks' | 'program';
  /** A single sentence. */
  text: string;
  /** Label of the link. */
  action: string;
  href: string;
}

const MOST = 3;

const named = ({ number, title }: RunRow): string => `Run ${number} (${title})`;

function ofRuns(runs: readonly RunRow[]): Suggestion[] {
  const found: Suggestion[] = [];
  const waiting = runs.find(({ state, waitingFor }) => waitingFor !== null && !isFinal(state));
  if (waiting)
    found.push({
      id: 'step',
      text: `${named(waiting)} is paused before its next step.`,
      action: 'Continue the run',
      href: runHref(waiting.id),
    });
  const last = runs.find(({ state, imported }) => isFinal(state) && !imported);
  const problems = last?.result?.problems ?? 0;
  if (last?.state === 'failed')
    found.push({
      id: 'failed',
      text: `${named(last)}, the latest, failed.`,
      action: 'See why',
      href: runHref(last.id),
    });
  else if (last && problems > 0)
    found.push({
      id: 'problems',
      text: `${named(last)}, the latest, has ${problemsText(problems)}.`,
      action: problems === 1 ? 'See what went wrong' : 'See them',
      href: runHref(last.id),
    });
  return found;
}

function ofLabs(
  labs: readonly LabDescription[],
  checks: CheckCounts,
  progress: readonly LabProgress[],
): Suggestion[] {
  const next = nextLab(labs, progress, checks);
  if (!next) return [];
  const { lab, why } = next;
  const href = `/labs/${lab.id}`;
  if (why === 'answer')
    return [
      {
        id: 'checks',
        text: `The self-checks of “${lab.title}” are still open.`,
        action: 'Answer them',
        href,
      },
    ];
  const run = progress.filter(({ runs }) => runs > 0).length;
  const text = run === 0 ? 'You have not run a lab yet.' : `You have run ${run} of ${labs.length} labs.`;
  return [{ id: 'lab', text, action: lab.question, href }];
}

/** Most urgent suggestions, three at most. */
export function suggestionsOf(facts: {
  labs: readonly LabDescription[];
  checks: CheckCounts;
  progress: readonly LabProgress[];
  /** Newest first. */
  runs: readonly RunRow[];
}): Suggestion[] {
  const { labs, checks, progress, runs } = facts;
  const found = [...ofRuns(runs), ...ofLabs(labs, checks, progress)];
  if (!runs.some(isProgram))
    found.push({
      id: 'program',
      text: 'You have not run a program of your own yet.',
      action: 'Copy the command for it',
      href: '#debug',
    });
  return found.slice(0, MOST);
}
