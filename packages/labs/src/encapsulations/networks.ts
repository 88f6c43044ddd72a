/** Requirements of each encapsulation on its network. */
import type { Kind } from './compose.js';

interface Network {
  network: string;
  routed: string;
  loss: string;
}

export const NETWORKS: Readonly<Record<Kind, Network>> = {
  InfiniBand: {
    network: 'InfiniBand switches, subnet manager',
    routed: 'Between subnets, with a GRH',
    loss: 'Credits of the next hop; RC retransmits',
  },
  'RoCE v1': {
    network: 'One Ethernet broadcast domain',
    routed: 'No',
    loss: 'PFC, if set up; RC retransmits',
  },
  'RoCE v2': {
    network: 'Ethernet and IP',
    routed: 'Yes, over IP',
    loss: 'PFC and ECN, if set up; RC retransmits',
  },
  iWARP: {
    network: 'Any IP network',
    routed: 'Yes, over IP',
    loss: 'TCP retransmits',
  },
};
