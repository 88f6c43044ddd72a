import { connectionPoint, TIDY_POINTS } from '../common-points.js';
import { atMessage, completionFault, regionOf, rightsFault } from '../message-points.js';
import type { Message } from '../messages.js';
import { fault, firstFault, type Fault, type Point } from '../point.js';
import type { RunRecording } from '../record.js';

const ADDS = [5n, 7n];
const [COMPARE, SWAP] = [12n, 100n];
const ADD_KIND = 'Fetch Add';
const SWAP_KIND = 'Compare Swap';

const atomicsOf = ({ messages }: RunRecording): Message[] => messages.filter(({ atomic }) => atomic !== null);

function addFault(recording: RunRecording): Fault | null {
  const adds = recording.messages.filter(({ kind }) => kind === ADD_KIND);
  // A missing one is reported as for any other message.
  if (adds.length === 0) return atMessage(ADD_KIND, () => null)(recording);
  const found = adds.map(({ atomic }) => atomic?.swapOrAdd ?? 0n);
  if (found.length === ADDS.length && ADDS.every((add, i) => found[i] === add)) return null;
  return fault(`The program added ${found.join(', then ')}, not ${ADDS.join(', then ')}.`);
}

const swapFault = atMessage(SWAP_KIND, ({ atomic }) => {
  if (atomic?.compare !== COMPARE) return fault(`It compares with ${atomic?.compare}, not ${COMPARE}.`);
  return atomic.swapOrAdd === SWAP ? null : fault(`It sets ${atomic.swapOrAdd}, not ${SWAP}.`);
});

function oldFault(recording: RunRecording): Fault | null {
  const wanted = [0n, ADDS[0], COMPARE];
  const found = atomicsOf(recording).map(({ atomic }) => atomic?.original ?? null);
  if (found.length === wanted.length && wanted.every((value, i) => value === found[i])) return null;
  if (found.length === 0) return fault('No atomic left the device.');
  return fault(
    `The old values were ${found.map((one) => one ?? 'not returned').join(', ')}, not ${wanted.join(', ')}.`,
  );
}

/** All on one counter, which nothing else may reach. */
function counterFault(recording: RunRecording): Fault | null {
  const [first, ...others] = atomicsOf(recording);
  if (!first) return fault('No atomic left the device.');
  if (others.some(({ remote }) => remote?.addr !== first.remote?.addr))
    return fault('The atomics have different addresses.');
  const region = regionOf(recording, first);
  return region
    ? rightsFault(region, 'REMOTE_ATOMIC')
    : fault('Their address is in no region of this program.');
}

function completionsFault(recording: RunRecording): Fault | null {
  const [first] = atomicsOf(recording);
  if (!first) return fault('No atomic left the device.');
  return firstFault(
    completionFault(recording, first.from, 'FETCH_ADD', ADDS.length),
    completionFault(recording, first.from, 'COMP_SWAP'),
  );
}

export const ATOMICS_POINTS: readonly Point[] = [
  connectionPoint,
  { id: 'adds', text: `Two fetch-and-adds: ${ADDS.join(', then ')}`, look: addFault },
  { id: 'swap', text: `One compare-and-swap of ${COMPARE} for ${SWAP}`, look: swapFault },
  { id: 'old', text: 'The old values 0, 5 and 12 came back', look: oldFault },
  {
    id: 'counter',
    text: 'All are on one counter, whose only remote right is REMOTE_ATOMIC',
    look: counterFault,
  },
  { id: 'completions', text: 'The client polled three successful completions', look: completionsFault },
  ...TIDY_POINTS,
];
