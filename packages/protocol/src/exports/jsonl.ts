import type { ExportFormat } from './format.js';
import { frameToJson } from './frame-json.js';

export const jsonl: ExportFormat = {
  id: 'jsonl',
  title: 'JSON lines',
  holds:
    'Every event of the run, one JSON object a line, with binary frames decoded. For jq, pandas and DuckDB.',
  ending: '.jsonl',
  mediaType: 'application/jsonl; charset=utf-8',
  async *write({ items }) {
    for await (const { seq, json, frame } of items()) {
      // Shown live, but not part of the record.
      if (seq === 0) continue;
      yield `${json ?? JSON.stringify(frameToJson(frame!))}\n`;
    }
  },
};
