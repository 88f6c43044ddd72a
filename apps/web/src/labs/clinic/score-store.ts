/** Finished cases and the seed of the next one. The browser keeps them. */
import { create } from 'zustand';
import type { Solved } from './game';

const KEY = 'verbslab.clinic';
/** Number of finished cases that are kept. */
const MOST = 500;

interface Kept {
  seed: number;
  solved: readonly Solved[];
}

interface ScoreStore extends Kept {
  /** False until read from the browser's storage. */
  loaded: boolean;
  load: () => void;
  finish: (one: Solved) => void;
  /** Goes to another case. */
  to: (seed: number) => void;
  forget: () => void;
}

const isSolved = (one: unknown): one is Solved =>
  typeof one === 'object' &&
  one !== null &&
  'case' in one &&
  typeof one.case === 'string' &&
  'right' in one &&
  typeof one.right === 'boolean' &&
  'points' in one &&
  typeof one.points === 'number';

/** Reads what is kept. What this version cannot read counts as nothing. */
function kept(): Kept {
  try {
    const read = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Record<keyof Kept, unknown>>;
    return {
      seed: Number.isSafeInteger(read.seed) && Number(read.seed) > 0 ? Number(read.seed) : 1,
      solved: Array.isArray(read.solved) ? read.solved.filter(isSolved).slice(-MOST) : [],
    };
  } catch {
    return { seed: 1, solved: [] };
  }
}

function keep({ seed, solved }: Kept): Kept {
  try {
    localStorage.setItem(KEY, JSON.stringify({ seed, solved }));
  } catch {
    // Without storage, the score lives as long as the page.
  }
  return { seed, solved };
}

export const useScore = create<ScoreStore>((set) => ({
  seed: 1,
  solved: [],
  loaded: false,
  load: () => set(({ loaded }) => (loaded ? {} : { ...kept(), loaded: true })),
  finish: (one) => set(({ seed, solved }) => keep({ seed, solved: [...solved, one].slice(-MOST) })),
  to: (seed) => set(({ solved }) => keep({ seed, solved })),
  forget: () => set(({ seed }) => keep({ seed, solved: [] })),
}));
