/** The pages that the agent writes itself, without the dashboard. */
import type { ErrorInfo } from '@verbslab/protocol';
import { escapeHtml } from '@verbslab/report';

/** Text of an error as HTML: words in backticks are commands. */
const sentence = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:64ch;margin:15vh auto;padding:0 16px}
h1{font-size:20px;font-weight:600}
code{font:0.9em ui-monospace,monospace;padding:2px 5px;border-radius:4px;background:light-dark(#f0f0f0,#2a2a2a)}`;

const page = (head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">${head}
<title>Verbs Lab</title><style>${STYLE}</style></head>
<body><main><p>Verbs Lab</p>${body}</main></body></html>`;

export const errorPage = ({ message, cure }: ErrorInfo): string =>
  page('', `<h1>${sentence(message)}</h1><p>${sentence(cure)}</p>`);

/** Redirects the browser at once, replacing this page in its history. */
export const leadOnPage = (target: string): string =>
  page(
    `<meta http-equiv="refresh" content="0;url=${escapeHtml(target)}">`,
    `<p><a href="${escapeHtml(target)}">Open the dashboard</a></p>`,
  );
