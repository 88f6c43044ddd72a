import { TRACKS, type LabDescription } from '@verbslab/protocol';
import type { LabPlace } from '../reading/reading-of';

/** Where a lab is in the catalog, and how long it takes. */
export function Eyebrow({ lab, place }: { lab: LabDescription; place: LabPlace | null }) {
  const track = place?.track ?? TRACKS.find(({ id }) => id === lab.track)?.title;
  const parts = [
    track,
    place === null ? undefined : `lab ${place.at} of ${place.of}`,
    lab.minutes === undefined ? undefined : `${lab.minutes} minutes`,
  ];
  return (
    <p className="text-13 text-ink-3" data-words>
      {parts.filter((part) => part !== undefined).join(' · ')}
    </p>
  );
}
