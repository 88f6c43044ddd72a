import { endpointNames, type LabDescription } from '@verbslab/protocol';
import { useMemo } from 'react';
import type { RunModel } from '../../model/run-model';

export interface Titles {
  /** Endpoints in the order of the lab. */
  order: readonly string[];
  /** Name of an endpoint on the page. */
  of: (endpoint: string) => string;
}

/** Names of a run's endpoints. A program's processes only have their own. */
export function useTitles({ record }: RunModel, lab: LabDescription | null): Titles {
  return useMemo(() => {
    const names = endpointNames(lab?.roles ?? [], record.parameters);
    const titles = new Map(names.map(({ name, title }) => [name, title]));
    return { order: [...titles.keys()], of: (endpoint) => titles.get(endpoint) ?? endpoint };
  }, [lab, record.parameters]);
}
