'use client';
import { formatCount } from '@verbslab/labs';
import { isFinal, type Row } from '@verbslab/protocol';
import { Check as Tick, Minus, Send, X } from 'lucide-react';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useAgent } from '../../connection/store';
import { useRunStart } from '../../connection/use-run-start';
import { StartFailure } from '../../parts/run/start-failure';
import { Button, PRESSED } from '../../ui/button';
import { Compared } from '../compared';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { asEdit, recordedBy } from './header-explorer';
import {
  answerOf,
  checksOf,
  recordedOf,
  REGION,
  sameRequest,
  sentenceOf,
  type Check,
  type Recorded,
  type Request,
} from './model';
import { Ruler } from './ruler';

/** The request that is shown first is a byte too long. */
const DEFAULTS = { op: 'READ', from: REGION - 1024, length: 1025, key: 1, region: 1, qp: 1 };

const PRESETS: readonly { text: string; change: Partial<typeof DEFAULTS> }[] = [
  { text: 'Inside', change: { from: 1024, length: 1024 } },
  { text: 'Ends at the bound', change: { from: REGION - 1024, length: 1024 } },
  { text: '1 byte beyond', change: { from: REGION - 1024, length: 1025 } },
  { text: '1 byte before', change: { from: -1, length: 1024 } },
  { text: 'No bytes, outside', change: { from: REGION + 1, length: 0 } },
];

export default function Bounds({ run }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  // While an end is dragged, the address keeps still.
  const [dragged, setDragged] = useState<{ from: number; length: number } | null>(null);
  const { from, length } = dragged ?? asked;
  const op = asked.op === 'WRITE' ? 'WRITE' : 'READ';
  const request: Request = {
    ...{ op, from, length },
    ...{ key: asked.key !== 0, region: asked.region !== 0, qp: asked.qp !== 0 },
  };
  const recorded = useMemo(
    () => (run.sample ? recordedOf(run.sample.derived as Row[]) : recordedBy(run.record)),
    [run],
  );
  const answer = answerOf(request);
  const set = (name: 'key' | 'region' | 'qp') => (on: boolean) => change({ [name]: on ? 1 : 0 });
  return (
    <section aria-label="Bounds of a region" className="space-y-5">
      <div className="flex flex-wrap items-center gap-2">
        {(['READ', 'WRITE'] as const).map((one) => (
          <Button
            key={one}
            className={`num ${PRESSED}`}
            aria-pressed={op === one}
            onClick={() => change({ op: one })}
          >
            {one}
          </Button>
        ))}
        <span className="mx-1 h-5 border-l" aria-hidden />
        {PRESETS.map(({ text, change: to }) => (
          <Button
            key={text}
            className={PRESSED}
            aria-pressed={to.from === from && to.length === length}
            onClick={() => change(to)}
          >
            {text}
          </Button>
        ))}
      </div>
      <Ruler
        from={from}
        length={length}
        refused={answer.refusedBy !== null}
        onChange={(range, done) => {
          setDragged(done ? null : range);
          if (done) change(range);
        }}
      />
      <p className="num text-13" data-words>
        remote_addr = start {from < 0 ? '−' : '+'} {formatCount(Math.abs(from))}, length ={' '}
        {formatCount(length)} B
        <span className="font-sans text-ink-3"> (drag an end, or focus it and press ← →)</span>
      </p>
      <div className="grid gap-x-10 gap-y-5 md:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <fieldset>
            <legend className="text-13 font-semibold">At the server</legend>
            <Switch on={request.qp} onChange={set('qp')}>
              The QP has <span className="num">REMOTE_{op}</span>
            </Switch>
            <Switch on={request.key} onChange={set('key')}>
              The request has the rkey of the region
            </Switch>
            <Switch on={request.region} onChange={set('region')}>
              The region has <span className="num">REMOTE_{op}</span>
            </Switch>
          </fieldset>
          <div>
            <h2 className="text-13 font-semibold">Checks, in this order</h2>
            <ol className="mt-1 text-13" data-words>
              {checksOf(request).map((check) => (
                <CheckLine key={check.id} check={check} />
              ))}
            </ol>
          </div>
        </div>
        <div className="min-w-0 space-y-4">
          <p className="min-h-12 max-w-[60ch] text-16" role="status">
            {sentenceOf(request)}
          </p>
          <Answers run={run} request={request} recorded={recorded} />
          <TryIt request={request} />
        </div>
      </div>
    </section>
  );
}

