'use client';
import { isFinal } from '@verbslab/protocol';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { usePageHandle } from '../../actions/page-store';
import { lazyPart } from '../../connection/lazy-part';
import type { RunView } from '../../connection/run-view';
import { Kbd } from '../../ui/kbd';
import type { RunModel, Topic } from '../../model/run-model';
import { useTopics } from '../../connection/use-session';
import { changedText, nowText } from './in-effect';

type PartProps = { model: RunModel };
const Controls = lazyPart<PartProps>(async () => (await import('./controls')).default);
const Injected = lazyPart<PartProps>(async () => (await import('./injected')).default);

const TOPICS: readonly Topic[] = ['state', 'faults', 'record'];

/** True if packets can be lost or delayed here: those of the embedded device, or of a virtual machine of this host. */
const capable = (model: RunModel): boolean =>
  [...model.endpoints.values()].some(({ providerClass, netem }) => providerClass === 'user-space' || netem);

/** Loss and delay of a run: sliders while it goes on, and the list of injected faults afterwards. */
export function FaultsSection({ view }: { view: RunView }) {
  useTopics(view, TOPICS);
  const { model } = view;
  const final = isFinal(model.record.state);
  if (final ? model.faults.length === 0 : !capable(model)) return null;
  return <Section model={model} final={final} />;
}

function Section({ model, final }: { model: RunModel; final: boolean }) {
  const [open, setOpen] = useState(false);
  const handle = useMemo(() => ({ 'toggle-faults': () => setOpen((was) => !was) }), []);
  usePageHandle(handle);
  const now = final ? changedText(model) : nowText(model);
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <section aria-labelledby="faults" className="mb-4 rounded-[6px] border bg-panel">
      <h2 id="faults" className="text-13">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-9 w-full items-center gap-2 px-3 text-left pointer-coarse:min-h-11"
        >
          <Arrow size={14} aria-hidden className="shrink-0" />
          <span className="shrink-0 font-semibold">Loss and delay</span>
          <span className="min-w-0 flex-1 truncate text-ink-2" data-words>
            {now || 'none injected'}
          </span>
          <span aria-hidden className="shrink-0 max-sm:hidden">
            <Kbd keys="i" />
          </span>
        </button>
      </h2>
      {open ? final ? <Injected model={model} /> : <Controls model={model} /> : null}
    </section>
  );
}
