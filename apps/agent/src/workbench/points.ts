import { checkTask, type Recorded } from '@verbslab/labs/workbench';
import { zRunEvent, type Check } from '@verbslab/protocol';
import type { StreamReader } from '../store/stream-reader.js';

/** Everything that a run has recorded so far. */
function* itemsOf(reader: StreamReader): Generator<Recorded> {
  for (let item = reader.next(); item !== null; item = reader.next()) {
    if (item.frame) yield Buffer.from(item.frame);
    else if (item.json !== null) yield zRunEvent.parse(JSON.parse(item.json));
    reader.release(item);
  }
}

/** The point about objects that were not destroyed. */
const LEAKS = 'leaks';

/** Checks of the program for each point of its task, from the device's record of it. */
export const checksOf = (task: string, reader: StreamReader, stopped: boolean): Check[] =>
  checkTask(task, itemsOf(reader)).map(({ id, text, passed, why, at }) =>
    // Objects that were alive when the lab stopped the program are no leaks.
    stopped && id === LEAKS && !passed
      ? { id, ok: true, applies: false, detail: `The program was stopped. ${why ?? text}` }
      : { id, ok: passed, detail: passed ? text : (why ?? text), ...(at ? { at } : {}) },
  );
