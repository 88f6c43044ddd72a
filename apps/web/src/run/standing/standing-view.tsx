'use client';
import { isFinal } from '@verbslab/protocol';
import { stillPlaceText, type StillAnswer } from '@verbslab/report/standstill';
import { Check } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useReplaying } from '../../connection/replaying';
import type { RunView } from '../../connection/run-view';
import { usePaused, useTopics } from '../../connection/use-session';
import type { Work } from '../../model/machine/work';
import { knownConnections } from '../../model/known-connections';
import { runPackets } from '../../model/packet-rows';
import type { Recording } from '../../model/picture/recording';
import { recordingOf } from '../../model/picture/recording-of';
import { standingWork } from '../../model/picture/standing-work';
import type { RunModel, Topic } from '../../model/run-model';
import { CallSite } from './call-site';
import { RequestPicture } from './request-picture';

/** Packets and objects come with the request; a later packet of it changes nothing that the picture shows. */
const TOPICS: readonly Topic[] = ['packets', 'objects', 'state', 'record'];

/** What stands still, drawn: the request that waits, the calls in the source, the evidence and what was ruled out. */
export default function StandingView({ answer, view }: { answer: StillAnswer; view: RunView }) {
  useTopics(view, TOPICS, 'table');
  const { model } = view;
  const recording = useRecording(answer, view);
  const places = useMemo(
    () => answer.places.map(({ what, place }) => ({ what: capital(what), place })),
    [answer.places],
  );
  return (
    <div className="mt-4 mb-4" data-standing-view>
      <div className="grid grid-cols-1 gap-x-7 gap-y-4 xl:grid-cols-[minmax(0,1fr)_23.25rem]">
        <div className="min-w-0">
          {recording === null ? (
            <p className="text-13 text-ink-3">{noPicture(answer, model)}</p>
          ) : (
            <RequestPicture recording={recording} about="recorded in this run" />
          )}
        </div>
        <div className="min-w-0 space-y-5">
          <CallSite places={places} files={model.files} record={model.record} />
        </div>
      </div>
      <div className="mt-4 grid grid-cols-1 gap-x-7 gap-y-4 md:grid-cols-2">
        <section aria-labelledby="standing-evidence">
          <h2 id="standing-evidence" className="text-14 font-semibold">
            Evidence
          </h2>
          <ol className="mt-1 list-decimal space-y-0.5 pl-5 text-13" data-shows="standing-evidence">
            {[...answer.saw, ...answer.places.map(stillPlaceText)].map((text) => (
              <li key={text} className="wrap-anywhere">
                {text}
              </li>
            ))}
          </ol>
        </section>
        {answer.ruledOut.length === 0 ? null : (
          <section aria-labelledby="standing-ruled-out">
            <h2 id="standing-ruled-out" className="text-14 font-semibold">
              {isFinal(model.record.state) ? 'Ruled out when it ended' : 'Ruled out'}
            </h2>
            <ul className="mt-1 space-y-0.5 text-13" data-shows="standing-ruled-out">
              {answer.ruledOut.map((text) => (
                <li key={text} className="flex gap-2">
                  <Check size={14} aria-hidden className="mt-1 shrink-0 text-ok-ink" />
                  <span className="min-w-0">{text}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </div>
  );
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const packetsIn = ({ events }: Recording): number => events.filter(({ kind }) => kind === 'packet').length;

function noPicture({ request }: StillAnswer, { packets }: RunModel): string {
  if (request === null) return 'No request waits, so there is none to draw.';
  if (request.posted === null)
    return 'The time at which this request was posted is not recorded, so it is not drawn.';
  return packets.length === 0
    ? 'No packet of this request was recorded, so it is not drawn.'
    : 'The packets of this request are not among those that this page has, so it is not drawn.';
}

/**
 * The picture of a request that stands still stays as it was first drawn. Until then, another try is made when twice as
 * many packets have come: each one looks at all packets.
 */
function useRecording(answer: StillAnswer, view: RunView): Recording | null {
  const { model } = view;
  const [paused, replaying] = [usePaused(view), useReplaying()];
  const waits = paused || replaying;
  const work = useMemo(() => standingWork(answer), [answer]);
  const key = work === null ? '' : `${work.endpoint} ${work.qpn} ${work.psn} ${work.posted}`;
  const tries = Math.ceil(Math.log2(model.packets.length + 1));
  const [drawn, setDrawn] = useState<{ key: string; recording: Recording } | null>(null);
  const known = drawn?.key === key ? drawn.recording : null;
  const found = useMemo(
    () => (work === null || waits || known !== null ? known : drawnNow(model, work)),
    // Each answer has an object of its own for the same request.
    // oxlint-disable-next-line react/exhaustive-deps
    [model, key, tries, waits, known],
  );
  if (found !== null && found !== known) setDrawn({ key, recording: found });
  return found;
}

function drawnNow(model: RunModel, work: Work): Recording | null {
  const analysis = runPackets(model.packets).analysis(() => knownConnections(model));
  const recording = recordingOf(model, analysis, [work]);
  return recording !== null && packetsIn(recording) > 0 ? recording : null;
}
