'use client';
import { isFinal } from '@verbslab/protocol';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
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

/**
 * Loss and delay of a run: sliders while it goes on, and the list of injected faults afterwards. `row`: it is one of several
 * rows of the page.
 */
export function FaultsSection({ view, row = false }: { view: RunView; row?: boolean }) {
  useTopics(view, TOPICS);
  const { model } = view;
  const final = isFinal(model.record.state);
  if (final ? model.faults.length === 0 : !capable(model)) return null;
  return <Section {...{ model, final, row }} />;
}

function Section({ model, final, row }: { model: RunModel; final: boolean; row: boolean }) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLElement>(null);
  // The key opens the section wherever the page is scrolled to.
  useEffect(() => {
    if (open) root.current?.scrollIntoView({ block: 'nearest' });
  }, [open]);
  const handle = useMemo(() => ({ 'toggle-faults': () => setOpen((was) => !was) }), []);
  usePageHandle(handle);
  const now = final ? changedText(model) : nowText(model);
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <section ref={root} aria-labelledby="faults" className={row ? 'border-t' : 'mb-4 border-y'}>
      <h2 id="faults" className="text-13">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="flex min-h-10 w-full items-center gap-2.5 text-left pointer-coarse:min-h-11"
        >
          <Arrow size={14} aria-hidden className="shrink-0 text-ink-3" />
          <span className="shrink-0 font-medium">Loss and delay</span>
          <span className="min-w-0 flex-1 truncate text-ink-3" data-words>
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
