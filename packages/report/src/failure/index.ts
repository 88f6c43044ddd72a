/** What went wrong in a run, and what its program printed: pages and reports tell the same. */
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
export { firstProblem, incidentTitle, problemId } from './problem-text.js';
