/** Parts of a host in the picture of a lab's steps. A step names each with its role: `client.qp`. */
export const HOST_PARTS = ['device', 'pd', 'mr', 'qp', 'sq', 'rq', 'cq'] as const;
export type HostPart = (typeof HOST_PARTS)[number];
