export { LABS, findLab } from './catalogue.js';
export { defineLab, type Lab, type LabDefinition } from './define.js';
export { bulk } from './bulk/index.js';
export { bulkFindings, type Findings } from './bulk/findings.js';
export { bulkParams, type BulkParams } from './bulk/params.js';
export { addressOfGid } from './bulk/transports.js';
export { minimalFlow } from './minimal-flow/index.js';
export { minimalFlowParams, type MinimalFlowParams } from './minimal-flow/params.js';
export { MINIMAL_FLOW_STEPS, type MinimalFlowStep } from './minimal-flow/steps.js';
