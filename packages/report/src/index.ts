export { Evidence } from './failure/evidence.js';
export { failureStory, type FailureStory, type ProblemStory } from './failure/story.js';
export { REPORT_FORMATS } from './formats.js';
export { escapeHtml } from './html/markup.js';
export { reportHtml } from './html/report.js';
export { reportMarkdown } from './markdown/report.js';
export type { ReportSource } from './content/source.js';
