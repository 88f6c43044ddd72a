import type { Analysis } from '@verbslab/roce';
import type { RunModel } from '../run-model';
import type { Recording } from './recording';
export function connectRecording(_run: RunModel, _analysis: Analysis | null): Recording | null {
  return null;
}