function Switch(props: { on: boolean; onChange: (on: boolean) => void; children: ReactNode }) {
  const { on, onChange, children } = props;
  return (
    <label className="flex min-h-8 items-center gap-2 text-13 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={on}
        onChange={(e) => onChange(e.target.checked)}
        className="size-4 accent-(--accent)"
      />
      <span>{children}</span>
    </label>
  );
}

function CheckLine({ check: { id, text, passed } }: { check: Check }) {
  const Sign = passed === null ? Minus : passed ? Tick : X;
  const word = passed === null ? 'not checked' : passed ? 'passed' : 'refused';
  return (
    <li
      data-check={id}
      data-passed={String(passed)}
      className={`flex min-h-7 items-center gap-2 ${passed === null ? 'text-ink-3' : passed ? '' : 'font-semibold text-error-ink'}`}
    >
      <Sign size={14} aria-hidden className="flex-none" />
      <span>
        {text}
        <span className="sr-only">: {word}</span>
      </span>
    </li>
  );
}

const nakText = (nak: number | null): string => (nak === null ? 'none' : `0x${nak.toString(16)}`);

function Answers(props: { run: ExplainedRun; request: Request; recorded: readonly Recorded[] }) {
  const { run, request, recorded } = props;
  const answer = answerOf(request);
  const found = recorded.find((one) => sameRequest(one, request));
  const lines = [
    { what: 'NAK', computed: nakText(answer.nak), recorded: found ? nakText(found.nak) : null },
    { what: 'Client’s completion', computed: answer.status, recorded: found?.status ?? null },
    {
      what: 'Event at the server',
      computed: answer.event || 'none',
      recorded: found?.event === undefined || found.event === null ? null : found.event || 'none',
    },
    { what: 'Client’s QP', computed: answer.client, recorded: found?.client ?? null },
    { what: 'Server’s QP', computed: answer.server, recorded: found?.server ?? null },
  ];
  return (
    <>
      <Compared run={run} lines={lines} />
      {found ? null : (
        <p className="text-12 text-ink-3">
          {run.sample ? 'The sample has no such request. Choose one above' : 'This run sent no such request'}
          {run.sample ? ', or send it.' : '.'}
        </p>
      )}
    </>
  );
}

/** Sends the request: a run of the header explorer, which the page shows when it is done. */
function TryIt({ request }: { request: Request }) {
  const sent = asEdit(request);
  const going = useAgent((s) => s.runs?.some((run) => run.lab === 'header-explorer' && !isFinal(run.state)));
  const show = useCallback(() => {
    // The new run is the newest: it is shown when it has ended.
    const query = new URLSearchParams(location.search);
    query.delete('run');
    history.replaceState(null, '', `${location.pathname}?${query}`);
  }, []);
  const { connected, starting, failure, start } = useRunStart(show);
  if (typeof sent === 'string')
    return <p className="text-13 text-ink-3">It cannot be sent from here. {sent}</p>;
  return (
    <div className="flex flex-wrap items-center gap-3 text-13">
      <Button
        disabled={!connected || starting || going === true}
        onClick={() => void start({ lab: 'header-explorer', params: { ...sent }, mode: 'all' })}
      >
        <Send size={14} aria-hidden />
        Send this request
      </Button>
      <span className="text-ink-3">A run of the header explorer, with this RETH.</span>
      {failure ? <StartFailure failure={failure} className="basis-full" /> : null}
    </div>
  );
}
