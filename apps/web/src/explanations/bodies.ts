'use client';
import type { ComponentType } from 'react';
import { lazyPart } from '../connection/lazy-part';
import type { ExplainedRun } from './types';

type Body = ComponentType<{ run: ExplainedRun }>;

/** What computes with a run, by the id of the explanation. The code of each is fetched when it is opened. */
export const BODIES: Readonly<Record<string, Body>> = {
  averages: lazyPart(async () => (await import('./averages/averages')).default),
  waiting: lazyPart(async () => (await import('./waiting/waiting')).default),
  setup: lazyPart(async () => (await import('./setup/setup')).default),
  amplification: lazyPart(async () => (await import('./amplification/amplification')).default),
  states: lazyPart(async () => (await import('./states/states')).default),
  copies: lazyPart(async () => (await import('./copies/copies')).default),
};
