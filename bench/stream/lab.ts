// The lab of the bench: waits until the page is there, then lets records flow for a while.
import type { LabContext } from '@verbslab/protocol';
import type { RunnableLab } from 'verbslab/dist/runs/lab.js';

export interface StreamParams {
  recordsPerSecond: number;
  seconds: number;
}

/** Report of the endpoint about the records that it sent. */
export interface Sent {
  /** Records that were written; `dropped` are those that the endpoint could not send on in time. */
  written: number;
  dropped: number;
  seconds: number;
}

const PROGRESS_MS = 500;

/** `go` lets the records flow once the page is there; `onSent` receives the report. */
export function streamLab(go: () => Promise<void>, onSent: (sent: Sent) => void): RunnableLab {
  return {
    description: {
      id: 'browser-stream',
      title: 'Completion records at a set rate',
      question: 'How many completion records a second reach the page?',
      summary: 'A thread writes completion records at a set rate; the page counts what it gets.',
      params: {
        type: 'object',
        properties: {
          recordsPerSecond: { type: 'number', title: 'Records a second', default: 1_000_000 },
          seconds: { type: 'number', title: 'Duration', default: 8, unit: 's' },
        },
      },
      roles: [{ name: 'client', title: 'Client' }],
      // Panels of the lab of bulk transfers, without packets: nothing here makes any.
      watch: ['throughput', 'cpu', 'latency', 'completions', 'counters', 'checks'],
      checks: [{ id: 'sent', text: 'The endpoint sent every record.' }],
      needs: [],
      wants: [],
    },
    parse: ({ recordsPerSecond = 1_000_000, seconds = 8 }): StreamParams => ({
      recordsPerSecond: Number(recordsPerSecond),
      seconds: Number(seconds),
    }),
    async run(ctx: LabContext<StreamParams>) {
      const { recordsPerSecond, seconds } = ctx.params;
      const client = ctx.endpoint('client');
      const source = ctx.source('client', {
        transport: 'rdma',
        role: 'client',
        what: 'loop',
        label: 'Records',
      });
      await go();
      const { loop } = await client.call('loop.start', {
        transport: 'rdma',
        source,
        role: 'initiator',
        measure: 'bandwidth',
        op: 'write',
        size: 64,
        qps: [1],
        mr: 1,
        records: 'drop',
        messagesPerSecond: recordsPerSecond,
        durationMs: seconds * 1000,
      });
      const began = ctx.now();
      const progress = setInterval(() => {
        const gone = (ctx.now() - began) / 1e9;
        ctx.progress(gone / seconds, 'Records flow', Math.max(0, seconds - gone));
      }, PROGRESS_MS);
      const result = await client.call('loop.wait', { loop }).finally(() => clearInterval(progress));
      const { messages, recordsDropped, elapsedNs } = result;
      ctx.check('sent', recordsDropped === 0, `${messages} records, ${recordsDropped} lost in the ring.`);
      onSent({ written: messages, dropped: recordsDropped, seconds: elapsedNs / 1e9 });
    },
  };
}
