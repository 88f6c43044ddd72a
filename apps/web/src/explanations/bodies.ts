'use client';
import type { ComponentType } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { ExplainedRun } from './types';

type Body = ComponentType<{ run: ExplainedRun }>;

/** Components of the explanations, by id. The code of each is loaded when it is opened. */
export const BODIES: Readonly<Record<string, Body>> = {
  bounds: lazyPart(async () => (await import('./bounds/bounds')).default),
  'cq-ring': lazyPart(async () => (await import('./cq-ring/cq-ring')).default),
  averages: lazyPart(async () => (await import('./averages/averages')).default),
  waiting: lazyPart(async () => (await import('./waiting/waiting')).default),
  setup: lazyPart(async () => (await import('./setup/setup')).default),
  amplification: lazyPart(async () => (await import('./amplification/amplification')).default),
  window: lazyPart(async () => (await import('./window/window')).default),
  incast: lazyPart(async () => (await import('./incast/incast')).default),
  states: lazyPart(async () => (await import('./states/states')).default),
  copies: lazyPart(async () => (await import('./copies/copies')).default),
};
