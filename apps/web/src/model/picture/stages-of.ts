/** Stages of a recording: what happens one after the other, in the words of the field. */
import { connectStages } from './connect-stages';
import { eventsOf } from './events';
import { manyStages } from './many-stages';
import { oneStages } from './one-stages';
import type { PictureStage, Recording } from './recording';
import { tiled } from './tiled';

export function stagesOf(recording: Recording): PictureStage[] {
  const events = eventsOf(recording);
  const { length } = recording.requests;
  return tiled(
    length === 0 ? connectStages(events) : length === 1 ? oneStages(events) : manyStages(events),
    events.end,
  );
}
