'use client';
import type { LabDescription, ParamRule } from '@verbslab/protocol';
import { Play, StepForward } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { usePageHandle } from '../actions/page-store';
import { toFailure } from '../connection/failure';
import { request, useAgent } from '../connection/store';
import { runHref } from '../runs/figures';
import { StartFailure } from '../runs/start-failure';
import { Button } from '../ui/button';
import { Gloss } from '../ui/gloss';
import { Kbd } from '../ui/kbd';
import type { Failure } from '../ui/states';
import { boundFields, fieldsOf, initialDraft, readForm, type Draft } from './form-model';
import { ParamForm } from './param-form';
import { plannedText } from './planned';
import { PlaceForm } from './place-form';
import { chosenPlaces, placesFromQuery, useChosenDevices, usePlaces } from './places';

const NO_RULES: readonly ParamRule[] = [];

/** Values that a link brings ("run again with these"), as far as the form knows them. */
function fromQuery(query: URLSearchParams, lab: LabDescription): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const f of fieldsOf(lab.params)) {
    const v = query.get(f.name);
    if (v === null) continue;
    out[f.name] =
      f.kind === 'switch' ? v === 'true' : f.kind === 'choice' || f.kind === 'text' ? v : Number(v);
  }
  return out;
}

const never = () => () => undefined;
/** The query of the address. Empty while the page is built, so that the form is in the HTML and nothing moves. */
function useInitialQuery(): string {
  return useSyncExternalStore(
    never,
    () => location.search,
    () => '',
  );
}

/** One lab: its question, what it will do, its parameters, and the button. */
export function LabPage({ lab }: { lab: LabDescription }) {
  const router = useRouter();
  const query = useInitialQuery();
  const connected = useAgent((s) => s.status === 'open');
  const all = useMemo(() => fieldsOf(lab.params), [lab]);
  const [edits, setEdits] = useState<Draft>({});
  const draft = useMemo<Draft>(
    () => ({ ...initialDraft(all, fromQuery(new URLSearchParams(query), lab)), ...edits }),
    [all, query, lab, edits],
  );
  const places = usePlaces();
  const [moved, setMoved] = useState<Record<string, string>>({});
  const chosen = useMemo(
    () => ({ ...placesFromQuery(new URLSearchParams(query), lab), ...moved }),
    [query, lab, moved],
  );
  const devices = useChosenDevices(lab, chosen);
  const rules = lab.rules ?? NO_RULES;
  const fields = useMemo(() => boundFields(all, rules, draft, devices), [all, rules, draft, devices]);
  const [starting, setStarting] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const reading = readForm(fields, draft, rules);
  const wrong = Object.keys(reading.errors).length > 0;
  const planned = wrong ? null : plannedText(lab.timing, reading.values);
  const ready = connected && !wrong && !starting;

  const start = useCallback(
    async (mode: 'all' | 'step') => {
      const { values, errors } = readForm(fields, draft, rules);
      if (Object.keys(errors).length > 0) return;
      setStarting(true);
      setFailure(null);
      try {
        const reply = await request('run.start', {
          lab: lab.id,
          params: values,
          mode,
          ...chosenPlaces(chosen),
        });
        router.push(runHref(reply.run.id));
      } catch (e) {
        setFailure(toFailure(e));
        setStarting(false);
      }
    },
    [fields, draft, rules, lab.id, chosen, router],
  );

  const handle = useMemo(
    () =>
      ready
        ? { run: () => void start('all'), ...(lab.steps ? { nextStep: () => void start('step') } : {}) }
        : {},
    [ready, start, lab.steps],
  );
  usePageHandle(handle);

  return (
    <article className="max-w-[60rem]">
      <h1 className="max-w-[34ch] text-28 font-semibold text-balance">{lab.question}</h1>
      <p className="prose mt-3 text-ink-2">
        <Gloss>{lab.summary}</Gloss>
      </p>

      <form
        className="mt-6"
        onSubmit={(e) => {
          e.preventDefault();
          if (ready) void start('all');
        }}
      >
        {fields.length > 0 ? (
          <>
            <h2 className="mb-2 text-16 font-semibold">Parameters</h2>
            <ParamForm
              fields={fields}
              draft={draft}
              errors={reading.errors}
              onChange={(name, value) => setEdits((d) => ({ ...d, [name]: value }))}
            />
          </>
        ) : null}
        {places.length > 1 ? (
          <PlaceForm
            roles={lab.roles}
            places={places}
            chosen={chosen}
            onChange={(role, place) => setMoved((m) => ({ ...m, [role]: place }))}
          />
        ) : null}
        <div className="mt-5 flex flex-wrap items-center gap-3">
          {lab.steps ? (
            <Button kind="primary" disabled={!ready} onClick={() => void start('step')}>
              <StepForward size={14} aria-hidden />
              Step by step
            </Button>
          ) : null}
          <Button type="submit" kind={lab.steps ? 'plain' : 'primary'} disabled={!ready}>
            <Play size={14} aria-hidden />
            {lab.steps ? 'Run all steps' : 'Run'}
          </Button>
          <span className="text-13 text-ink-2">
            {starting ? (
              'Starting…'
            ) : !connected ? (
              'Waiting for the agent.'
            ) : wrong ? (
              'Correct the marked fields to run.'
            ) : (
              <>
                or press <Kbd keys="r" />
                {lab.steps ? (
                  <>
                    {' '}
                    (<Kbd keys="n" /> for step by step)
                  </>
                ) : null}
              </>
            )}
          </span>
        </div>
        {planned === null ? null : (
          <p data-planned className="mt-2 text-13 text-ink-2">
            {planned}
          </p>
        )}
        {failure ? <StartFailure failure={failure} className="mt-4" /> : null}
      </form>

      <div className="mt-10 grid gap-x-12 gap-y-8 md:grid-cols-2">
        {lab.steps ? (
          <section aria-labelledby="steps">
            <h2 id="steps" className="text-16 font-semibold">
              Steps
            </h2>
            <ol className="mt-2 space-y-2">
              {lab.steps.map((s, i) => (
                <li key={s.id} className="grid grid-cols-[1.5rem_1fr]">
                  <span className="num text-ink-3">{i + 1}</span>
                  <span className="max-w-[60ch]">
                    <span className="font-medium">{s.title}.</span>{' '}
                    <span className="text-ink-2">
                      <Gloss>{s.text}</Gloss>
                    </span>
                  </span>
                </li>
              ))}
            </ol>
          </section>
        ) : null}
        {/* Beside the steps, which are long; side by side where there are none. */}
        <div className={lab.steps ? 'space-y-8' : 'contents'}>
          <section aria-labelledby="checked">
            <h2 id="checked" className="text-16 font-semibold">
              Checks
            </h2>
            <ul className="mt-2 max-w-[60ch] list-disc space-y-1 pl-4 text-ink-2">
              {lab.checks.map((c) => (
                <li key={c.id}>
                  <Gloss>{c.text}</Gloss>
                </li>
              ))}
            </ul>
          </section>
          <section aria-labelledby="roles">
            <h2 id="roles" className="text-16 font-semibold">
              Endpoints
            </h2>
            <dl className="mt-2 max-w-[60ch] space-y-1">
              {lab.roles.map((r) => (
                <div key={r.name}>
                  <dt className="inline font-medium">{r.title}</dt>
                  {r.text ? (
                    <dd className="inline text-ink-2">
                      : <Gloss>{r.text}</Gloss>
                    </dd>
                  ) : null}
                </div>
              ))}
            </dl>
          </section>
        </div>
      </div>
    </article>
  );
}
