import { CAPABILITY_TEXT, trackTitle, type LabDescription } from '@verbslab/protocol';

/** Fields of a lab that the catalog shows and searches. */
export interface LabListing extends Pick<
  LabDescription,
  'id' | 'title' | 'question' | 'summary' | 'track' | 'minutes' | 'needs'
> {
  variations?: readonly { title: string }[] | undefined;
}

/** Labs of a track that match the search. */
export interface TrackOfLabs {
  title: string;
  labs: LabListing[];
}

const wordsOf = (lab: LabListing): string =>
  [
    lab.id,
    lab.title,
    lab.question,
    lab.summary,
    trackTitle(lab.track),
    ...lab.needs.map((capability) => CAPABILITY_TEXT[capability]),
    ...(lab.variations ?? []).map(({ title }) => title),
  ]
    .join(' ')
    .toLowerCase();

/** Labs that contain all words of `query`, by track, in the order of the list. */
export function searchLabs(labs: readonly LabListing[], query: string): TrackOfLabs[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const tracks: TrackOfLabs[] = [];
  for (const lab of labs) {
    const text = wordsOf(lab);
    if (!words.every((word) => text.includes(word))) continue;
    const title = trackTitle(lab.track);
    const track = tracks.find((one) => one.title === title);
    if (track) track.labs.push(lab);
    else tracks.push({ title, labs: [lab] });
  }
  return tracks;
}
