/** Parameters of labs about switches and congestion control. */
import { z } from 'zod';

export const DCQCN_TITLES = {
  'dcqcn-paper': 'DCQCN, as in the paper',
  'dcqcn-nic': 'DCQCN, defaults of NVIDIA’s NICs',
  'dcqcn-ns3': 'DCQCN, as in HPCC’s ns-3',
};

export const windowParam = z.int().min(16_384).max(16_777_216).default(262_144).meta({
  title: 'Window',
  description: 'Bytes that each connection has in flight at most.',
  unit: 'B',
});

export const bufferParam = (usual: number) =>
  z.int().min(500).max(64_000).default(usual).meta({
    title: 'Buffer of the switch',
    description: 'The pool that all ports share. Headroom for PFC is apart from it.',
    unit: 'KB',
  });
