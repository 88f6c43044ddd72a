import type { DeviceInfo, Guess, PlannedFaults, RunRecord } from '@verbslab/protocol';
import type { Logger } from '../base/log.js';
import type { RunStore } from '../store/store.js';
import type { ActiveRun } from './active-run.js';
import type { RunnableLab } from './lab.js';
import type { Place } from './place.js';

/** What a run of a lab is made of. */
export interface RunOptions {
  record: RunRecord;
  lab: RunnableLab;
  params: unknown;
  /** Predictions of the person, by the ids of the lab's predictions. */
  predictions?: Readonly<Record<string, Guess>>;
  /** Faults to inject while it runs. */
  faults?: readonly PlannedFaults[];
  /** Device of the first role; of a simulated run, the simulator. */
  device: Pick<DeviceInfo, 'name' | 'providerClass'>;
  /** Places of the endpoints, by name. */
  places: ReadonlyMap<string, Place>;
  store: RunStore;
  captureFile: string;
  logger: Logger;
  runLimit?: number;
  /** Called after every change of the record. */
  onChange(run: ActiveRun): void;
}
