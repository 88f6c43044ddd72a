import { hasFilled, type RunRow } from '@verbslab/protocol';

/** An explanation that computes with the records of a run. */
export interface Explanation {
  id: string;
  title: string;
  question: string;
  /** Description in one or two sentences. */
  text: string;
  /** Lab whose runs it uses, and the parameters with which it starts that lab. */
  lab: string;
  params: Readonly<Record<string, string | number>>;
  /** Labs that also lead to it. */
  also: readonly string[];
  /** True if a run of the lab has the needed records. */
  fits: (run: RunRow) => boolean;
}

const withResults =
  (...names: readonly string[]) =>
  (run: RunRow): boolean =>
    hasFilled(run, names);

export const EXPLANATIONS: readonly Explanation[] = [
  {
    id: 'bounds',
    title: 'The bounds of a memory region',
    question: 'Which requests does a device refuse, and at which check?',
    text: 'Drag the ends of a request along a region, and take rights away. You see which check refuses it.',
    lab: 'header-explorer',
    // The READ that the page shows first.
    params: { packet: 'read', edit: 'reth.va=+2048; reth.dmaLength=1025' },
    also: ['write-read', 'clinic', 'memory-windows'],
    fits: withResults('own-outcome'),
  },
  {
    id: 'cq-ring',
    title: 'The ring of a completion queue',
    question: 'When does a completion find no slot, and what does the device do then?',
    text: 'Let requests end, and poll or do not. You see when the next CQE has no slot left.',
    lab: 'cq-overrun',
    params: {},
    also: ['signal-every', 'queue-per-thread'],
    fits: withResults('late', 'broken'),
  },
  {
    id: 'averages',
    title: 'Averages hide spikes',
    question: 'How far do mean and percentiles move when the slowest requests are left out?',
    text: 'Leave out the slowest WRITEs of a run, choose a percentile, and see which summary moves.',
    lab: 'averages-hide-spikes',
    params: {},
    also: ['latency'],
    fits: withResults('cumulative'),
  },
  {
    id: 'waiting',
    title: 'Polling or events',
    question: 'Is there a message rate above which polling costs less CPU time than sleeping?',
    text: 'Choose a message rate. You see the CPU time of each way to wait, computed from what a run measured.',
    lab: 'polling-events',
    params: {},
    also: [],
    fits: withResults('ways'),
  },
  {
    id: 'setup',
    title: 'Slow setup, fast data path',
    question: 'After how many messages does the setup of a connection no longer matter?',
    text: 'Choose a number of messages. You see the setup divided among them, and the share of each call. Here it no longer matters once it is a tenth of the time.',
    lab: 'connection-manager',
    params: {},
    also: ['minimal-flow', 'cm-pooling'],
    fits: withResults('trace'),
  },
  {
    id: 'amplification',
    title: 'Go-back-N',
    question: 'What does one lost packet cost?',
    text: 'Go-back-N sends the lost packet and all behind it again. Lose one and see what the device did.',
    lab: 'loss-amplification',
    params: { messages: 100, largest: 16, repeat: 1 },
    also: ['loss-cost', 'retry-timers'],
    fits: (run) => (run.capture?.packets ?? 0) > 0 && hasFilled(run, ['single']),
  },
  {
    id: 'window',
    title: 'Window and delay',
    question: 'How much must be in flight to fill a path?',
    text: 'Move the window and see the path fill, and where the goodput stops growing.',
    lab: 'delay-and-window',
    params: {},
    also: ['outstanding'],
    fits: withResults('paths', 'points'),
  },
  {
    id: 'incast',
    title: 'Incast',
    question: 'How long does a small request wait behind many senders?',
    text: 'Several clients send to one server. Move a small request through the queue that they share.',
    lab: 'incast',
    params: {},
    also: ['parameter-server', 'inference-ring'],
    // In shared memory each connection has a ring of its own, so there is no common queue.
    fits: (run) => hasFilled(run, ['loads']) && run.result?.links?.includes('shm') !== true,
  },
  {
    id: 'states',
    title: 'The QP state machine',
    question: 'What does each state change of a QP need, and what is refused?',
    text: 'Choose a state or a transition. You see what a transition requires, and every ibv_modify_qp that the client of a run called there.',
    lab: 'qp-states',
    params: {},
    also: ['minimal-flow'],
    fits: withResults('calls'),
  },
  {
    id: 'copies',
    title: 'Zero copy and the copy path',
    question: 'What do copies and system calls cost per message and per byte?',
    text: 'Choose a message size and two transports. You see their copies, system calls and CPU time side by side.',
    lab: 'copies-and-calls',
    params: {},
    also: ['bulk', 'gigabyte'],
    fits: withResults('ways', 'copies'),
  },
];

export const findExplanation = (id: string): Explanation | undefined =>
  EXPLANATIONS.find((one) => one.id === id);

/** Explanations that a lab leads to, those that use its runs first. */
export const explanationsOf = (lab: string): Explanation[] => [
  ...EXPLANATIONS.filter((one) => one.lab === lab),
  ...EXPLANATIONS.filter(({ also }) => also.includes(lab)),
];

/** Explanations that need many hosts, each with the lab that simulates it. */
export const OF_FABRICS: readonly { title: string; text: string; lab: string }[] = [
  {
    title: 'Microburst fan-in',
    text: 'Many senders fill the queue of one switch port within microseconds.',
    lab: 'microburst',
  },
  {
    title: 'Topology pressure',
    text: 'How the shape of the network decides which links fill up.',
    lab: 'topology-pressure',
  },
  {
    title: 'The amplification loop',
    text: 'Retransmissions fill queues, and full queues drop more packets.',
    lab: 'amplification-loop',
  },
];
