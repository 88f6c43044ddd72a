'use client';
import { faultsText } from '@verbslab/protocol';
import { useState } from 'react';
import { useAgent } from '../../connection/store';
import { Button } from '../../ui/button';
import { FailureNote } from '../../ui/states';
import type { RunModel } from '../../model/run-model';
import { draftOf, faultsOf, moved, NOTHING, type Draft } from './draft';
import { common, inEffect, sameText } from './in-effect';
import { Rules } from './rules';
import { Slider } from './slider';
import { DIALS } from './stops';
import { useInjection } from './use-injection';

const MAX_SEED = 1_000_000;

/** Sliders that act on the packets of a run in progress. */
export default function FaultControls({ model }: { model: RunModel }) {
  const connected = useAgent((s) => s.status === 'open');
  const { inject, asked, failure } = useInjection(model);
  const endpoints = [...model.endpoints.keys()];
  const [endpoint, setEndpoint] = useState<string | null>(null);
  const [seed, setSeed] = useState(NOTHING.seed);
  const now = inEffect(model);
  const found = common(now, endpoint);
  const own = asked?.endpoint === endpoint ? asked.draft : null;
  const draft = own ?? draftOf(found ?? {}, seed);
  const differ = !own && !found;
  const set = (next: Draft) => {
    setSeed(next.seed);
    // A seed that draws nothing changes nothing yet.
    if (differ || sameText(faultsOf(next)) !== sameText(faultsOf(draft))) inject(endpoint, next);
  };
  const any = differ || faultsText(faultsOf(draft)) !== '';
  return (
    <div className="grid gap-x-10 gap-y-3 px-3 pb-3 lg:grid-cols-2" data-faults>
      <div>
        <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
          <label>
            Packets sent by{' '}
            <select
              value={endpoint ?? ''}
              onChange={(e) => setEndpoint(e.target.value || null)}
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
            disabled={!connected || !any}
            onClick={() => set({ ...NOTHING, seed: draft.seed })}
          >
            Clear
          </Button>
        </div>
        {differ ? (
          <p role="status" className="mb-1 text-13 text-ink-2">
            The endpoints have different settings. A change here replaces them all; choose one endpoint to see
            and change only its own.
          </p>
        ) : null}
        {DIALS.map((dial) => (
          <Slider
            key={dial.id}
            dial={dial}
            value={draft.dials[dial.id]}
            mixed={differ}
            disabled={!connected}
            onChange={(value) => set(moved(draft, dial.id, value))}
          />
        ))}
      </div>
      <div className="min-w-0">
        <Rules rules={draft.rules} disabled={!connected} onChange={(rules) => set({ ...draft, rules })} />
        <p className="mt-3 max-w-[60ch] text-13 text-ink-2">
          Changes act within 100 ms, on what is sent from then on. Each change starts the rules and the seed
          again: the same seed picks the same packets, counted from the first after the change.
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
