'use client';
import { formatCount } from '@verbslab/labs';
import { useMemo } from 'react';
import { Choice, ControlGroup, onStop, StopSlider } from '../controls';
import { ExplainedViews } from '../explained-views';
import type { ExplainedRun } from '../types';
import { useControls } from '../use-controls';
import { AveragesOverTime } from './averages-over-time';
import { compute, countOf, DEFAULTS, oneIn, PERCENTILES, removable, SETTINGS, slotsOf, SPECS } from './model';

export default function Averages({ run: { record, results } }: { run: ExplainedRun }) {
  const [asked, change] = useControls(DEFAULTS);
  const setting = SETTINGS.find(({ id }) => id === asked.setting)?.id ?? SETTINGS[0].id;
  const stops = useMemo(() => removable(countOf(slotsOf(results, setting))), [results, setting]);
  const removed = onStop(stops, asked.removed);
  const percentile = onStop(PERCENTILES, asked.percentile);
  const of = useMemo(() => {
    const using = { setting, removed, percentile };
    return { id: 'averages', using, specs: SPECS, found: compute(results, using) };
  }, [results, setting, removed, percentile]);
  const marks = useMemo(
    () => [{ names: ['all', 'kept'], x: oneIn(percentile), label: `p${percentile}` }],
    [percentile],
  );
  return (
    <>
      <ControlGroup>
        <Choice
          label="WRITEs"
          options={SETTINGS}
          value={setting}
          onChange={(id) => change({ setting: id })}
        />
        <StopSlider
          label="Slowest WRITEs left out"
          stops={stops}
          value={removed}
          text={formatCount}
          onChange={(to) => change({ removed: to })}
        />
        <StopSlider
          label="Percentile"
          stops={PERCENTILES}
          value={percentile}
          text={(one) => `p${one}`}
          onChange={(to) => change({ percentile: to })}
        />
      </ControlGroup>
      <p className="prose text-13 text-ink-2">
        The spikes: the lab behind this page delays some packets on purpose. Much slower WRITEs than these
        come from the machine, mostly because other programs had the CPU.
      </p>
      <ExplainedViews of={of} marks={marks} />
      <AveragesOverTime run={record.id} setting={setting} />
    </>
  );
}
