'use client';
import type { LabDescription } from '@verbslab/protocol';
import { useId } from 'react';
import type { PlaceChoice } from '../parts/forms/places';
import { Fold } from '../ui/fold';

export interface PlaceFormProps {
  roles: LabDescription['roles'];
  places: readonly PlaceChoice[];
  chosen: Readonly<Record<string, string>>;
  onChange: (role: string, place: string) => void;
}

/** Form for the host and device of each endpoint. */
export function PlaceForm({ roles, places, chosen, onChange }: PlaceFormProps) {
  const id = useId();
  const named = roles.flatMap(({ name, title }) =>
    chosen[name] ? [`${title.toLowerCase()} on ${chosen[name]}`] : [],
  );
  return (
    <Fold
      id="where"
      title="Where"
      words
      summary={<span data-words>{named.length > 0 ? named.join(', ') : 'all endpoints on this host'}</span>}
    >
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        {roles.map((role) => {
          const value = chosen[role.name] ?? '';
          const unknown = value !== '' && !places.some((place) => place.value === value);
          return (
            <div key={role.name} className="flex min-w-0 flex-col gap-1">
              <label htmlFor={`${id}-${role.name}`} className="font-medium">
                {role.title}
              </label>
              <select
                id={`${id}-${role.name}`}
                value={value}
                onChange={(e) => onChange(role.name, e.target.value)}
                className="num h-9 min-w-[18rem] max-w-full rounded-[4px] border border-line-strong bg-panel px-2 max-sm:min-w-0 pointer-coarse:h-11"
              >
                <option value="">Automatic (this host)</option>
                {unknown ? <option value={value}>{value} (not available)</option> : null}
                {places.map((place) => (
                  <option key={place.value} value={place.value} disabled={place.problem !== null}>
                    {place.value} ({place.problem ?? place.providerClass})
                  </option>
                ))}
              </select>
            </div>
          );
        })}
      </div>
    </Fold>
  );
}
