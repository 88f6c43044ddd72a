'use client';
import { LOCAL_HOST, SIMULATOR, type ProviderClass } from '@verbslab/protocol';
import type { RunView } from '../../connection/run-view';
import { ProviderBadges } from '../../ui/provider-badge';
import type { RunModel, Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';

const RECORD: readonly Topic[] = ['record'];

/** Places of the endpoints of a run, as far as known. */
export function placesOf(
  model: RunModel,
): { role: string; host: string; device: string; providerClass: ProviderClass }[] {
  const told = [...model.endpoints.values()].map(({ role, host = LOCAL_HOST, device, providerClass }) => ({
    role,
    host,
    device,
    providerClass,
  }));
  const places = model.record.result?.endpoints ?? told.sort((a, b) => (a.role < b.role ? -1 : 1));
  if (model.simulations.length === 0) return places;
  return [...places, { role: 'fabric', host: LOCAL_HOST, device: SIMULATOR, providerClass: 'simulated' }];
}

/** Classes that do the NIC's work in a run, without duplicates. */
export function providersOf(model: RunModel): ProviderClass[] {
  const classes = new Set(placesOf(model).map(({ providerClass }) => providerClass));
  const old = model.record.result?.provider;
  return classes.size === 0 && old ? [old] : [...classes];
}

/** Provider class of a run with its links, for charts and figures. `short`: for a legend that names the links. */
export function RunProvider({ view, short = false }: { view: RunView; short?: boolean }) {
  useTopics(view, RECORD);
  return (
    <>
      {providersOf(view.model).map((provider) => (
        <ProviderBadges key={provider} provider={provider} links={view.model.links} short={short} />
      ))}
    </>
  );
}
