import { connectionPoint, TIDY_POINTS } from '../common-points.js';
import { atMessage, completionFault, regionOf, rightsFault } from '../message-points.js';
import type { Message } from '../messages.js';
import { fault, firstFault, type Fault, type Point } from '../point.js';
import type { RunRecording } from '../record.js';

const ADDS = [5n, 7n];
const [COMPARE, SWAP] = [12n, 100n];
const ADD_KIND = 'Fetch Add';
const SWAP_KIND = 'Compare Swap';
const NONE: Fault = { why: 'No atomic left the device.', ofMessage: true };

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
  if (found.length === 0) return NONE;
  return fault(
    `The old values were ${found.map((one) => one ?? 'not returned').join(', ')}, not ${wanted.join(', ')}.`,
  );
}

/** All on one counter, which nothing else may reach. */
function counterFault(recording: RunRecording): Fault | null {
  const [first, ...others] = atomicsOf(recording);
  if (!first) return NONE;
  if (others.some(({ remote }) => remote?.addr !== first.remote?.addr))
    return fault('The atomics have different addresses.');
  const region = regionOf(recording, first);
  return region
    ? rightsFault(region, 'REMOTE_ATOMIC')
    : fault('Their address is in no region of this program.');
}

function completionsFault(recording: RunRecording): Fault | null {
  const atomics = atomicsOf(recording);
  const wanted = ADDS.length + 1;
  if (atomics.length === 0) return NONE;
  if (atomics.length < wanted) return fault(`Only ${atomics.length} of ${wanted} atomics left the device.`);
  // Atomics may be posted to several QPs.
  const sent = (from: number | null, kind: string): number =>
    atomics.filter((one) => one.from === from && one.kind === kind).length;
  const senders = [...new Set(atomics.map(({ from }) => from))];
  return firstFault(
    ...senders.flatMap((from) => [
      completionFault(recording, from, 'FETCH_ADD', sent(from, ADD_KIND)),
      completionFault(recording, from, 'COMP_SWAP', sent(from, SWAP_KIND)),
    ]),
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
