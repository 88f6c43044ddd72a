'use client';
import { faultsText } from '@verbslab/protocol';
import { useState } from 'react';
import { useAgent } from '../../connection/store';
import { Button } from '../../ui/button';
import { FailureNote } from '../../ui/states';
import type { RunModel } from '../model/run-model';
import { draftOf, faultsOf, moved, NOTHING, type Draft } from './draft';
import { Rules } from './rules';
import { Slider } from './slider';
import { DIALS } from './stops';
import { useInjection } from './use-injection';

const MAX_SEED = 1_000_000;

/** What the endpoints have now, or one that they all have. */
function found(model: RunModel, endpoint: string | null): Draft {
  const last = model.faults.findLast((e) => endpoint === null || e.endpoint === endpoint);
  return last ? draftOf(last) : NOTHING;
}

/** Sliders that act on the packets of a run in progress. */
export default function FaultControls({ model }: { model: RunModel }) {
  const connected = useAgent((s) => s.status === 'open');
  const { inject, failure } = useInjection(model.record.id);
  const endpoints = [...model.endpoints.keys()];
  const [endpoint, setEndpoint] = useState<string | null>(null);
  const [draft, setDraft] = useState(() => found(model, null));
  const set = (next: Draft) => {
    setDraft(next);
    inject(endpoint, faultsOf(next));
  };
  const now = faultsText(faultsOf(draft));
  return (
    <div className="grid gap-x-10 gap-y-3 px-3 pb-3 lg:grid-cols-2" data-faults>
      <div>
        <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
          <label>
            Packets sent by{' '}
            <select
              value={endpoint ?? ''}
              onChange={(e) => {
                const chosen = e.target.value || null;
                setEndpoint(chosen);
                setDraft(found(model, chosen));
              }}
              className="h-8 rounded-[4px] border border-line-strong bg-panel px-2 pointer-coarse:h-11"
            >
              <option value="">all endpoints</option>
              {endpoints.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <Button
            size="small"
            disabled={!connected || now === ''}
            onClick={() => set({ ...NOTHING, seed: draft.seed })}
          >
            Clear all
          </Button>
        </div>
        {DIALS.map((dial) => (
          <Slider
            key={dial.id}
            dial={dial}
            value={draft.dials[dial.id]}
            disabled={!connected}
            onChange={(value) => set(moved(draft, dial.id, value))}
          />
        ))}
      </div>
      <div className="min-w-0">
        <Rules rules={draft.rules} disabled={!connected} onChange={(rules) => set({ ...draft, rules })} />
        <p className="mt-3 max-w-[60ch] text-13 text-ink-2">
          Changes act within 100 ms, on what is sent from then on. The same seed picks the same packets,
          counted from the first after the change.
        </p>
        <label className="mt-2 flex items-center gap-2 text-13">
          Seed
          <input
            type="number"
            min={1}
            max={MAX_SEED}
            value={draft.seed}
            disabled={!connected}
            onChange={(e) => {
              const seed = Number(e.target.value);
              if (Number.isInteger(seed) && seed >= 1 && seed <= MAX_SEED) set({ ...draft, seed });
            }}
            className="num h-8 w-28 rounded-[4px] border border-line-strong bg-panel px-2 text-13 pointer-coarse:h-11"
          />
        </label>
        {failure ? <FailureNote failure={failure} className="mt-2" /> : null}
      </div>
    </div>
  );
}
