import type { ReactNode } from 'react';
import { BoundsDrawing } from './bounds/drawing';
import { CqRingDrawing } from './cq-ring/drawing';
import { LadderDrawing } from './amplification/drawing';
import { IncastDrawing } from './incast/drawing';
import { StatesDrawing } from './states/drawing';
import { WindowDrawing } from './window/drawing';

/** Small drawings of the explorables in the list of explanations, by id. Each is 160 × 96. */
export const DRAWINGS: Readonly<Record<string, ReactNode>> = {
  amplification: <LadderDrawing />,
  window: <WindowDrawing />,
  incast: <IncastDrawing />,
  bounds: <BoundsDrawing />,
  'cq-ring': <CqRingDrawing />,
  states: <StatesDrawing />,
};
