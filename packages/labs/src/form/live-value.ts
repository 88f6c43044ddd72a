/** A value of a run in the middle of a sentence of its lab’s text, in words: for the page, and for those who check what it says. */
import type { LabDescription, LabResults, RunRecord } from '@verbslab/protocol';
import { choiceText } from '../base/choice-words.js';
import { shown, type PropertySchema } from './params.js';
import { quantityText, resultViews } from './result-views.js';
import type { LiveValue } from '../base/text-form.js';

/** The run that a text is about. */
export interface ReadRun {
  record: Pick<RunRecord, 'parameters' | 'result'>;
  results: LabResults;
}

const NOT_CHECKED = 'not checked';
const NOT_MEASURED = 'not measured';

const checkOf = ({ record }: ReadRun, id: string) => record.result?.checks.find((one) => one.id === id);

function checkText(run: ReadRun, id: string): string {
  const check = checkOf(run, id);
  if (!check || check.applies === false) return NOT_CHECKED;
  return check.ok ? 'check passed' : 'check failed';
}

function paramText(lab: LabDescription, { record }: ReadRun, name: string): string {
  const value = record.parameters[name];
  const properties = (lab.params.properties ?? {}) as Record<
    string,
    PropertySchema & { choiceTitles?: Record<string, string> }
  >;
  const { enum: choices, choiceTitles, unit } = properties[name] ?? {};
  if (typeof value === 'number') return shown(value, unit).replace(' ', '\u00a0');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value);
  return choices ? choiceText(value, choiceTitles && { choiceTitles }) : value;
}

/** How far a figure is from what it is compared with: `10.2 % below`. */
function deviationText(lab: LabDescription, { results }: ReadRun, name: string): string {
  const value = results.figures[name]?.value;
  const spec = lab.results?.figures?.find((one) => one.name === name) ?? {};
  const size = quantityText(typeof value === 'number' ? Math.abs(value) : value, spec);
  return typeof value === 'number' ? `${size} ${value < 0 ? 'below' : 'above'}` : size;
}

/** `{{figure:goodput}}` as the reader sees it: `12.3 Gb/s`. */
export function liveText({ of, name }: LiveValue, lab: LabDescription, run: ReadRun): string {
  switch (of) {
    case 'figure': {
      const spec = lab.results?.figures?.find((one) => one.name === name);
      return quantityText(run.results.figures[name]?.value, spec ?? {});
    }
    case 'deviation':
      return deviationText(lab, run, name);
    case 'param':
      return paramText(lab, run, name);
    case 'check':
      return checkText(run, name);
    case 'finding':
      return checkOf(run, name)?.detail ?? NOT_CHECKED;
    case 'outcome':
      return (
        resultViews(run.results, lab).predictions.find((one) => one.id === name)?.measured ?? NOT_MEASURED
      );
  }
}
