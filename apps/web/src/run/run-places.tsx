import { LOCAL_HOST, type Link, type ProviderClass } from '@verbslab/protocol';
import { ProviderBadges } from '../ui/provider-badge';

interface Place {
  role: string;
  host: string;
  device: string;
  providerClass: ProviderClass;
}

/** On which device of which host each endpoint is; once, when all are on the same one. */
export function RunPlaces(props: { places: readonly Place[]; links: readonly Link[] }) {
  const { places, links } = props;
  const [first] = places;
  const away = places.some(({ host, device }) => host !== LOCAL_HOST || device !== first?.device);
  const shown = away ? places : places.slice(0, 1);
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
          <ProviderBadges provider={providerClass} links={links} explained />
        </span>
      ))}
    </>
  );
}
