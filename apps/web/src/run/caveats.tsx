'use client';
import {
  carriedText,
  isFinal,
  LOCAL_HOST,
  PROVIDER_CLASS_TEXT,
  type LabDescription,
} from '@verbslab/protocol';
import type { RunView } from '../connection/run-view';
import { CopyCommand } from '../ui/copy-command';
import { Words } from '../ui/words';
import { fieldsOf } from '../model/fields';
import { commandOf, placeText } from '../model/circumstances';
import { labNotes } from '../model/lab-notes';
import type { Topic } from '../model/run-model';
import { placesOf } from '../parts/run/run-provider';
import { useTopics } from '../connection/use-session';

const TOPICS: readonly Topic[] = ['notes', 'record', 'state', 'trace'];

/** Limits of a measuring run's figures, at its headline, and the command that measures the same without a page. */
export function Caveats({ view, lab }: { view: RunView; lab: LabDescription }) {
  useTopics(view, TOPICS);
  const { record } = view.model;
  const caveats = labNotes(view.model).flatMap(({ text, caveat }) => (caveat ? [text] : []));
  const places = placesOf(view.model);
  const { links } = view.model;
  const place = placeText(places, PROVIDER_CLASS_TEXT, LOCAL_HOST, [...view.model.gids.values()]);
  if (place === null && caveats.length === 0) return null;
  return (
    <div className="mt-1 max-w-[120ch] space-y-1 text-13 text-ink-2">
      <p data-shows="caveat">
        <Words>{[...(place === null ? [] : [place, ...carriedText(links)]), ...caveats].join(' ')}</Words>
      </p>
      {caveats.length > 0 && isFinal(record.state) ? (
        <div className="max-w-[44rem]" data-shows="rerun-command">
          <CopyCommand command={commandOf(record, fieldsOf(lab.params), places, LOCAL_HOST)} />
        </div>
      ) : null}
    </div>
  );
}
