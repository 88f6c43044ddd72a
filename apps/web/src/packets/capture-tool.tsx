'use client';
import { useRouter } from 'next/navigation';
import { useCallback, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { count } from '../format/number';
import { stretchFilter } from '../parts/packets/combine-filter';
import { PacketBrowser } from '../parts/packets/packet-browser';
import type { Listed } from '../parts/packets/use-listed';
import { Button } from '../ui/button';
import { Split } from '../ui/split';
import { useWidth } from '../ui/use-width';
import { CaptureFacts } from './capture-facts';
import { CaptureHeader } from './capture-header';
import { chipsOf, type Chip } from './chips';
import { Diagnosis, verdict } from './diagnosis';
import { FindingChips } from './finding-chips';
import { readAgain, type Opened } from './opened';
import { OpenedTimeline } from './opened-timeline';
import { PacketLink } from './packet-link';
import { RocePorts } from './roce-ports';
import { useCaptureView, ViewSwitch } from './view-switch';
import { ShowViews, useViewTab, ViewsPane } from './views/views-pane';

/** Width in rem from which the graphs are shown without being asked for. */
const ROOMY = 40;

export interface CaptureToolProps {
  opened: Opened;
  listed: Listed;
  onSelect: (index: number | null) => void;
  /** Button that opens another capture. */
  openOther: ReactNode;
}

/** An open capture: what it is, what is unusual in it, its graphs, and its packets, in panes that fill the page. */
export function CaptureTool({ opened, listed, onSelect, openOther }: CaptureToolProps) {
  const { capture, rows } = opened;
  const { diagnosis, columns } = capture;
  const { selected, only, unfiltered, filtering, arrivals } = listed;
  const router = useRouter();
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const { view, setView } = useCaptureView();
  const { tab, setTab } = useViewTab(width !== null && width < ROOMY);
  const details = useId();
  const [detailed, setDetailed] = useState(false);
  const chips = useMemo(() => chipsOf(diagnosis, columns), [diagnosis, columns]);
  const { text, apply } = filtering;
  const press = useCallback(
    (chip: Chip) => {
      if (chip.filter === null) return;
      if (chip.filter === text) return apply('');
      const next = new URLSearchParams(location.search);
      next.set('filter', chip.filter);
      next.delete('view');
      if (chip.first === null) next.delete('packet');
      else next.set('packet', String(chip.first));
      router.replace(`/packets?${next}`, { scroll: false });
    },
    [text, apply, router],
  );
  const range = useCallback(
    (from: number, to: number) => apply(stretchFilter(text, from, to)),
    [text, apply],
  );

  const browser = (
    <PacketBrowser
      rows={rows}
      {...(only === null ? {} : { only })}
      unfiltered={unfiltered}
      filtering={filtering}
      selected={selected}
      onSelect={onSelect}
    />
  );
  return (
    <div ref={place} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-col gap-1.5 border-b px-4 pt-2 pb-1.5 lg:px-6">
        <CaptureHeader opened={opened}>
          {view === 'list' && tab === null ? <ShowViews onShow={() => setTab('io')} /> : null}
          <ViewSwitch view={view} onView={setView} />
          {openOther}
        </CaptureHeader>
        <div
          className="thin-scroll flex items-center gap-2 overflow-x-auto"
          role="group"
          aria-label="Findings"
        >
          {chips.length === 0 ? (
            <span className="shrink-0 text-13 text-ink-2">
              {diagnosis.unchecked?.text ?? verdict(diagnosis.findings)}
            </span>
          ) : null}
          <FindingChips chips={chips} filter={text} onPress={press} />
          <Button
            kind="quiet"
            size="small"
            aria-expanded={detailed}
            aria-controls={details}
            onClick={() => setDetailed(!detailed)}
          >
            {detailed ? 'Hide details' : 'Details'}
          </Button>
        </div>
        <Cut opened={opened} />
        <RocePorts
          key={opened.ports.join()}
          diagnosis={diagnosis}
          ports={opened.ports}
          onPorts={(ports) => void readAgain(ports)}
        />
        <div
          id={details}
          hidden={!detailed}
          tabIndex={detailed ? 0 : -1}
          role="group"
          aria-label="Details of the capture"
          className="thin-scroll max-h-[40dvh] overflow-auto border-t pt-1"
        >
          <CaptureFacts opened={opened} selected={selected} onSelect={onSelect} />
          <Diagnosis diagnosis={diagnosis} />
        </div>
        {view === 'list' ? arrivals : null}
      </div>
      <div className="flex min-h-0 flex-1 flex-col bg-panel max-sm:h-[64rem] max-sm:flex-none">
        {view === 'timeline' ? (
          <OpenedTimeline
            opened={opened}
            filtered={text !== ''}
            selected={selected}
            onSelect={onSelect}
            onList={() => setView('list')}
          />
        ) : tab === null ? (
          browser
        ) : (
          <Split
            id={tab === 'io' ? 'packet-io' : 'packet-tracks'}
            label="Graphs and list"
            direction="column"
            initial={tab === 'io' ? 24 : 40}
          >
            <ViewsPane
              {...{ opened, tab, only, selected, onSelect }}
              onTab={setTab}
              arrivals={arrivals === null || unfiltered === rows.length}
              onRange={range}
            />
            {browser}
          </Split>
        )}
      </div>
    </div>
  );
}

/** Message about the damage in a file. */
function Cut({ opened: { capture, rows } }: { opened: Opened }) {
  const { error } = capture.head;
  if (!error) return null;
  return (
    <p className="text-13 text-error-ink">
      The file is damaged at byte {count(error.offset)}, after packet <PacketLink number={rows.length} />:{' '}
      {error.message}. The packets before that are shown and diagnosed. Copy the file or capture again to see
      the rest.
    </p>
  );
}
