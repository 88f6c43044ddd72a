import type { Filter, FilterError } from '@verbslab/roce';
import { useEffect, useState } from 'react';
import type * as engine from './filter-engine';

export type FilterEngine = typeof engine;

let loaded: FilterEngine | null = null;

export async function loadEngine(): Promise<FilterEngine> {
  return (loaded ??= await import('./filter-engine'));
}

/** The language of filters: null until it is wanted and there. */
export function useEngine(wanted: boolean): FilterEngine | null {
  const [engine, setEngine] = useState(loaded);
  useEffect(() => {
    if (!wanted || engine) return;
    let shown = true;
    loadEngine().then(
      (it) => {
        if (shown) setEngine(it);
      },
      // The agent, which hands out the code, has ended: the page says so, and the next use asks again.
      () => undefined,
    );
    return () => {
      shown = false;
    };
  }, [wanted, engine]);
  return engine;
}

/** A filter, or what is wrong with its text. */
export interface Compiled {
  filter: Filter | null;
  error: FilterError | null;
}

export function compiled(engine: FilterEngine, text: string): Compiled {
  try {
    return { filter: engine.compileFilter(text), error: null };
  } catch (error) {
    if (error instanceof engine.FilterError) return { filter: null, error };
    throw error;
  }
}
