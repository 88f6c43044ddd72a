/** Fields that several programs have. */
import { z } from 'zod';

export const gidField = z.int().min(0).max(1).default(1).meta({
  title: 'GID index',
  description:
    'Which of the port’s GIDs is the source address: 1 is the IPv4 address, 0 the IPv6 one if there is one.',
});

export const iterationsField = (most: number, preset = 1000) =>
  z
    .int()
    .min(5)
    .max(most)
    .default(preset)
    .meta({ title: 'Iterations', description: 'Messages to exchange.' });

export const sizeField = (most: number, preset: number) =>
  z
    .int()
    .min(1)
    .max(most)
    .default(preset)
    .meta({ title: 'Message size', description: 'Payload of one message.', unit: 'B' });

export const portField = (preset: number, description: string) =>
  z.int().min(1024).max(65535).default(preset).meta({ title: 'Port', description });

export const TCP_PORT_TEXT =
  'TCP port over which the two programs exchange QP number, PSN and GID before any RDMA.';
export const CM_PORT_TEXT = 'Port of the connection manager on which the server listens.';

export const eventsField = z.boolean().default(false).meta({
  title: 'Sleep on events',
  description: 'Wait on a completion channel instead of polling the CQ. Can save CPU; costs wake-ups.',
});
