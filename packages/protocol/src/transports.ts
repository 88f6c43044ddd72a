// Without schemas: pages ask for the names of transports, and must not load a validator for it.

/** `shm` is RDMA with packets through shared memory, around the kernel. */
export const TRANSPORTS = ['rdma', 'shm', 'tcp', 'udp'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Short, for headings, legends and columns, where the link is not known. */
export const TRANSPORT_NAME: Readonly<Record<Transport, string>> = {
  rdma: 'RDMA',
  shm: 'RDMA/shm',
  tcp: 'TCP',
  udp: 'UDP',
};
