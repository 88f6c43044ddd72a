'use client';
import { isFinal } from '@verbslab/protocol';
import { Check, Minus, X } from 'lucide-react';
import { Gloss } from '../../ui/gloss';
import { Words } from '../../ui/words';
import type { Topic } from '../../model/run-model';
import { useReplaying } from '../../connection/replaying';
import { useTopics } from '../../connection/use-session';
import type { PanelContentProps } from '../../parts/run/panel-content';

const TOPICS: readonly Topic[] = ['notes', 'record'];
const ENDED = 'The run ended before it could be checked.';

/** Checks of a lab and their results. */
export default function ChecksPanel({ view, lab }: PanelContentProps) {
  useTopics(view, TOPICS);
  const replaying = useReplaying();
  const { checks, record, notes, badFrames } = view.model;
  const decided = new Map([...(record.result?.checks ?? []), ...checks.values()].map((c) => [c.id, c]));
  const ids = [...new Set([...(lab?.checks.map((c) => c.id) ?? []), ...decided.keys()])];
  const over = isFinal(record.state);
  const warnings = notes.filter((n) => n.kind === 'log' && (n.level === 'warn' || n.level === 'error'));
  return (
    <div className="thin-scroll h-full overflow-auto px-3 pb-3" tabIndex={0} role="group" aria-label="Checks">
      {over || decided.size > 0 ? null : (
        <p className="mb-1 text-13 text-ink-3">
          Not checked yet. The checks are made as the run goes on, the last ones when it ends.
        </p>
      )}
      {over && decided.size === 0 && !replaying ? (
        <p className="mb-1 text-13 text-ink-3" data-words>
          {ENDED}
        </p>
      ) : null}
      {over && decided.size > 0 ? (
        <p className="mb-1 text-13 text-ink-2" data-shows="checks-passed">
          {verdict([...decided.values()])}
        </p>
      ) : null}
      <ul className="space-y-1">
        {ids.map((id) => {
          const c = decided.get(id);
          return (
            <li
              key={id}
              data-check={id}
              data-ok={c?.applies === false ? undefined : c?.ok}
              className="grid grid-cols-[1.25rem_1fr] text-13"
            >
              {c && c.applies !== false ? (
                c.ok ? (
                  <Check size={15} className="mt-0.5 text-ok-ink" aria-label="holds" />
                ) : (
                  <X size={15} className="mt-0.5 text-error-ink" aria-label="does not hold" />
                )
              ) : (
                <Minus
                  size={15}
                  className="mt-0.5 text-ink-3"
                  aria-label={c ? 'does not apply' : over ? 'not checked' : 'not checked yet'}
                />
              )}
              <div>
                <p data-words>
                  <Gloss>{lab?.checks.find((x) => x.id === id)?.text ?? id}</Gloss>
                </p>
                <p className={c && !c.ok ? 'text-error-ink' : 'text-ink-3'} data-shows="check">
                  {c?.detail ?? (over && decided.size > 0 ? ENDED : null)}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
      {warnings.length > 0 || badFrames > 0 ? (
        <ul className="mt-3 space-y-1 border-t pt-2 text-13 text-ink-2">
          {badFrames > 0 ? (
            <li className="text-error-ink" data-shows="bad-frames">
              {badFrames === 1
                ? '1 binary frame could not be read and is missing here.'
                : `${badFrames} binary frames could not be read and are missing here.`}
            </li>
          ) : null}
          {warnings.map((n) => (
            <li key={n.seq} className="text-error-ink" data-shows="warning">
              <Words>{n.text}</Words>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Text such as `All 7 passed. 2 do not apply.`, or the number of failed checks. */
function verdict(checks: readonly { ok: boolean; applies?: boolean | undefined }[]): string {
  const looked = checks.filter(({ applies }) => applies !== false);
  const failed = looked.filter(({ ok }) => !ok).length;
  const others = checks.length - looked.length;
  return [
    failed > 0
      ? `${failed} of ${looked.length} failed.`
      : looked.length === 1
        ? '1 passed.'
        : looked.length > 1 && `All ${looked.length} passed.`,
    others > 0 && `${others} ${others === 1 ? 'does' : 'do'} not apply.`,
  ]
    .filter(Boolean)
    .join(' ');
}
