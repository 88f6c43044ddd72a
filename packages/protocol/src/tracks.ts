// No schemas here: pages list labs, and must not load a validator for that.

/** Tracks of the catalog, in the order of lists. */
export const TRACKS = [
  {
    id: 'foundations',
    title: 'Foundations',
    text: 'Devices, queue pairs, and the calls of a first transfer.',
  },
  { id: 'verbs', title: 'Verbs', text: 'What each operation does, and which one fits which job.' },
  {
    id: 'completions',
    title: 'Completions',
    text: 'How a program learns that work is done, and what happens when it does not ask.',
  },
  { id: 'memory', title: 'Memory', text: 'What registration costs, and when it pays off.' },
  {
    id: 'sockets',
    title: 'RDMA versus sockets',
    text: 'The same work over both: speed, latency, and CPU time.',
  },
  {
    id: 'wire',
    title: 'On the wire',
    text: 'The packets behind each operation: headers, sizes, sequence numbers and counters.',
  },
  {
    id: 'connections',
    title: 'Connection management',
    text: 'How connections are made, refused, ended and kept: the messages behind rdma_cm.',
  },
  {
    id: 'loss',
    title: 'Loss and delay',
    text: 'Packets that are lost or late, on purpose: what recovery costs, and what a window hides.',
  },
  {
    id: 'many-hosts',
    title: 'Many hosts',
    text: 'Patterns among several hosts: how many messages and bytes, and what they cost.',
  },
  {
    id: 'fabrics',
    title: 'Fabrics',
    text: 'Switches, queues and pauses among many hosts, simulated: what a laptop cannot show.',
  },
  {
    id: 'ai-data',
    title: 'AI and data patterns',
    text: 'How training, inference and data stores use RDMA: who pushes, who pulls, and which data may be stale.',
  },
  {
    id: 'failures',
    title: 'Failure clinic',
    text: 'Each failure, caused for real: find the cause and fix it.',
  },
] as const;

/** A track of `TRACKS`, or one that only another version knows. */
export type Track = (typeof TRACKS)[number]['id'] | (string & {});

/** Position in lists: unknown tracks come last. */
export const trackRank = (track: Track | undefined): number => {
  const at = TRACKS.findIndex(({ id }) => id === track);
  return at < 0 ? TRACKS.length : at;
};

export const trackTitle = (track: Track | undefined): string =>
  TRACKS.find(({ id }) => id === track)?.title ?? track ?? 'Other';
