// No schemas here: pages use the names of transports, and must not load a validator for them.

/** Transports. `shm` is RDMA with packets through shared memory, around the kernel. */
export const TRANSPORTS = ['rdma', 'shm', 'tcp', 'udp'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Short names for headings, legends and columns where the link is unknown. */
export const TRANSPORT_NAME: Readonly<Record<Transport, string>> = {
  rdma: 'RDMA',
  shm: 'RDMA/shm',
  tcp: 'TCP',
  udp: 'UDP',
};
