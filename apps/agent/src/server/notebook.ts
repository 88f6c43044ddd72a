import type { AgentMessage, ClientMessageOf } from '@verbslab/protocol';
import type { Notebook } from '../runs/notebook.js';

type NotebookRequest = ClientMessageOf<
  'notebook.get' | 'notebook.list' | 'notebook.find' | 'note.write' | 'note.delete' | 'run.tag'
>;

/** Carries out what a client asks of the notebook. */
export function answerNotebook(notebook: Notebook, message: NotebookRequest): AgentMessage {
  const { id: re } = message;
  switch (message.type) {
    case 'notebook.get': {
      const { runId } = message;
      return { type: 'notebook', re, runId, ...notebook.of(runId), known: notebook.known };
    }
    case 'notebook.list':
      return { type: 'notes', re, ...notebook.list(message), known: notebook.known };
    case 'notebook.find':
      return { type: 'notebook.found', re, runs: notebook.find(message.words) };
    case 'note.write':
      return { type: 'note', re, note: notebook.write(message) };
    case 'note.delete':
      notebook.delete(message);
      return { type: 'note.deleted', re, noteId: message.noteId };
    case 'run.tag':
      return { type: 'run', re, run: notebook.tag(message) };
  }
}
