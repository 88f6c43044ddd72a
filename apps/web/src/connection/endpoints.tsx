'use client';
import { ProviderBadge } from '../ui/provider-badge';
import { useAgent } from './store';

/** The devices that endpoints of this page run on, with their class. */
export function Endpoints() {
  const devices = useAgent((s) => s.devices);
  const usable = devices.filter((d) => !d.problem);
  const first = usable[0];
  if (!first) return null;
  return (
    <span className="flex min-w-0 items-center gap-2 max-md:hidden">
      <span className="num truncate text-13">{first.name}</span>
      <ProviderBadge provider={first.providerClass} />
      {usable.length > 1 ? (
        <span className="text-12 whitespace-nowrap text-ink-3">and {usable.length - 1} more</span>
      ) : null}
    </span>
  );
}
