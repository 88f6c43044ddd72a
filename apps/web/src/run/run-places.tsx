import { isFinal, LOCAL_HOST } from '@verbslab/protocol';
import type { RunModel } from '../model/run-model';
import { lazyPart } from '../connection/lazy-part';
import { placesOf } from '../parts/run/run-provider';
import { ProviderBadges } from '../ui/provider-badge';
import { Skeleton } from '../ui/states';

const PolicyBadges = lazyPart(async () => (await import('./policies/policy-badges')).PolicyBadges);

/** On which device of which host each endpoint is; once, when all are on the same one. */
export function RunPlaces({ model }: { model: RunModel }) {
  const places = placesOf(model);
  const [first] = places;
  // The device is known once an endpoint has opened it; a skeleton reserves the space until then.
  if (!first) return isFinal(model.record.state) ? null : <Skeleton className="h-3 w-48" />;
  const away = places.some(({ host, device }) => host !== LOCAL_HOST || device !== first.device);
  const shown = away ? places : [first];
  return (
    <>
      {shown.map(({ role, host, device, providerClass }) => (
        <span key={role} className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span>
            {away ? `${role} on ` : ''}
            <span className="num" data-shows="device" data-role={away ? role : undefined}>
              {away ? `${host}/${device}` : device}
            </span>
          </span>
          <ProviderBadges provider={providerClass} links={model.links} explained />
        </span>
      ))}
      {model.policies.size > 0 ? <PolicyBadges model={model} /> : null}
    </>
  );
}
