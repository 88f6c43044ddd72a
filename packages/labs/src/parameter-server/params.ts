import { z } from 'zod';
import { linkParam } from '../endpoints/link.js';

export const parameterServerParams = z.object({
  workers: z.int().min(2).max(6).default(3).meta({
    title: 'Workers',
    description: 'Each pulls the model, computes a gradient and pushes it.',
  }),
  steps: z.int().min(3).max(16).default(8).meta({
    title: 'Steps per worker',
    description: 'Gradients that each worker pushes, first in lockstep and then in turns.',
  }),
  rate: z.number().min(0.05).max(0.95).default(0.45).meta({
    title: 'Learning rate',
    description: 'The server subtracts the rate times the gradient from the model.',
  }),
  layers: z.int().min(1).max(4).default(2).meta({
    title: 'Layers',
    description: 'The model has this many layers of the same size.',
  }),
  width: z.int().min(64).max(2048).default(1024).meta({
    title: 'Parameters per layer',
    description: 'Each is a float of 4 bytes.',
  }),
  chunks: z.int().min(1).max(8).default(4).meta({
    title: 'Chunks per layer',
    description: 'A worker pushes each chunk with one WRITE_WITH_IMM.',
  }),
  link: linkParam,
});

export type ParameterServerParams = z.output<typeof parameterServerParams>;
