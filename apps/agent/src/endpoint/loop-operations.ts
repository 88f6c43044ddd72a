import {
  startLoop,
  startTcpLoop,
  startUdpLoop,
  type Loop,
  type LoopCommon,
  type LoopReport,
} from '@verbslab/verbs';
import { RunningLoop } from './loops.js';
import type { Operations, Parsed } from './operations.js';
import type { Session } from './session.js';

/**
 * Records of a ring, 32 MiB: a third of a second at three million completions per second, for an endpoint that waits
 * for a core that long.
 */
const RING_RECORDS = 1_048_576;

type LoopArgs = Parsed<'loop.start'>;

/** Starts a loop from the members that are present, with handles turned into objects. */
function start(session: Session, args: LoopArgs, onReport: (report: LoopReport) => void): Loop {
  const { source: _source, report: _report, records, transport: _transport, ...given } = args;
  const shared = {
    ...definedOf(given),
    onReport,
    // A kernel device works outside of this process. Much of TCP's work is outside, too, so it must be measured the
    // same way.
    kernelTime: session.context.device.providerClass === 'kernel',
    ...(records === undefined || records === 'none'
      ? {}
      : { records: { capacity: RING_RECORDS, whenFull: records } }),
  } as unknown as LoopCommon;
  switch (args.transport) {
    case 'rdma':
      return startLoop({
        ...shared,
        op: args.op,
        qps: args.qps.map((handle) => session.qps.get(handle)),
        mr: session.mrs.get(args.mr),
        ...(args.remote ? { remote: { ...args.remote, addr: BigInt(args.remote.addr) } } : {}),
      });
    case 'tcp':
      return startTcpLoop({ ...shared, port: args.port });
    case 'udp':
      return startUdpLoop({ ...shared, measure: 'latency', port: args.port });
  }
}

const definedOf = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

export const loopOperations: Operations<'loop.start' | 'loop.wait' | 'loop.status' | 'loop.stop'> = {
  async 'loop.start'(session, args) {
    const loop = new RunningLoop(session, args.source, args.report === false, (onReport) =>
      start(session, args, onReport),
    );
    // Without this, a caller that never awaits the result would get an unhandled rejection.
    loop.result.catch(() => undefined);
    const { port } = await loop.ready;
    return { loop: session.loops.add(loop), port };
  },

  async 'loop.wait'(session, { loop: handle }) {
    return session.loops.get(handle).result;
  },

  async 'loop.status'(session, { loop: handle, waitMs }) {
    const loop = session.loops.get(handle);
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
    await Promise.race([loop.result.catch(() => undefined), time]);
    clearTimeout(timer);
    return loop.status;
  },

  async 'loop.stop'(session, { loop: handle }) {
    await session.loops.get(handle).stop();
    return {};
  },
};
