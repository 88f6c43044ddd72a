'use client';
import type { ComponentType } from 'react';
import { latePart } from '../connection/late-part';
import type { ExplainedRun } from './types';

type Body = ComponentType<{ run: ExplainedRun }>;

/** What computes with a run, by the id of the explanation. The code of each is fetched when it is opened. */
export const BODIES: Readonly<Record<string, Body>> = {
  averages: latePart(async () => (await import('./averages/averages')).default),
  waiting: latePart(async () => (await import('./waiting/waiting')).default),
  setup: latePart(async () => (await import('./setup/setup')).default),
  amplification: latePart(async () => (await import('./amplification/amplification')).default),
  states: latePart(async () => (await import('./states/states')).default),
  copies: latePart(async () => (await import('./copies/copies')).default),
};
