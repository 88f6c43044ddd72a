/** Makers of a run's tracks. A new track is a file beside this one and a line here. */
import type { LabDescription, Transport } from '@verbslab/protocol';
import type { Analysis } from '@verbslab/roce';
import type { RunModel } from '../../../model/run-model';
import type { Track } from '../model/track';
import type { TrackEvents } from '../model/track-events';
import { callTracks, eventTracks } from './calls';
import { counterTracks } from './counters';
import { depthTracks } from './depth';
import { faultTracks } from './faults';
import { heatTracks } from './heat';
import { ladderTrack, psnTracks } from './packets';
import { phaseTrack } from './phases';
import { stateTracks } from './qp-states';
import { notSampled, queueTracks } from './queues';
import { rateTracks } from './rates';
import { requestsByQp, requestTracks } from './requests';
import { stepTrack } from './steps';

/** Data for the tracks. */
export interface Recorded {
  model: RunModel;
  lab: LabDescription | null;
  /** Events of the run's tracks, up to date. */
  events: TrackEvents;
  /** Analysis of the packets; null before the run has ended, or without packets. */
  analysis: Analysis | null;
  nameOf: (transport: Transport) => string;
}

export interface Maker {
  /** True if it needs the last time of the other tracks, because ongoing items last until then. */
  lasting?: true;
  make: (recorded: Recorded, end: number) => readonly Track[];
}

/** Makers in the order of the tracks below the heading of an endpoint. */
export const MAKERS: readonly Maker[] = [
  { make: ({ model }, end) => phaseTrack(model, end), lasting: true },
  { make: ({ events, lab }) => stepTrack(events, lab) },
  { make: ({ model, nameOf }) => rateTracks(model, nameOf) },
  { make: ({ analysis }) => (analysis ? ladderTrack(analysis) : []) },
  { make: ({ events }) => eventTracks(events) },
  {
    make: ({ model, events }) => {
      const qps = requestsByQp(model, events);
      return [...requestTracks(qps), ...queueTracks(model), ...depthTracks(notSampled(model, qps))];
    },
  },
  { make: ({ analysis }) => (analysis ? psnTracks(analysis) : []) },
  { make: ({ model, nameOf }) => heatTracks(model, nameOf) },
  { make: ({ model, events }) => counterTracks(model, events) },
  { make: ({ model }, end) => faultTracks(model, end), lasting: true },
  { make: ({ model, events }, end) => stateTracks(model, events, end), lasting: true },
  { make: ({ events }) => callTracks(events) },
];
