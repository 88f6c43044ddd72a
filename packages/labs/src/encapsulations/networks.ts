/** What each encapsulation needs from its network. */
import type { Kind } from './compose.js';

interface Network {
  network: string;
  routed: string;
  loss: string;
}

export const NETWORKS: Readonly<Record<Kind, Network>> = {
  InfiniBand: {
    network: 'InfiniBand switches and a subnet manager',
    routed: 'By LID within a subnet; between subnets with a GRH',
    loss: 'Credits: a sender waits until the next hop has room',
  },
  'RoCE v1': {
    network: 'Ethernet switches, one broadcast domain',
    routed: 'No: IP routers do not know its EtherType 0x8915',
    loss: 'PFC in the switches',
  },
  'RoCE v2': {
    network: 'Ethernet switches and IP routers',
    routed: 'Yes: UDP port 4791 over IP',
    loss: 'PFC and ECN, or retransmission by the NIC',
  },
  iWARP: {
    network: 'Any IP network',
    routed: 'Yes: TCP over IP',
    loss: 'TCP retransmits and slows down',
  },
};
