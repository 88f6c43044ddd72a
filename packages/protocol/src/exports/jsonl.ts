import type { ExportFormat } from './format.js';
import { FORMATS } from './formats.js';
import { frameToJson } from './frame-json.js';

export const jsonl: ExportFormat = {
  ...FORMATS.jsonl,
  async *write({ items }) {
    for await (const { seq, json, frame } of items()) {
      // Items without a number were only shown live. They are not part of the record.
      if (seq === 0) continue;
      yield `${json ?? JSON.stringify(frameToJson(frame!))}\n`;
    }
  },
};
