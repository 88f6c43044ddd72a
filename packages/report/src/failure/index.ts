/** Problems of a run and output of its program. Pages and reports show the same. */
export { OutputStore, plainText, type OutputBlock } from './output-store.js';
export {
  isLeft,
  leadOf,
  problemList,
  type Problem,
  type ProblemEvent,
  type ProblemList,
  type ProblemOf,
} from './problem-list.js';
export { firstProblem, incidentTitle, problemId, type FirstProblem } from './problem-text.js';
