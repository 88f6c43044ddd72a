import {
  AppError,
  lookupWcStatus,
  marksPackets,
  WC_STATUS,
  type EndpointResult,
  type RequestStamps,
} from '@verbslab/protocol';
import type { TapOptions } from '@verbslab/verbs';
import { interfaceOfGid } from '../capture/place.js';
import { injectedFaults } from '../faults/injected-faults.js';
import { hex } from './memory-operations.js';
import { need } from './need.js';
import type { Operations, Parsed } from './operations.js';
import { DeviceFeed, InterfaceFeed, type PacketFeed } from './packet-feed.js';
import type { Session } from './session.js';
import { Tap } from './tap.js';

type InstrumentOps =
  | 'tap.start'
  | 'tap.flush'
  | 'tap.stop'
  | 'stamps.start'
  | 'stamps.flush'
  | 'stamps.stop'
  | 'faults'
  | 'faults.query'
  | 'counters'
  | 'cpu'
  | 'pinned';

const STAMPS_A_READ = 4096;

/** The device's own tap, or the network interface of the GID that connections use. */
async function feedOf(session: Session, options: TapOptions): Promise<PacketFeed> {
  const { context, port } = session;
  const { device } = context;
  if (device.capabilities.tap) return new DeviceFeed(context.extensions, options);
  const name = interfaceOfGid(device.name, port, context.gid(port).index);
  if (name === null)
    throw new AppError('CAPTURE_FAILED', {
      interface: device.name,
      detail: 'the kernel does not report its network interface, which may be in another network namespace',
    });
  return InterfaceFeed.start(name, options, session.hasRoom);
}

function tapOf({ tap }: Session): Tap {
  if (!tap) throw new AppError('BAD_HANDLE', { what: 'running packet tap', handle: 0 });
  return tap;
}

/** `enum ibv_wc_status` by name. */
function statusNumber(name: string): number {
  return WC_STATUS.find((entry) => entry.name === name)?.status ?? lookupWcStatus(0).status;
}

function reportStamps(
  { recorder, context }: Session,
  { withStamps = false }: Parsed<'stamps.flush'>,
): EndpointResult<'stamps.flush'> {
  const list: RequestStamps[] = [];
  let records = 0;
  for (;;) {
    const { stamps, dropped } = context.extensions.stampsRead(STAMPS_A_READ);
    for (const stamp of stamps) {
      const time = (ns: bigint): number | null => (ns === 0n ? null : recorder.at(ns));
      const times: RequestStamps = {
        wrId: Number(stamp.wrId),
        qpn: stamp.qpn,
        posted: recorder.at(stamp.postedNs),
        firstTx: time(stamp.firstTxNs),
        lastTx: time(stamp.lastTxNs),
        acked: time(stamp.ackedNs),
        cqe: time(stamp.cqeNs),
        polled: time(stamp.polledNs),
      };
      const { opcode, byteLength: byteLen } = stamp;
      recorder.emit({ kind: 'wr', ...times, opcode, byteLen, status: statusNumber(stamp.status) });
      if (withStamps) list.push(times);
    }
    records += stamps.length;
    if (stamps.length < STAMPS_A_READ) return { records, dropped, ...(withStamps && { stamps: list }) };
  }
}

export const instrumentOperations: Operations<InstrumentOps> = {
  async 'tap.start'(session, { source, maxPackets, maxBytes, snapLength, mode, withBytes = false }) {
    need(session, 'tap');
    const running = new AppError('BAD_MESSAGE', { detail: 'tap.start: the tap is running already' });
    if (session.tap) throw running;
    const feed = await feedOf(session, {
      ...(maxPackets === undefined ? {} : { maxPackets }),
      ...(maxBytes === undefined ? {} : { maxBytes }),
      ...(snapLength === undefined ? {} : { snapLength }),
      ...(mode === undefined ? {} : { mode }),
    });
    // Commands do not wait for each other.
    if (session.tap) {
      await feed.stop();
      throw running;
    }
    session.tap = new Tap(session, source, feed, withBytes);
    return feed.interface === undefined ? {} : { interface: feed.interface };
  },

  'tap.flush': (session) => tapOf(session).flush(),

  'tap.stop'(session) {
    const tap = tapOf(session);
    session.tap = undefined;
    return tap.stop();
  },

  'stamps.start'(session, { maxRecords, every }) {
    need(session, 'stamps');
    session.context.extensions.stampsStart({
      ...(maxRecords === undefined ? {} : { maxRecords }),
      ...(every === undefined ? {} : { every: Math.max(1, every) }),
    });
    return {};
  },

  'stamps.flush': reportStamps,

  'stamps.stop'(session, args) {
    session.context.extensions.stampsStop();
    return reportStamps(session, args);
  },

  faults(session, { report, ...faults }) {
    need(session, 'faults');
    if (faults.shaping) need(session, 'shaping');
    if (marksPackets(faults)) need(session, 'marks');
    session.context.extensions.setFaults(injectedFaults(faults));
    if (report) session.recorder.emit({ kind: 'faults', ...faults });
    return {};
  },

  'faults.query'(session) {
    need(session, 'faults');
    const { seed, ...counts } = session.context.extensions.faults();
    return { seed: hex(seed), ...counts };
  },

  counters(session, { when, quiet }) {
    need(session, 'counters');
    const values = session.context.extensions.counters(session.port);
    if (!quiet) session.recorder.emit({ kind: 'counter', when, values });
    return { values };
  },

  cpu(session) {
    const { user, system } = process.cpuUsage();
    const engine = session.can('engineCpu') ? session.context.extensions.cpu() : null;
    const sample = {
      processUserNs: user * 1000,
      processSystemNs: system * 1000,
      nicUserNs: engine?.engineUserNs ?? null,
      nicKernelNs: engine?.engineKernelNs ?? null,
    };
    session.recorder.emit({ kind: 'cpu', ...sample });
    return sample;
  },

  pinned(session) {
    need(session, 'pinned');
    return session.context.extensions.pinned();
  },
};
