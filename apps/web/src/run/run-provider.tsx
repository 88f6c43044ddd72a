'use client';
import type { ProviderClass } from '@verbslab/protocol';
import type { RunView } from '../connection/run-view';
import { ProviderBadge } from '../ui/provider-badge';
import type { RunModel, Topic } from './model/run-model';
import { useTopics } from './use-session';

const RECORD: readonly Topic[] = ['record'];

export function providerOf(model: RunModel): ProviderClass | null {
  return model.record.result?.provider ?? [...model.endpoints.values()][0]?.providerClass ?? null;
}

/** The provider class of a run, on each chart and figure. */
export function RunProvider({ view }: { view: RunView }) {
  useTopics(view, RECORD);
  const provider = providerOf(view.model);
  return provider ? <ProviderBadge provider={provider} /> : null;
}
