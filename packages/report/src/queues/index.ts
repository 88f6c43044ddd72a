/** Occupancy of queues over a run, as the device sampled it. `runs show` and the pages say the same. */
export {
  QueueHistory,
  type KnownFill,
  type QueueFillAt,
  type QueueTrack,
  type QueueName,
} from './history.js';
export { queueRows, queueTitle, sinceText, type QueueRow } from './rows.js';
