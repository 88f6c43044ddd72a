import { FRAME_FLAGS } from '@verbslab/protocol';
import { RunModel } from '../src/model/run-model';
import { interval, record, Stream } from './stream';

/** A run of the bulk lab as its stream tells it: RDMA and then TCP. */
export function bulkRun() {
  const model = new RunModel(record());
  const s = new Stream();
  model.event(
    s.event({
      kind: 'source',
      source: 1,
      transport: 'rdma',
      role: 'client',
      what: 'loop',
      label: 'RDMA client',
    }),
  );
  model.event(
    s.event({
      kind: 'source',
      source: 2,
      transport: 'rdma',
      role: 'server',
      what: 'loop',
      label: 'RDMA server',
    }),
  );
  model.event(
    s.event({
      kind: 'source',
      source: 3,
      transport: 'tcp',
      role: 'client',
      what: 'loop',
      label: 'TCP client',
    }),
  );
  for (let i = 1; i <= 5; i++) {
    const flags = i === 1 ? FRAME_FLAGS.omitted : 0;
    const t = i * 100e6;
    // 12.5 MB in 100 ms are 1 Gb/s; the first interval is start-up and twice as fast.
    model.frame(
      s.series(
        1,
        [
          interval({
            t,
            bytes: i === 1 ? 25e6 : 12.5e6,
            messages: 100,
            appNs: 20e6,
            nicNs: 30e6,
            kernelNs: 10e6,
          }),
        ],
        flags,
      ),
    );
    model.frame(s.series(2, [interval({ t: t + 7e6, appNs: 0, nicNs: 40e6, kernelNs: 5e6 })], flags));
  }
  for (let i = 6; i <= 9; i++) {
    model.frame(
      s.series(3, [
        interval({ t: i * 100e6, bytes: 25e6, messages: 10, appNs: 1e6, nicNs: NaN, kernelNs: 90e6 }),
      ]),
    );
  }
  return { model, s };
}
