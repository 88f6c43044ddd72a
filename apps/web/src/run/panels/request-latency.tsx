'use client';
import { latencyCurve, opcodeText } from '@verbslab/charts/data';
import { isFinal } from '@verbslab/protocol';
import { useMemo, useState } from 'react';
import { useTopics } from '../../connection/use-session';
import { count } from '../../format/number';
import { notMeasured } from '../../model/not-measured';
import type { Topic } from '../../model/run-model';
import type { PanelContentProps } from '../../parts/run/panel-content';
import { useTransportName } from '../../parts/charts/transport-names';
import { Choice } from '../../ui/choice';
import { DataTable } from '../../ui/data-table';
import { latencyTable } from './latency';
import { LatencyCharts } from './latency-charts';
import { LatencyOverTime, stretchTable } from './latency-over-time';
import { Waiting } from './waiting';

const TOPICS: readonly Topic[] = ['histogram', 'completions', 'counters', 'state'];

/** How long the requests of a program took, from the post to the completion: all of them, and over time. */
export default function RequestLatencyPanel({ view, table }: PanelContentProps) {
  useTopics(view, TOPICS, table ? 'table' : 'chart');
  const nameOf = useTransportName();
  const { model } = view;
  const { latencies } = model;
  const [picked, setPicked] = useState('');
  const shown = latencies?.opcodes.find(({ opcode }) => String(opcode) === picked) ?? latencies?.opcodes[0];
  const curve = useMemo(() => (shown ? latencyCurve(shown) : null), [shown]);
  if (!latencies || !shown || !curve) {
    return (
      <Waiting
        record={model.record}
        soon="How long requests take, from the post to the completion, appears here."
        never="No latency was recorded: no request of this program completed with success, or only receives did."
      />
    );
  }
  const missing = notMeasured(latencies, model);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-latency-of={opcodeText(shown)}>
      <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 px-3 text-13">
        {latencies.opcodes.length > 1 ? (
          <Choice
            label="Requests"
            value={String(shown.opcode)}
            options={latencies.opcodes.map((one) => [String(one.opcode), opcodeText(one)] as const)}
            onChange={setPicked}
          />
        ) : null}
        <span>
          <span className="num" data-shows="latencies-measured">
            {count(latencies.measured)}
          </span>{' '}
          <span className="text-ink-3">requests measured, from the post to the CQE.</span>
        </span>
        {missing === null ? null : (
          <span className="text-ink-3" data-shows="latencies-missing">
            {missing}
          </span>
        )}
        {latencies.capped > 0 ? (
          <span className="text-retx-ink">
            <span className="num" data-shows="latencies-capped">
              {count(latencies.capped)}
            </span>{' '}
            <span data-words>took 4.29 s or longer.</span>
          </span>
        ) : null}
      </div>
      {table ? (
        <div className="thin-scroll min-h-0 flex-1 overflow-auto max-lg:max-h-96">
          <DataTable shows="request-latency-table" caption="Latency" {...latencyTable(curve, nameOf)} />
          <DataTable
            shows="latency-time-table"
            caption="Latency over time"
            {...stretchTable(shown.stretches)}
          />
        </div>
      ) : (
        <div className="chart grid min-h-0 flex-1 grid-cols-1 gap-x-2 px-1 lg:grid-cols-[5fr_7fr]">
          <div className="min-h-0 max-lg:h-72">
            <LatencyCharts latency={curve} />
          </div>
          <div className="min-h-0 max-lg:h-96">
            <LatencyOverTime of={shown} width={latencies.width} live={!isFinal(model.record.state)} />
          </div>
        </div>
      )}
    </div>
  );
}
