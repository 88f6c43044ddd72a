'use client';
import { policyName } from '@verbslab/report/policies';
import type { RunModel } from '../../model/run-model';
import { PolicyBadge } from './policy-badge';

/** The policies of a run's queue pairs that are not the default, each once. */
export function PolicyBadges({ model }: { model: RunModel }) {
  const found = new Map(model.policies.tracks.map(({ last }) => [policyName(last), last]));
  return [...found].map(([name, policy]) => <PolicyBadge key={name} policy={policy} explained />);
}
