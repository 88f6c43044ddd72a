import { exercise } from './exercise.js';

const WIRE_US = 5;
const POST_US = 0.5;
const POLL_US = 0.5;
const rdma = WIRE_US + POST_US + POLL_US;
const sockets = (n: { call: number; copy: number; change: number }): number =>
  WIRE_US + 2 * (n.call + n.copy + n.change);

export const COST = [
  exercise({
    id: 'latency-model',
    title: 'A model of latency',
    numbers: { call: [2.5, 5, 7.5], copy: [5, 10, 20], change: [5, 10, 20] },
    text: ({ call, copy, change }) =>
      `The path from NIC to NIC takes ${WIRE_US} µs. RDMA adds ${POST_US} µs to post and ${POLL_US} µs to poll. Sockets add a system call (${call} µs), a copy (${copy} µs) and a context switch (${change} µs) on each of the two hosts. How long does a message take with each, and how many times as long with sockets? The figures are assumptions, not measurements.`,
    fields: [
      { kind: 'number', id: 'rdma', label: 'RDMA', unit: 'µs', answer: () => rdma },
      { kind: 'number', id: 'sockets', label: 'Sockets', unit: 'µs', answer: sockets },
      { kind: 'number', id: 'ratio', label: 'Ratio', tolerance: 0.01, answer: (n) => sockets(n) / rdma },
    ],
    worked: (n) => [
      `RDMA: ${POST_US} + ${WIRE_US} + ${POLL_US} = ${rdma} µs.`,
      `Sockets: ${WIRE_US} + 2 × (${n.call} + ${n.copy} + ${n.change}) = ${sockets(n)} µs.`,
      `${sockets(n)} / ${rdma} = ${(sockets(n) / rdma).toFixed(1)}.`,
    ],
    measure: { lab: 'latency', text: 'Measure it instead of assuming.' },
  }),
  exercise({
    id: 'ping-pong',
    title: 'Half a round trip',
    numbers: { us: [0.9, 1.5, 2.2, 4, 12.5] },
    text: ({ us }) =>
      `ib_write_lat prints t_typical = ${us} µs, which is half of a round trip. How long is the round trip, and how many round trips per second does the test make?`,
    fields: [
      {
        kind: 'number',
        id: 'round',
        label: 'Round trip',
        unit: 'µs',
        tolerance: 0.001,
        answer: ({ us }) => 2 * us,
      },
      {
        kind: 'number',
        id: 'rate',
        label: 'Round trips per second',
        tolerance: 0.01,
        answer: ({ us }) => 1e6 / (2 * us),
      },
    ],
    worked: ({ us }) => [
      `2 × ${us} µs = ${2 * us} µs. ibv_rc_pingpong prints the whole round trip, so its figure for the same path and message is about twice as large.`,
      `1 / ${2 * us} µs = ${Math.round(1e6 / (2 * us))} per second.`,
    ],
    measure: { lab: 'latency', text: 'Measure round trips.' },
  }),
  exercise({
    id: 'perftest-units',
    title: 'MB/s that are MiB/s',
    numbers: { mib: { min: 900, max: 12_000, step: 50 } },
    text: ({ mib }) =>
      `ib_write_bw prints ${mib} under BW average[MB/sec] (newer versions: MiB/sec). Its MB are 1,048,576 B. How many Gb/s is that?`,
    fields: [
      {
        kind: 'number',
        id: 'gbps',
        label: 'Goodput',
        unit: 'Gb/s',
        tolerance: 0.005,
        answer: ({ mib }) => (mib * 2 ** 20 * 8) / 1e9,
      },
    ],
    worked: ({ mib }) => [
      `${mib} × 1,048,576 B × 8 bit / 10^9 = ${((mib * 2 ** 20 * 8) / 1e9).toFixed(2)} Gb/s.`,
      `With decimal megabytes it would be ${((mib * 8) / 1000).toFixed(2)}, 4.6 % less.`,
    ],
    measure: { lab: 'bulk', text: 'Measure goodput.' },
  }),
  exercise({
    id: 'cpu-per-gigabyte',
    title: 'CPU time per gigabyte',
    numbers: { gbps: [8, 10, 16, 25, 40], cores: [0.25, 0.5, 1.2, 1.6, 2] },
    text: ({ gbps, cores }) =>
      `A transfer runs at ${gbps} Gb/s and keeps ${cores} cores busy. How much CPU time does 1 GB (10^9 B) take?`,
    fields: [
      {
        kind: 'number',
        id: 'seconds',
        label: 'CPU time',
        unit: 's',
        tolerance: 0.01,
        answer: ({ gbps, cores }) => (8 * cores) / gbps,
      },
    ],
    worked: ({ gbps, cores }) => [
      `1 GB = 8 Gb takes 8 / ${gbps} = ${(8 / gbps).toPrecision(3)} s.`,
      `× ${cores} cores = ${((8 * cores) / gbps).toPrecision(3)} s of CPU time.`,
    ],
    measure: { lab: 'gigabyte', text: 'Move a gigabyte, and add up its CPU time.' },
  }),
];
