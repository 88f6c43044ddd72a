/** Code that is loaded when a filter is first used. */
export { compileFilter, completeFilter, FilterError, valueFilter } from '@verbslab/roce';
