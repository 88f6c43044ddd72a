export { CallLog } from './form/call-log.js';
export { LABS, findLab } from './catalog/labs.js';
export { choiceLabel, choiceText } from './base/choice-words.js';
export { labCode, type CodeFile, type CodeLanguage, type LabCode } from './catalog/code.js';
export { defineLab, type Lab, type LabDefinition } from './form/define.js';
export { formFaults } from './catalog/form-faults.js';
export { nextLabs, orderFaults, pageFaults } from './catalog/page-faults.js';
export {
  headline,
  shownFigures,
  quantityText,
  resultViews,
  shownQuantity,
  type AxisView,
  type ColumnView,
  type CurveView,
  type FigureView,
  type PredictionView,
  type ResultViews,
  type BarsView,
  type TableView,
} from './form/result-views.js';
export { headlineOf, type Headline } from './form/headline.js';
export { liveText, type ReadRun } from './form/live-value.js';
export { bandwidthDelay, windowLimited } from './formulas/little.js';
export { arrivals } from './loss/copies.js';
export { isNear, readNumber } from './base/read-number.js';
export { resultWriter } from './form/result-writer.js';
export {
  choiceCheck,
  drawSelfChecks,
  numberCheck,
  type SelfCheck,
  type SelfCheckSpec,
} from './form/self-checks.js';
export {
  SECTIONS,
  type Block,
  type Inline,
  type LabText,
  type LiveValue,
  type SectionId,
} from './base/text-form.js';
export { labText, readBlocks, readText, textFaults } from './catalog/text.js';
export { CATEGORIES, CLINIC_CASES, type CategoryId, type ClinicCase } from './clinic/answers.js';
export { bulk } from './bulk/index.js';
export { bulkFindings, type Findings } from './bulk/findings.js';
export { bulkParams, type BulkParams } from './bulk/params.js';
export { TRANSPORTS_OF } from './bulk/plan.js';
export { addressOfGid } from './endpoints/verbs.js';
export { linkParam, SHM_NEEDS, type LinkParam } from './endpoints/link.js';
export { minimalFlow } from './minimal-flow/index.js';
export { minimalFlowParams, type MinimalFlowParams } from './minimal-flow/params.js';
export { MINIMAL_FLOW_STEPS, type MinimalFlowStep } from './minimal-flow/steps.js';
export {
  bitRate,
  formatBytes,
  formatCount,
  formatNumber,
  formatTime,
  goodput,
  goodputText,
  inGbps,
  noun,
  plural,
  sig3,
  unitBeside,
} from './base/format.js';
export { statOf, type Stat } from './base/sweep.js';
export { TOO_BUSY } from './endpoints/too-busy.js';
export { compare, type Verdict } from './base/verdict.js';
export { comparisonAnswer, footnoteOf, type ComparisonAnswer } from './compare-runs/answer.js';
export {
  changeText,
  figureVerdict,
  figureRows,
  isShared,
  percentText,
  type Change,
  type ComparedRun,
  type FigureRow,
} from './compare-runs/changes.js';
export {
  comparisonWarnings,
  conditionWarnings,
  differencesOf,
  stateNotes,
  type Difference,
  type FieldText,
} from './compare-runs/differences.js';
export {
  DISTANCE_MEANING,
  distanceSentence,
  distanceText,
  type LatencyDistance,
} from './compare-runs/distances.js';
export { comparedFigures, type ComparedFigure } from './compare-runs/figures.js';
export { letterList, letterOf, LETTERS, MOST_COMPARED } from './compare-runs/letters.js';
export { paretoFront, scatterPoints, type ScatterPoint } from './compare-runs/pareto.js';
export { shown, type PropertySchema } from './form/params.js';
export { isRate, KNEE_RULE, repetitionsForKnee, sweepCurves, type SweepCurve } from './form/sweep-curve.js';
export { sweepExport, type SweepExport } from './form/sweep-export.js';
export {
  readSweep,
  splitRange,
  sweepGrid,
  type RangeParts,
  type SweptParam,
} from './form/sweep-expression.js';
export { sweepSeconds } from './form/sweep-time.js';
