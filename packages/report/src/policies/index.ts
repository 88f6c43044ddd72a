/** Policies of queue pairs over a run, as the device sampled them. `runs show`, reports and pages say the same. */
export { PolicyHistory, type PolicyTrack } from './history.js';
export { policiesOf, policyLines, policyName, policyText, type Policy } from './words.js';
