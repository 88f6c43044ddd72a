// The endpoint process of the bench: the product's own, with a source of records at a set rate in place of a device.
import { AppError, ENDPOINT_OPS, type DeviceInfo, type EndpointOp } from '@verbslab/protocol';
import { RunningLoop } from 'verbslab/dist/endpoint/loops.js';
import { serve } from 'verbslab/dist/endpoint/serve.js';
import type { Session } from 'verbslab/dist/endpoint/session.js';
import { device } from './device.js';
import { startSource } from './source.js';

let running: RunningLoop | undefined;

const operations: Partial<Record<EndpointOp, (session: Session, args: unknown) => unknown>> = {
  open({ recorder }, args) {
    const { clock } = ENDPOINT_OPS.open.args.parse(args);
    recorder.setClock(BigInt(clock));
    return { device: device satisfies DeviceInfo, pid: process.pid, port: 1 };
  },
  async 'loop.start'(session, args) {
    const { source, messagesPerSecond = 0, durationMs = 0 } = ENDPOINT_OPS['loop.start'].args.parse(args);
    running = new RunningLoop(session, source, false, (onReport) =>
      startSource({ recordsPerSecond: messagesPerSecond, durationMs, onReport }),
    );
    await running.ready;
    return { loop: 1, port: 0 };
  },
  'loop.wait': () => running?.result,
};

serve(async (session, op, args) => {
  const operate = operations[op];
  if (!operate) throw new AppError('BAD_MESSAGE', { detail: `${op}: this endpoint only sends records` });
  return await operate(session, args);
});
