'use client';
import type { FirstProblem } from '@verbslab/report/failure';
import { useMemo } from 'react';
import { useReplaying } from '../../connection/replaying';
import type { RunView } from '../../connection/run-view';
import { knownConnections } from '../../model/known-connections';
import { runPackets } from '../../model/packet-rows';
import { recordingOf } from '../../model/picture/recording-of';
import { CallSite } from './call-site';
import { RequestPicture } from './request-picture';

/** The request that failed first, drawn, and the calls in the source that the error is about. */
export default function FailedView({ first, view }: { first: FirstProblem; view: RunView }) {
  const { model } = view;
  const replaying = useReplaying();
  const { ofRequest, places } = first;
  const recording = useMemo(
    () =>
      replaying || !ofRequest
        ? null
        : recordingOf(
            model,
            runPackets(model.packets).analysis(() => knownConnections(model)),
          ),
    [model, replaying, ofRequest],
  );
  if (recording === null && places.length === 0) return null;
  return (
    <div
      className="mt-4 grid grid-cols-1 gap-x-7 gap-y-4 xl:grid-cols-[minmax(0,1fr)_23.25rem]"
      data-failed-view
    >
      {recording === null ? null : (
        <div className="min-w-0">
          <RequestPicture recording={recording} about="recorded in this run" />
        </div>
      )}
      <div className="min-w-0">
        <CallSite places={places} files={model.files} record={model.record} failed />
      </div>
    </div>
  );
}
