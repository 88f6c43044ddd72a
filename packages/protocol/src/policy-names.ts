// No schemas here: pages name policies, and must not load a validator for that.

/** Recovery from loss, in the order of `enum uroce_recovery`. The first is the default. */
export const RECOVERIES = ['go-back-n', 'go-back-0', 'selective-repeat'] as const;
export type RecoveryName = (typeof RECOVERIES)[number];

/** Congestion control, in the order of `enum uroce_congestion`. The first is the default. */
export const CONGESTIONS = [
  'none',
  'dcqcn-paper',
  'dcqcn-nic',
  'dcqcn-ns3',
  'swift',
  'timely',
  'timely-patched',
] as const;
export type CongestionName = (typeof CONGESTIONS)[number];
