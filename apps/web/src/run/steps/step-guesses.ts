/** What the reader predicted before the steps of a run. The browser keeps it as long as its window. */
import { create } from 'zustand';

const KEY = 'verbslab.steps';
/** Most predictions that are kept. */
const MOST = 400;

interface GuessStore {
  /** Id of an option by run and step. */
  guesses: Readonly<Record<string, string>>;
  guess: (run: string, step: string, option: string) => void;
}

const keyOf = (run: string, step: string): string => `${run} ${step}`;

function kept(): Record<string, string> {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(
      Object.entries(read).filter((one): one is [string, string] => typeof one[1] === 'string'),
    );
  } catch {
    return {};
  }
}

function keep(guesses: Record<string, string>): Record<string, string> {
  const last = Object.fromEntries(Object.entries(guesses).slice(-MOST));
  try {
    sessionStorage.setItem(KEY, JSON.stringify(last));
  } catch {
    // Without storage, predictions live as long as the page.
  }
  return last;
}

export const useGuesses = create<GuessStore>((set) => ({
  guesses: kept(),
  guess: (run, step, option) =>
    set(({ guesses }) => ({ guesses: keep({ ...guesses, [keyOf(run, step)]: option }) })),
}));

/** Null if the reader predicted nothing. */
export const useGuess = (run: string, step: string): string | null =>
  useGuesses(({ guesses }) => guesses[keyOf(run, step)] ?? null);
