import type { RunEvent } from '../events.js';
import type { ExportFormat } from './format.js';
import { FORMATS } from './formats.js';
import { TraceEvents } from './trace-events.js';
import { TraceLanes } from './trace-lanes.js';

/** The JSON object form of Chrome's Trace Event Format, with an event per line. */
export const trace: ExportFormat = {
  ...FORMATS.trace,
  async *write({ run, host, version, items }) {
    const lanes = new TraceLanes();
    const events = new TraceEvents(lanes);
    const otherData = {
      run: run.id,
      lab: run.lab,
      title: run.title,
      host: run.imported?.host ?? host,
      // Time 0 of the trace.
      created: new Date(run.createdAt).toISOString(),
      program: `Verbs Lab ${version}`,
    };
    yield `{"displayTimeUnit":"ns","otherData":${JSON.stringify(otherData)},"traceEvents":[`;
    let separator = '\n';
    for await (const { seq, json, frame } of items()) {
      if (seq === 0) continue;
      const found =
        json === null ? [...events.ofFrame(frame!)] : events.ofEvent(JSON.parse(json) as RunEvent);
      for (const event of [...lanes.take(), ...found]) {
        yield separator + JSON.stringify(event);
        separator = ',\n';
      }
    }
    yield '\n]}\n';
  },
};
